import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockAddress, lockFile } from '../../../src/sandbox/state/lock.ts';

const name = (suffix: string) => join(tmpdir(), `setpoint-lock-${process.pid}-${suffix}`);

describe.each(['linux', 'darwin'] as const)('a lock as on %s', (system) => {
  test('is held by one, and free again after its release', async () => {
    const release = await lockFile(name(system), system);
    await expect(lockFile(name(system), system)).rejects.toMatchObject({ code: 'data-file-in-use' });
    await release();
    const releaseAgain = await lockFile(name(system), system);
    await releaseAgain();
  });
  test('is of one file only', async () => {
    const releases = [await lockFile(name('one'), system), await lockFile(name('two'), system)];
    await Promise.all(releases.map((release) => release()));
    expect(releases).toHaveLength(2);
  });
  test('of many who want it at once, one gets it', async () => {
    const wanted = await Promise.allSettled(
      Array.from({ length: 8 }, () => lockFile(name(`many-${system}`), system)),
    );
    const held = wanted.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(held).toHaveLength(1);
    await held[0]?.();
  });
});

test('a socket file that a killed process left is taken over', async () => {
  const script = 'require("net").createServer().listen(process.argv[1], () => console.log("up"))';
  const address = lockAddress(name('killed'), 'darwin');
  const child = spawn(process.execPath, ['-e', script, address], { stdio: 'pipe' });
  await once(child.stdout, 'data');
  await expect(lockFile(name('killed'), 'darwin')).rejects.toMatchObject({ code: 'data-file-in-use' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(address)).toBe(true);
  const release = await lockFile(name('killed'), 'darwin');
  await release();
});
