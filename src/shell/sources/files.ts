import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  realpathSync,
} from 'node:fs';
import { constants, lstat, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Unread } from '../../core/config/resolve.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { isOwnCredential } from '../../core/model/own-credential.ts';
import type { Place } from '../../core/model/place.ts';
import { errorCode, Failure, fail, systemReason } from '../failure.ts';
import { gitRoot, isInside, isOfGit, quoted, realPath } from '../paths.ts';
import { refuseReportOnto } from '../reports.ts';
import type { Run } from '../run.ts';

/** The file at the root of a configuration repository. */
export const PROJECT_FILE = 'setpoint.yaml';

/** The text of a file in UTF-8, and the byte order mark before it. */
export interface FileText {
  readonly text: string;
  readonly mark: string;
}

/** The limits of a file. */
interface Bounds {
  /** Its largest size in bytes. */
  readonly most: number;
  /**
   * The folder that it must be in if YAML names it; a file that a flag names
   * may be anywhere.
   */
  readonly root?: string | undefined;
  /** Whether it is read for the secrets in it. */
  readonly isOfSecrets?: boolean | undefined;
  /** Whether it may be a pipe: a flag names it. */
  readonly mayBePipe?: boolean | undefined;
}

/**
 * Where configuration is read: the work tree, or a commit. Paths are absolute,
 * in the work tree for both.
 */
export interface FileSource {
  /** The ref of the commit; undefined for the work tree. */
  readonly ref?: string | undefined;
  /**
   * Lists a file itself, or the files in a folder, with those below it if
   * `isDeep`. No link to a folder is followed.
   */
  readonly list: (
    path: string,
    root: string | undefined,
    isDeep: boolean,
  ) => Promise<readonly string[] | Unread>;
  readonly read: (
    run: Run,
    path: string,
    bounds: Bounds,
  ) => Promise<FileText | Unread>;
  /** Names a path in findings. */
  readonly shownPath: (path: string, cwd: string) => string;
}

/** The files of the work tree, or of any other folder. */
export const WORK_TREE: FileSource = {
  list: listFiles,
  read: readTextFile,
  shownPath,
};

async function listFiles(
  path: string,
  root: string | undefined,
  isDeep: boolean,
): Promise<readonly string[] | Unread> {
  try {
    const stats = await stat(path);
    if (!stats.isDirectory()) return [path];
    const real = await realpath(path);
    const base = await realpath(root ?? path);
    if (real !== base && !isInside(base, real)) return OUTSIDE;
    // With their types, links to folders are not followed.
    const options = { recursive: isDeep, withFileTypes: true } as const;
    const files: string[] = [];
    for (const entry of await readdir(path, options)) {
      if (!entry.isDirectory()) files.push(join(entry.parentPath, entry.name));
    }
    return files;
  } catch (thrown) {
    return systemUnread(thrown);
  }
}

/**
 * Finds the folder that `file` references stay in: the git root above a path,
 * else the folder that it is or is in.
 */
export async function configRoot(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  const folder = stats?.isDirectory() === true ? path : dirname(path);
  return (await gitRoot(folder)) ?? folder;
}

/**
 * Finds the same for a file that a flag names. What a shell passes counts as a
 * file of the working directory.
 */
export function flagRoot(cwd: string, path: string): Promise<string> {
  const absolute = resolve(cwd, path);
  return configRoot(isOfShell(absolute) ? cwd : absolute);
}

/**
 * Shows a path as people would type it: relative to the working directory, with
 * forward slashes.
 */
export function shownPath(absolute: string, cwd: string): string {
  if (isOfShell(absolute)) return absolute;
  return relative(cwd, absolute).split(sep).join('/');
}

/**
 * Quotes a path as one word for a POSIX shell, which no command takes for an
 * option.
 */
export function shellWord(path: string): string {
  return quoted(path.replace(/^-/, './-'));
}

/** Waits for nothing, follows no link, and takes no terminal. */
const READ_AT_ONCE =
  constants.O_RDONLY |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NOCTTY ?? 0);

const NOT_REGULAR: Unread = {
  reason: 'it is not a regular file',
  hint: 'Name a file on a disk: folders, sockets and devices are not read, and pipes only if a flag names them.',
};

/** Refuses a file outside of the root, and does not tell whether it exists. */
export const OUTSIDE: Unread = {
  reason: 'it is outside the configuration folder',
  hint: 'Move it there, in place of a link: only flags may name files elsewhere.',
};

/**
 * Reads a file that a flag, a variable or YAML names. Waits only for pipes, and
 * reads no report of this run.
 */
export async function readTextFile(
  run: Run,
  path: string,
  bounds: Bounds,
): Promise<FileText | Unread> {
  await refuseReportOnto(run.reportFiles, path);
  try {
    const { most, mayBePipe = false } = bounds;
    if (mayBePipe && (await isPipe(path))) {
      // Another reading of the same pipe has the same text.
      const reading = run.pipes.get(path) ?? readPipe(run, path, most);
      run.pipes.set(path, reading);
      return textOf(await reading, bounds);
    }
    const real = realpathSync.native(path);
    const refused = await refusedIn(run, bounds, path, real);
    return refused ?? readReal(real, bounds);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    if (errorCode(thrown) !== 'ENOENT') return systemUnread(thrown);
    const { root } = bounds;
    if (root !== undefined && !isInside(root, path)) return OUTSIDE;
    // A link to a pipe leads to no path.
    const stats = await stat(path).catch(() => undefined);
    const isOther = root === undefined && stats !== undefined;
    return isOther ? NOT_REGULAR : systemUnread(thrown);
  }
}

/**
 * Finds why YAML may not name a file; nothing without a root, since then a flag
 * names it.
 */
