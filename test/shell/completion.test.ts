import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

async function completed(...words: readonly string[]): Promise<string[]> {
  const { stdout } = await run(['__complete', ...words], { env: {} });
  return stdout.split('\n').slice(0, -1);
}

test.each([
  [['va'], ['validate']],
  [['plan', '--exit'], ['--exit-code']],
  [['plan', '--report', 'ma'], ['markdown']],
  [['apply', '--allow', 'exp'], ['exposes-secret']],
  [['explain', 'unknown-o'], ['unknown-option']],
  [['help', 'sn'], ['snapshot']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['plan', '--file', ''], []],
  [['nonsense', ''], []],
])('%j is completed by %j', async (words, expected) => {
  expect(await completed(...words)).toEqual(expected);
});

test('a shell that is not known is named', async () => {
  const { code, stderr } = await run(['completion', 'tcsh'], { env: {} });
  expect([code, /bash, zsh, fish/.test(stderr)]).toEqual([3, true]);
});

test.skipIf(spawnSync('bash', ['--version']).error !== undefined)(
  'bash completes by the script',
  async () => {
    const folder = await tempFolder({});
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(
      join(bin, 'setpoint'),
      `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/cli.cjs')}" "$@"\n`,
    );
    await chmod(join(bin, 'setpoint'), 0o755);
    const script = `source <(setpoint completion bash); COMP_WORDS=(setpoint plan --exit); COMP_CWORD=2; _setpoint; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
    expect(execFileSync('bash', ['-c', script], { env, encoding: 'utf8' })).toBe('--exit-code\n');
  },
);
