import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, systemReason } from './failure.ts';

/**
 * Makes a new file below a folder: whole or not at all, never in place of what is there, and through no link. Makes the folders
 * on its way. Returns why it was not made.
 */
export async function writeNewFile(
  folder: string,
  path: string,
  text: string,
  mode = 0o666,
): Promise<string | undefined> {
  const target = join(folder, path);
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    await mkdir(dirname(target), { recursive: true });
    if ((await realpath(dirname(target))) !== join(await realpath(folder), dirname(path)))
      return 'a link leads out of its folder';
    await writeWhole(draft, text, mode);
    // Unlike a rename, it fails where something has the name.
    await link(draft, target);
    return undefined;
  } catch (thrown) {
    return errorCode(thrown) === 'EEXIST' ? 'there is such a file' : systemReason(thrown);
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The path itself, or with the first number that makes it one that nothing has: `a-2.yaml`, `.env.example-2`. */
export async function freePath(
  folder: string,
  path: string,
  taken: ReadonlySet<string> = new Set(),
): Promise<string> {
  const extension = /\.ya?ml$/i.exec(path)?.[0] ?? '';
  const start = path.slice(0, path.length - extension.length);
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? path : `${start}-${number}${extension}`;
    if (!taken.has(free) && !(await isThere(join(folder, free)))) return free;
  }
}

/** Whether something has a path, wherever it leads. */
export function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
