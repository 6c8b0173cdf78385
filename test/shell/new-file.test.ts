import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFileWithin } from '../../src/shell/new-file.ts';
import { tempFolder } from '../support/temp.ts';

test('a file is written through no link that leads out of its folder', async () => {
  const root = await tempFolder({});
  const folder = join(root, 'inside');
  const outside = join(root, 'outside');
  await mkdir(folder);
  await mkdir(outside);
  await symlink(outside, join(folder, 'link'));
  const reason = await writeFileWithin(folder, 'link/a.yaml', 'text');
  expect(reason).toBe('a link leads out of its folder');
  expect(await readdir(outside)).toEqual([]);
});

test('a file takes the place of another one only if it is renewed', async () => {
  const folder = await tempFolder({ 'a.yaml': 'old' });
  const path = join(folder, 'a.yaml');
  expect(await writeFileWithin(folder, 'a.yaml', 'new')).toBeDefined();
  expect(await readFile(path, 'utf8')).toBe('old');
  const isRenewed = true;
  const reason = await writeFileWithin(folder, 'a.yaml', 'new', { isRenewed });
  expect(reason).toBeUndefined();
  expect(await readFile(path, 'utf8')).toBe('new');
  expect(await readdir(folder)).toEqual(['a.yaml']);
});
