import { link, lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
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
  try {
    await mkdir(dirname(target), { recursive: true });
    if ((await realpath(dirname(target))) !== join(await realpath(folder), dirname(path)))
      return 'a link leads out of its folder';
  } catch (thrown) {
    return systemReason(thrown);
  }
  // Unlike a rename, a link fails if something has the name.
  return publish(target, text, { mode, place: isRenewed ? rename : link });
}

/** Replaces a file as a whole, and keeps its mode: a reader sees the old one or the new one. Returns why it was not. */
export async function replaceFile(path: string, text: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return publish(path, text, { mode: 0o666, kept: found?.mode, place: rename });
}

interface Publication {
  readonly mode: number;
  /** The mode that it has whatever the umask. */
  readonly kept?: number | undefined;
  readonly place: typeof rename;
}

/** Writes a draft beside a file, which then takes its name. */
async function publish(path: string, text: string, manner: Publication): Promise<string | undefined> {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}-${process.hrtime.bigint()}`);
  try {
    const file = await open(draft, 'wx', manner.mode);
    try {
      await file.writeFile(text);
      if (manner.kept !== undefined) await file.chmod(manner.kept & 0o777);
      await file.sync();
    } finally {
      await file.close();
    }
    await manner.place(draft, path);
    return undefined;
  } catch (thrown) {
    return errorCode(thrown) === 'EEXIST' ? 'there is such a file' : systemReason(thrown);
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

/** Whether something has a path, wherever it leads. */
export function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
