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

/**
 * Writes a file below a folder: whole or not at all, through no link, and in place of nothing unless `isRenewed`. Makes the
 * folders on its way. Returns why it was not written.
 */
export async function writeFileWithin(
  folder: string,
  path: string,
  text: string,
  {
    mode = 0o666,
    isRenewed = false,
  }: { readonly mode?: number; readonly isRenewed?: boolean } = {},
): Promise<string | undefined> {
  const target = join(folder, path);
  try {
    await mkdir(dirname(target), { recursive: true });
    if (
      (await realpath(dirname(target))) !==
      join(await realpath(folder), dirname(path))
    )
      return 'a link leads out of its folder';
  } catch (thrown) {
    return systemReason(thrown);
  }
  // Unlike a rename, a link fails if something has the name.
  return publish(target, text, isRenewed ? rename : link, mode);
}

/** Replaces a file as a whole, and keeps its mode: a reader sees the old one or the new one. Returns why it was not. */
export async function replaceFile(
  path: string,
  text: string,
): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return publish(path, text, rename, 0o666, found?.mode);
}

/** Writes a draft beside a file, which then takes its name. A mode that is `kept` counts whatever the umask. */
async function publish(
  path: string,
  text: string,
  place: typeof rename,
  mode: number,
  kept?: number,
) {
  const draft = join(
    dirname(path),
    `.${basename(path)}.${process.pid}-${process.hrtime.bigint()}`,
  );
  try {
    await writeFile(draft, text, { flag: 'wx', mode, flush: true });
    if (kept !== undefined) await chmod(draft, kept & 0o777);
    await place(draft, path);
    return undefined;
  } catch (thrown) {
    return errorCode(thrown) === 'EEXIST'
      ? 'there is such a file'
      : systemReason(thrown);
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}
