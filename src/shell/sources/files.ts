import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Unread } from '../../core/config/resolve.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import type { Place } from '../../core/model/place.ts';
import { errorCode, Failure, systemReason } from '../failure.ts';
import { gitRoot, isInside, isOfGit, quoted, statsOf } from '../paths.ts';
import { refuseReportOnto } from '../reports.ts';
import type { Run } from '../run.ts';

/** The file at the root of a configuration repository. */
export const PROJECT_FILE = 'setpoint.yaml';

/** The text of a file in UTF-8, and the byte order mark before it. */
export interface FileText {
  text: string;
  mark: string;
}

/** The most bytes of a file, unless it has a limit of its own. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The limits of a file. */
interface Bounds {
  /** Its largest size in bytes. */
  most?: number | undefined;
  /**
   * The folder that it must be in if YAML names it; what a flag or a variable
   * names may be anywhere, and a pipe.
   */
  root?: string | undefined;
  /** Whether it is read for the secrets in it. */
  isOfSecrets?: boolean | undefined;
}

/**
 * Where configuration is read: the work tree, or a commit. Paths are absolute,
 * in the work tree for both.
 */
export interface FileSource {
  /** The ref of the commit; undefined for the work tree. */
  ref?: string | undefined;
  /**
   * Lists a file itself, or the files in a folder and below it. No link to a
   * folder is followed.
   */
  list: (path: string, root?: string) => Promise<readonly string[] | Unread>;
  read: (run: Run, path: string, bounds: Bounds) => Promise<FileText | Unread>;
  /** Names a path in findings. */
  shownPath: (path: string, cwd: string) => string;
}

/** The files of the work tree, or of any other folder. */
export const WORK_TREE: FileSource = {
  list: listFiles,
  read: readTextFile,
  shownPath,
};

async function listFiles(
  path: string,
  root: string = path,
): Promise<readonly string[] | Unread> {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const real = realpathSync.native(path);
    const base = realpathSync.native(root);
    if (real !== base && !isInside(base, real)) return OUTSIDE;
    // With their types, links to folders are not followed.
    const options = { recursive: true, withFileTypes: true } as const;
    const files: string[] = [];
    for (const entry of readdirSync(path, options)) {
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
export function configRoot(path: string): string {
  const isFolder = statsOf(path)?.isDirectory() === true;
  const folder = isFolder ? path : dirname(path);
  return gitRoot(folder) ?? folder;
}

/**
 * Finds the same for a file that a flag names. What a shell passes counts as a
 * file of the working directory.
 */
export function flagRoot(cwd: string, path: string): string {
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

/** Waits for nothing, and takes no terminal. */
const AT_ONCE =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

const NOT_REGULAR: Unread = { reason: 'it is not a regular file' };

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
  bounds: Bounds = {},
): Promise<FileText | Unread> {
  const { most = MOST_BYTES, root } = bounds;
  refuseReportOnto(run.outputFiles, path);
  try {
    if (root === undefined && statSync(path).isFIFO()) {
      // Another reading of the same pipe has the same text.
      const reading = run.pipes.get(path) ?? readPipe(run, path, most);
      run.pipes.set(path, reading);
      return decodedText(await reading, bounds);
    }
    const real = realpathSync.native(path);
    const refused = refusedIn(run, bounds, path, real);
    return refused ?? readReal(real, bounds);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    const isAbsent = errorCode(thrown) === 'ENOENT';
    const mayTell = root === undefined || isInside(root, path);
    return isAbsent && !mayTell ? OUTSIDE : systemUnread(thrown);
  }
}

/**
 * Finds why YAML may not name a file; nothing without a root, since then a flag
 * names it.
 */
function refusedIn(
  run: Run,
  { root, isOfSecrets }: Bounds,
  path: string,
  real: string,
): Unread | undefined {
  if (root === undefined) return undefined;
  const base = realpathSync.native(root);
  if (!isInside(base, real)) return OUTSIDE;
  if (isOfGit(relative(root, path)) || isOfGit(relative(base, real))) {
    return { reason: 'it belongs to git' };
  }
  if (isOfSecrets === true || !run.secretFiles.has(real)) return undefined;
  const hint = 'A reference names one secret: ${env:NAME}.';
  return { reason: 'it holds secrets of a server or of setpoint itself', hint };
}

/** Reads a file at once: waiting for each step of many small ones is slow. */
function readReal(real: string, bounds: Bounds): FileText | Unread {
  // These files have no size, and may never end.
  if (/^\/(proc|sys)\//.test(real)) return NOT_REGULAR;
  const file = openSync(real, AT_ONCE | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return NOT_REGULAR;
    const { most = MOST_BYTES } = bounds;
    if (stats.size > most) return tooLarge(most);
    return decodedText(readFileSync(file), bounds);
  } finally {
    closeSync(file);
  }
}

/** Words why the system does not let a file be read. */
function systemUnread(thrown: unknown): Unread {
  return { reason: systemReason(thrown), code: errorCode(thrown) };
}

/** Makes the finding for a file that is not read. */
export function unreadable(
  path: string,
  { reason, hint }: Unread,
  place?: Place,
): Diagnostic {
  return diagnostic('file-unreadable', { path, reason, hint }, place);
}

/** Decodes the text of a file, unless it has too many bytes. */
export function decodedText(
  bytes: Uint8Array,
  { most = MOST_BYTES }: Bounds,
): FileText | Unread {
  if (bytes.length > most) return tooLarge(most);
  try {
    const text = UTF_8.decode(bytes);
    const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
    return { text: text.slice(mark.length), mark };
  } catch {
    return NO_TEXT;
  }
}

function tooLarge(most: number): Unread {
  return { reason: `it has more than ${most} bytes` };
}

const NO_TEXT: Unread = {
  reason: 'it is not UTF-8 text',
  hint: 'Save it as UTF-8; if git-crypt locks it: git-crypt unlock.',
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
  const fd = openSync(absolute, AT_ONCE);
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
    interruption.check();
    throw thrown;
  } finally {
    socket.destroy();
  }
  return Buffer.concat(chunks).subarray(0, most + 1);
}
