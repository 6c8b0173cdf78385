// Loaded when a file is written: most runs write none.
import { promises as fs } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemReason } from './failure.ts';

interface FileOptions {
  /** True if the file may replace one. */
  isRenewed?: boolean | undefined;
}

/**
 * Writes a file below a folder, through no link; whole or not at all. Makes the
 * folders on its way. Returns why it was not written.
 */
export async function writeFileWithin(
  folder: string,
  path: string,
  text: string,
  { isRenewed = false }: FileOptions = {},
): Promise<string | undefined> {
  const target = join(folder, path);
  try {
    const parent = dirname(target);
    await fs.mkdir(parent, { recursive: true });
    const expected = join(await fs.realpath(folder), dirname(path));
    if ((await fs.realpath(parent)) !== expected) {
      return 'a link leads out of its folder';
    }
  } catch (thrown) {
    return systemReason(thrown);
  }
  // Unlike a rename, a link fails if something has the name.
  return publish(target, text, isRenewed ? fs.rename : fs.link);
}

/**
 * Writes a new file that its owner alone may read, under no other name: git
 * need not ignore a draft. Returns why it was not written.
 */
export async function writeSecretFile(
  path: string,
  text: string,
): Promise<string | undefined> {
  try {
    await fs.mkdir(dirname(path), { recursive: true });
    await fs.writeFile(path, text, { flag: 'wx', mode: 0o600, flush: true });
    return undefined;
  } catch (thrown) {
    return systemReason(thrown);
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
  return publish(path, text, fs.rename);
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
    const replaced = await fs.stat(path).catch(() => undefined);
    await fs.writeFile(draft, text, { flag: 'wx', flush: true });
    // Whatever the umask.
    if (replaced !== undefined) await fs.chmod(draft, replaced.mode & 0o777);
    await place(draft, path);
    return undefined;
  } catch (thrown) {
    return systemReason(thrown);
  } finally {
    await fs.rm(draft, { force: true }).catch(() => {});
  }
}
