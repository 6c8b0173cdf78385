import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** The root of the git work tree that a folder is in; undefined outside of one. */
export async function gitRoot(folder: string): Promise<string | undefined> {
  if ((await stat(join(folder, '.git')).catch(() => undefined)) !== undefined)
    return folder;
  const above = dirname(folder);
  return above === folder ? undefined : gitRoot(above);
}

/** Whether a path is `.git` or leads through it: git's own files decide what it runs, and may hold credentials. */
export function isOfGit(path: string): boolean {
  return path
    .split(/[\\/]/)
    .some((segment) => segment.toLowerCase() === '.git');
}

/** Whether a path is below a folder; both absolute, with their links resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return (
    isAbsolute(path) &&
    way !== '' &&
    way.split(sep)[0] !== '..' &&
    !isAbsolute(way)
  );
}

/** A path with its links resolved; those of the folders that are there, if there is no such file yet. */
export async function realPath(absolute: string): Promise<string> {
  const found = await realpath(absolute).catch(() => undefined);
  const folder = dirname(absolute);
  return (
    found ??
    (folder === absolute
      ? absolute
      : join(await realPath(folder), basename(absolute)))
  );
}
