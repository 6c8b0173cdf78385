import { execFileSync, spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM } from '../support/program.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

test.each([
  [['va'], ['validate']],
  [['plan', '--exit'], ['--exit-code']],
  [['plan', '--report', 'ma'], ['markdown']],
  [['apply', '--allow', 'exp'], ['exposes-secret']],
  [['explain', 'unknown-o'], ['unknown-option']],
  [['help', 'sn'], ['snapshot']],
  [['completion', 'z'], ['zsh']],
  [['plan', '--file', ''], []],
  [['nonsense', ''], []],
])('%j is completed by %j', async (words, expected) => {
  const { stdout } = await run(['__complete', ...words], { env: {} });
  expect(stdout).toBe(expected.map((word) => `${word}\n`).join(''));
});

test.skipIf(spawnSync('bash', ['--version']).error !== undefined)(
  'bash completes by the script',
  async () => {
    const bin = await tempFolder({
      setpoint: `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`,
    });
    await chmod(join(bin, 'setpoint'), 0o755);
    const script = `source <(setpoint completion bash); COMP_WORDS=(setpoint plan --exit); COMP_CWORD=2; _setpoint; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
    expect(
      execFileSync('bash', ['-c', script], { env, encoding: 'utf8' }),
    ).toBe('--exit-code\n');
  },
);
