import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { type Program, program } from '../support/program.ts';
import { findingsOf } from '../support/report.ts';
import { ADMIN } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

/** How a program ended, and its findings by code and message. */
async function endOf({ ended, stdout, stderr }: Program) {
  const code = await ended;
  const found = findingsOf({ stdout: stdout() }).map(
    (finding) => `${finding.code}: ${finding.message}`,
  );
  return { code, found, stderr: stderr() };
}

/** Mounts for the program alone; there are machines that allow none. */
const MOUNT = 'mount -t tmpfs -o ro tmpfs disk';
const canMount =
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'])
    .status === 0;

describe.skipIf(!canMount)('a file system that is read-only', () => {
  test.each([
    ['snapshot --out disk/snapshot.json', 3],
    ['list --report text=disk/list.txt', 3],
  ])('is the reason against %s', async (line, exit) => {
    const { url } = await liveSandbox();
    const cwd = await tempFolder({ 'disk/here': '' });
    const shell = `exec unshare -rm sh -c '${MOUNT} && exec "$@"' sh "$@"`;
    const args = [...line.split(' '), '--url', url, '--report', 'json'];
    const running = program(args, { cwd, env: ADMIN, shell });
    const { code, found } = await endOf(running);
    const errors = found.filter((text) => !text.startsWith('hides-secrets'));
    expect(code).toEqual(exit);
    expect(errors).toEqual([
      expect.stringMatching(
        /^file-unwritable: Cannot write disk\/.*: read-only file system\.$/,
      ),
    ]);
  });
});

test('a working directory that was removed is a finding', async () => {
  const cwd = await tempFolder();
  const shell = 'mkdir gone && cd gone && rmdir ../gone && "$@"';
  const args = ['validate', '--report', 'json'];
  const { code, found } = await endOf(program(args, { cwd, shell }));
  expect(code).toBe(3);
  expect(found).toEqual([
    'no-configuration: No configuration was named or found.',
  ]);
});
