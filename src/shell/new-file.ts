import {
  chmod,
  link,
  mkdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, systemReason } from './failure.ts';

interface FileOptions {
  /** The mode of a new file before the umask. */
  readonly mode?: number | undefined;
  /** True if the file may replace one. */
  readonly isRenewed?: boolean | undefined;
}

/**
 * Writes a file below a folder, whole or not at all, and through no link. Makes
 * the folders on its way. Returns why it was not written.
 */
export async function writeFileWithin(
  folder: string,
  path: string,
  text: string,
  options: FileOptions = {},
): Promise<string | undefined> {
  const { mode = 0o666, isRenewed = false } = options;
  const target = join(folder, path);
  try {
    const parent = dirname(target);
    await makeFolder(parent);
    const expected = join(await realpath(folder), dirname(path));
    if ((await realpath(parent)) !== expected) {
      return 'a link leads out of its folder';
    }
  } catch (thrown) {
    return systemReason(thrown);
  }
  // Unlike a rename, a link fails if something has the name.
  const place = isRenewed ? rename : link;
  return publish({ path: target, text, mode, place });
}

/**
 * Makes a folder and those above it. What Node has for it says of a read-only
 * file system that there is no such folder.
 */
async function makeFolder(folder: string): Promise<void> {
  const status = await stat(folder).catch(() => undefined);
  if (status !== undefined) return;
  await makeFolder(dirname(folder));
  try {
    await mkdir(folder);
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST') throw thrown;
  }
}

/**
 * Replaces a file as a whole, so that a reader sees the old one or the new one.
 * Keeps its mode. Returns why it was not replaced.
 */
export async function replaceFile(
  path: string,
  text: string,
): Promise<string | undefined> {
  const status = await stat(path).catch(() => undefined);
  const keptMode = status?.mode;
  return publish({ path, text, mode: 0o666, keptMode, place: rename });
}

interface Publication {
  readonly path: string;
  readonly text: string;
  /** The mode before the umask. */
  readonly mode: number;
  /** The mode of the file that is replaced, whatever the umask. */
  readonly keptMode?: number | undefined;
  /** Gives the draft its name. */
  readonly place: (draft: string, path: string) => Promise<void>;
}

/** Writes a draft next to a file, which then takes its name. */
async function publish(publication: Publication): Promise<string | undefined> {
  const { path, text, mode, keptMode, place } = publication;
  const mark = `${process.pid}-${process.hrtime.bigint()}`;
  const draft = join(dirname(path), `.${basename(path)}.${mark}`);
  try {
    await writeFile(draft, text, { flag: 'wx', mode, flush: true });
    if (keptMode !== undefined) await chmod(draft, keptMode & 0o777);
    await place(draft, path);
    return undefined;
  } catch (thrown) {
    const isTaken = errorCode(thrown) === 'EEXIST';
    return isTaken ? 'there is such a file' : systemReason(thrown);
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}
