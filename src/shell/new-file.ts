import { constants } from 'node:fs';
import {
  chmod,
  type FileHandle,
  link,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, systemReason } from './failure.ts';

interface FileOptions {
  /** True if the file may replace one. */
  readonly isRenewed?: boolean | undefined;
  /**
   * True if it has no other name while it is written, and its owner alone may
   * read it: git need not ignore a draft.
   */
  readonly isSecret?: boolean | undefined;
}

/**
 * Writes a file below a folder, through no link; whole or not at all, unless it
 * is a secret. Makes the folders on its way. Returns why it was not written.
 */
export async function writeFileWithin(
  folder: string,
  path: string,
  text: string,
  options: FileOptions = {},
): Promise<string | undefined> {
  const { isRenewed = false, isSecret = false } = options;
  const target = join(folder, path);
  try {
    const parent = dirname(target);
    await mkdir(parent, { recursive: true });
    const expected = join(await realpath(folder), dirname(path));
    if ((await realpath(parent)) !== expected) {
      return 'a link leads out of its folder';
    }
  } catch (thrown) {
    return systemReason(thrown);
  }
  if (isSecret) return finishFile(target, Buffer.from(text));
  // Unlike a rename, a link fails if something has the name.
  return publish(target, text, isRenewed ? rename : link);
}

/** Why a file is not written if another one has its name. */
export const TAKEN = 'there is such a file';

/**
 * Writes a file for its owner alone, or the rest of one that begins as it does:
 * an earlier run was killed. Returns why it was not written.
 */
async function finishFile(
  path: string,
  content: Buffer,
): Promise<string | undefined> {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  let file: FileHandle | undefined;
  try {
    file = await open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
    const status = await file.stat();
    if (!status.isFile() || status.size > content.length) return TAKEN;
    const begun = await file.readFile();
    if (!content.subarray(0, begun.length).equals(begun)) return TAKEN;
    await file.chmod(0o600);
    await file.writeFile(content.subarray(begun.length));
    await file.sync();
    return undefined;
  } catch (thrown) {
    return systemReason(thrown);
  } finally {
    await file?.close();
  }
}

/**
 * Replaces a file as a whole, so that a reader sees the old one or the new one.
 * Returns why it was not replaced.
 */
export function replaceFile(
  path: string,
  text: string,
): Promise<string | undefined> {
  return publish(path, text, rename);
}

/**
 * Writes a draft next to a file, which then takes its name, and the mode of the
 * file that had it. Returns why it did not.
 */
async function publish(
  path: string,
  text: string,
  place: (draft: string, path: string) => Promise<void>,
): Promise<string | undefined> {
  const mark = `${process.pid}-${process.hrtime.bigint()}`;
  const draft = join(dirname(path), `.${basename(path)}.${mark}`);
  try {
    const replaced = await stat(path).catch(() => undefined);
    await writeFile(draft, text, { flag: 'wx', flush: true });
    // Whatever the umask.
    if (replaced !== undefined) await chmod(draft, replaced.mode & 0o777);
    await place(draft, path);
    return undefined;
  } catch (thrown) {
    const isTaken = errorCode(thrown) === 'EEXIST';
    return isTaken ? TAKEN : systemReason(thrown);
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}
