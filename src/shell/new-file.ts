import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, systemReason } from './failure.ts';

interface Manner {
  readonly mode?: number;
  /** Whether it takes the place of what is there. */
  readonly isRenewed?: boolean;
}

/**
 * Writes a file below a folder: whole or not at all, through no link, and unless it is renewed, in place of nothing. Makes the
 * folders on its way. Returns why it was not written.
 */
export async function writeFileWithin(
  folder: string,
  path: string,
  text: string,
  { mode = 0o666, isRenewed = false }: Manner = {},
): Promise<string | undefined> {
  const target = join(folder, path);
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    await mkdir(dirname(target), { recursive: true });
    if ((await realpath(dirname(target))) !== join(await realpath(folder), dirname(path)))
      return 'a link leads out of its folder';
    await writeWhole(draft, text, mode);
    // Unlike a rename, a link fails if something has the name.
    await (isRenewed ? rename(draft, target) : link(draft, target));
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

/** Whether something has a path, wherever it leads. */
export function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
