import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/**
 * Finds the root of the git work tree that a folder is in; undefined outside of
 * one.
 */
export async function gitRoot(folder: string): Promise<string | undefined> {
  const git = await stat(join(folder, '.git')).catch(() => undefined);
  if (git !== undefined) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : gitRoot(above);
}

/**
 * True for `.git` and what is below: git's own files decide what it runs, and
 * may hold credentials.
 */
export function isOfGit(path: string): boolean {
  return /(?:^|[\\/])\.git(?:$|[\\/])/i.test(path);
}

/** True for a path below a folder; both absolute, with their links resolved. */
export function isInside(folder: string, path: string): boolean {
  if (!isAbsolute(path)) return false;
  const way = relative(folder, path);
  if (way === '' || isAbsolute(way)) return false;
  return way.split(sep)[0] !== '..';
}

/**
 * Resolves the links of a path; those of the folders that are there, if there
 * is no such file yet.
 */
export async function realPath(absolute: string): Promise<string> {
  const real = await realpath(absolute).catch(() => undefined);
  if (real !== undefined) return real;
  const folder = dirname(absolute);
  if (folder === absolute) return absolute;
  return join(await realPath(folder), basename(absolute));
}

/** True for a file or a folder, also for a link that leads nowhere. */
export async function isThere(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined;
}

/** Quotes a word for a POSIX shell. */
export function quoted(word: string): string {
  if (/^[\w./:@%+=,-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