async function refusedIn(
  run: Run,
  { root, isOfSecrets }: Bounds,
  path: string,
  real: string,
): Promise<Unread | undefined> {
  if (root === undefined) return undefined;
  const base = realpathSync.native(root);
  if (!isInside(base, real)) return OUTSIDE;
  if (isOfGit(path) || isOfGit(real)) {
    // A root may itself be below such a folder.
    const ways = [relative(root, path), relative(base, real)];
    if (ways.some(isOfGit)) return { reason: 'it belongs to git' };
  }
  const passwords = PASSWORD_FILES.get(run) ?? findPasswordFiles(run);
  PASSWORD_FILES.set(run, passwords);
  if ((await passwords).has(real)) {
    return { reason: 'it holds a password of setpoint itself' };
  }
  if (isOfSecrets === true || !run.secretFiles.has(real)) return undefined;
  const hint = 'Name one variable of it: ${env:NAME}.';
  return { reason: 'it holds the secrets of a server', hint };
}

/** Looked up for each file that is read, so searched for only once a run. */
const PASSWORD_FILES = new WeakMap<Run, Promise<ReadonlySet<string>>>();

/** Finds the real paths of the files that variables name for passwords. */
async function findPasswordFiles({
  runtime: { env, cwd },
}: Run): Promise<ReadonlySet<string>> {
  const paths: Promise<string>[] = [];
  // Each value of an environment is slow to read; its names are not.
  for (const name of Object.keys(env)) {
    if (!/_FILE$/i.test(name) || !isOwnCredential(name)) continue;
    const file = env[name];
    if (file) paths.push(realPath(resolve(cwd, file)));
  }
  return new Set(await Promise.all(paths));
}

/** Reads a file at once: waiting for each step of many small ones is slow. */
function readReal(real: string, bounds: Bounds): FileText | Unread {
  // These files have no size, and may never end.
  if (/^\/(proc|sys)\//.test(real)) return NOT_REGULAR;
  const file = openSync(real, READ_AT_ONCE);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return NOT_REGULAR;
    if (stats.size > bounds.most) return tooLarge(bounds);
    return textOf(readFileSync(file), bounds);
  } finally {
    closeSync(file);
  }
}

/** Words why the system does not let a file be read. */
function systemUnread(thrown: unknown): Unread {
  const code = errorCode(thrown) ?? '';
  // Systems answer so if a socket is opened.
  if (code === 'ENXIO' || code === 'EOPNOTSUPP') return NOT_REGULAR;
  const reason = systemReason(thrown);
  if (code !== 'EACCES') return { reason, code };
  const hint = 'Let the account that runs setpoint read it, and its folders.';
  return { reason, code, hint };
}

/** Makes the finding for a file that is not read. */
export function unreadable(
  path: string,
  { reason, hint: remedy }: Unread,
  place?: Place,
): Diagnostic {
  const hint = path === '-' ? 'To read stdin, name /dev/stdin.' : remedy;
  return diagnostic('file-unreadable', { path, reason, hint }, place);
}

/** Decodes the text of a file, unless it has too many bytes. */
export function textOf(bytes: Uint8Array, bounds: Bounds): FileText | Unread {
  if (bytes.length > bounds.most) return tooLarge(bounds);
  try {
    const text = UTF_8.decode(bytes);
    const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
    return { text: text.slice(mark.length), mark };
  } catch {
    const isLocked = Buffer.from(bytes)
      .subarray(0, LOCKED.length)
      .equals(LOCKED);
    return isLocked ? GIT_CRYPT : NO_TEXT;
  }
}

function tooLarge({ most }: Bounds): Unread {
  const hint = 'Look whether it is the file that you mean, or split it.';
  return { reason: `it has more than ${most} bytes`, hint, code: 'EFBIG' };
}

/** How a file begins that git-crypt has encrypted. */
const LOCKED = Buffer.from('\0GITCRYPT\0');

const GIT_CRYPT: Unread = {
  reason: 'it is locked by git-crypt',
  hint: 'Unlock the repository: git-crypt unlock.',
  code: 'EILSEQ',
};

const NO_TEXT: Unread = {
  reason: 'it is not UTF-8 text',
  hint: 'Save it as UTF-8.',
  code: 'EILSEQ',
};

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * True for a path that shells give to what they pass: `/dev/stdin`,
 * `/dev/fd/63`.
 */
export function isOfShell(absolute: string): boolean {
  return /^\/(dev|proc)\//.test(absolute);
}

/** True for the path of a pipe itself. Links in a repository lead to none. */
async function isPipe(absolute: string): Promise<boolean> {
  const reading = isOfShell(absolute) ? stat(absolute) : lstat(absolute);
  const stats = await reading.catch(() => undefined);
  return stats?.isFIFO() === true;
}

/** Opens a pipe that has no writer yet, too. */
const OPEN =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Reads a pipe up to its end, or up to one byte more than `most`. Waits for
 * its writer, but not longer than the run: its end is that of the reading.
 */
async function readPipe(
  run: Run,
  absolute: string,
  most: number,
): Promise<Uint8Array> {
  const { interruption } = run;
  interruption.check();
  const { Socket } = await import('node:net');
  const fd = openSync(absolute, OPEN);
  const signal = interruption.aborted;
  const socket = new Socket({ fd, readable: true, writable: false, signal });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of socket) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) break;
    }
  } catch (thrown) {
    // A run that ended while it waited names the pipe.
    const { expired } = interruption;
    if (expired?.code === 'timeout') {
      const request = `reading ${absolute}`;
      fail(diagnostic('timeout', { ...expired.facts, request }));
    }
    interruption.check();
    throw thrown;
  } finally {
    socket.destroy();
  }
  return Buffer.concat(chunks).subarray(0, most + 1);
}
