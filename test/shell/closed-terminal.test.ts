import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFleets } from '../support/fleet.ts';
import { PROGRAM } from '../support/program.ts';
import { codesOf } from '../support/report.ts';

/**
 * An apply that asks in a terminal of its own, with a report in a file; `script` of util-linux holds it. Told by a signal, or
 * only by reading and writing, that the terminal has gone.
 */
async function asking(told: 'by a signal' | 'by nothing') {
  const { sandbox, cwd, env } = await startFleets(2);
  // The shell outlives the terminal, to note how the program ends.
  const noted = `trap '' HUP; '${process.execPath}' '${PROGRAM}' apply --report json=report.json; echo $? > ended`;
  const inside = `${told === 'by nothing' ? 'setsid ' : ''}sh -c "${noted.replaceAll('$', '\\$')}"`;
  const child = spawn(
    '/bin/sh',
    ['-c', 'exec script -qefc "$1" /dev/null', 'sh', inside],
    {
      cwd,
      env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const shown: string[] = [];
  child.stdout.on('data', (chunk) => shown.push(String(chunk)));
  while (!shown.join('').includes('Type yes')) await once(child.stdout, 'data');
  const ended = async () => {
    const read = () => readFile(join(cwd, 'ended'), 'utf8').catch(() => '');
    await expect.poll(read).toMatch(/\n$/);
    return [
      Number(await read()),
      codesOf({ stdout: await readFile(join(cwd, 'report.json'), 'utf8') }),
    ];
  };
  return { sandbox, child, ended };
}

test.each(['by a signal', 'by nothing'] as const)(
  'a terminal that is closed during the question, told %s: nothing is written, and it logs out',
  async (told) => {
    const { sandbox, child, ended } = await asking(told);
    child.kill('SIGKILL');
    expect(await ended()).toEqual([143, ['interrupted']]);
    const seen = sandbox.seen();
    expect(seen.at(-1)).toBe('POST /api/users/logout');
    expect(seen.filter((each) => each.startsWith('PATCH'))).toEqual([]);
  },
);

test('the end of input by hand is a no, not an interruption', async () => {
  const { sandbox, child, ended } = await asking('by a signal');
  child.stdin.write('\u0004');
  expect(await ended()).toEqual([6, ['not-confirmed']]);
  expect(sandbox.seen().filter((each) => each.startsWith('PATCH'))).toEqual([]);
});
