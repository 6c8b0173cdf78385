import {
  existsSync,
  lstatSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/**
 * Finds the root of the git work tree that a folder is in; undefined outside of
 * one.
 */
export function gitRoot(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
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
 * is no such file yet, or if it is a pipe that a shell passes.
 */
export function realPath(absolute: string): string {
  try {
    return realpathSync.native(absolute);
  } catch {
    const folder = dirname(absolute);
    if (folder === absolute) return absolute;
    return join(realPath(folder), basename(absolute));
  }
}

/** True for a file or a folder, also for a link that leads nowhere. */
export function isThere(path: string): boolean {
  return statsOf(path, lstatSync) !== undefined;
}

/** What the system knows of a file; undefined if there is nothing to find. */
export function statsOf(
  path: string,
  read: (path: string) => Stats = statSync,
): Stats | undefined {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}

/** Quotes a word for a POSIX shell. */
export function quoted(word: string): string {
  if (/^[\w./:@%+=,-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
