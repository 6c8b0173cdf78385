import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GIT_TRAPS, trappedRepository } from '../support/hostile-git.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const TRAPS = Object.keys(GIT_TRAPS) as (keyof typeof GIT_TRAPS)[];

/** What commands end with, beside a trap. */
const CODES: Partial<Record<keyof typeof GIT_TRAPS, number>> = {
  'a missing object, to be fetched from a program': 3,
  'names, links and submodules that lead elsewhere': 3,
};

/** All that is in a folder, with sizes and times of writing. */
function filesIn(folder: string): string {
  return execFileSync('find', [folder, '-printf', '%p %s %T@\\n'], { encoding: 'utf8' });
}

describe('a repository of a stranger starts no program', () => {
  test.each(TRAPS)('%s', async (trap) => {
    const { url } = await liveSandbox();
    const record = join(await tempFolder({ started: '' }), 'started');
    const setpoint = `version: 1\nservers:\n  a:\n    url: ${url}\n    config: [base/]\n`;
    const { root } = await trappedRepository(setpoint, trap, record);
    const before = filesIn(root);
    const env = {
      ...ADMIN,
      // The folder of the repository comes first, as for somebody who works in it.
      PATH: `${root}/bin:.:${process.env['PATH']}`,
      SETPOINT_CANARY: 'canary-secret',
      GIT_DIR: '/nowhere',
      GIT_EXTERNAL_DIFF: `${root}/evil.sh`,
      GIT_SSH_COMMAND: `${root}/evil.sh`,
    };
    for (const args of [
      ['plan', '--base', 'main'],
      ['plan', '--base', 'main', '--write-hidden', 'all'],
      ['apply', '--base', 'main', '--yes'],
      // A replaced object would make a difference.
      ['diff', 'main', '--exit-code'],
      ['diff', 'main', 'main', '--full'],
      ['diff', 'main', '-f', 'base'],
    ]) {
      const { code, stdout, stderr } = await run(args, { cwd: root, env });
      expect([args.join(' '), code, code === (CODES[trap] ?? 0) ? '' : stderr]).toEqual([
        args.join(' '),
        CODES[trap] ?? 0,
        '',
      ]);
      expect(stdout + stderr).not.toMatch(/canary|root:|[^\P{Cc}\n]|^\s*::/mu);
    }
    expect(await readFile(record, 'utf8')).toBe('');
    expect(filesIn(root)).toBe(before);
  });
  test('the trap of a missing object works where git is asked without care', async () => {
    const record = join(await tempFolder({ started: '' }), 'started');
    const trap = 'a missing object, to be fetched from a program';
    const { root } = await trappedRepository('version: 1\n', trap, record);
    const ask = () =>
      execFileSync('git', ['cat-file', '-p', 'HEAD:base/a.yaml'], {
        cwd: root,
        env: { PATH: `${root}/bin:${process.env['PATH']}` },
        stdio: 'ignore',
      });
    expect(ask).toThrow();
    expect(await readFile(record, 'utf8')).toContain('started');
  });
});
