import { constants, type FileHandle, open, realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileText } from '../../core/config/references.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { isPasswordFile } from '../../core/model/own-credential.ts';
import type { Place } from '../../core/model/place.ts';
import { present } from '../../core/model/present.ts';
import { errorCode, systemReason } from '../failure.ts';
import { isInside, isOfGit, refuseReportOnto } from '../report-target.ts';
import type { Run } from '../run.ts';

/** Why a file is not read, with the remedy where there is one; `size` if it is too large. */
export interface Unread {
  readonly reason: string;
  readonly hint?: string;
  readonly size?: number;
  /** The code of the system, if it was the system that refused. */
  readonly code?: string;
}

/** What a file may be. */
export interface Bounds {
  /** Its largest size in bytes. */
  readonly most: number;
  /**
   * The folder that it must be in after links are resolved, where YAML names it: then it is neither one of git nor one that
   * holds a password of setpoint. Anywhere, where a person named it by a flag.
   */
  readonly root?: string | undefined;
}

/** What of a run decides which files it may read. */
type Reader = Pick<Run, 'reportFiles'> & Partial<Pick<Run, 'runtime'>>;

/** The largest file that a reference or a variable may name, in bytes. */
export const LARGEST_TEXT = 64 * 1024;

/** A pipe is opened without its writer, a link is not followed, and a terminal does not become that of the process. */
const READ_AT_ONCE =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NOCTTY ?? 0);

const NOT_REGULAR: Unread = {
  reason: 'it is not a regular file',
  hint: 'Name a file on a disk: folders, pipes, sockets, devices and what the system makes up are not read.',
};

/** What has left the root. The reason says nothing of what is there. */
export const OUTSIDE: Unread = {
  reason: 'it is outside the configuration folder',
  hint: 'Move it there, in place of a link: only flags may name files elsewhere.',
};

/** The only way to a file that a flag, a variable or YAML names. It never waits, and reads no report of this run. */
export async function readRegularFile(
  run: Reader,
  path: string,
  { most, root }: Bounds,
): Promise<{ readonly bytes: Buffer } | Unread> {
  await refuseReportOnto(run.reportFiles, path);
  try {
    const real = await realpath(path);
    const refused = root === undefined ? undefined : await refusedIn(run, root, path, real);
    return refused ?? (await readReal(real, most));
  } catch (thrown) {
    return UNOPENED.has(errorCode(thrown) ?? '') ? NOT_REGULAR : systemUnread(thrown);
  }
}

/** Why the system does not let a file be read, with the remedy where there is one. */
export function systemUnread(thrown: unknown): Unread {
  const code = errorCode(thrown);
  const hint = code === undefined ? undefined : HINTS[code];
  return { reason: systemReason(thrown), ...present({ code, hint }) };
}

const MAY_READ = 'Let the account that runs setpoint read it, and enter each folder on the way to it.';

const HINTS: Readonly<Record<string, string>> = {
  EACCES: MAY_READ,
  EPERM: MAY_READ,
  EISDIR: 'Name a file in it.',
  ELOOP: 'Put the file itself in place of the link.',
  EMFILE: 'Raise the limit of open files: ulimit -n 4096.',
};

/** What systems answer to who opens a socket, or a device that is not there. */
const UNOPENED = new Set(['ENXIO', 'ENODEV', 'ENOTSUP', 'EOPNOTSUPP']);

/** Why YAML may not name a file. */
async function refusedIn(run: Reader, root: string, path: string, real: string): Promise<Unread | undefined> {
  const base = await realpath(root);
  if (!isInside(base, real)) return OUTSIDE;
  if ([relative(root, path), relative(base, real)].some(isOfGit)) return { reason: 'it belongs to git' };
  const isPassword = (await passwordFilesOf(run)).includes(real);
  return isPassword ? { reason: 'it holds a password of setpoint itself' } : undefined;
}

async function readReal(real: string, most: number): Promise<{ readonly bytes: Buffer } | Unread> {
  // The system says of what it makes up there that it is a regular file of no bytes.
  if (/^\/(proc|sys)\//.test(real)) return NOT_REGULAR;
  const file = await open(real, READ_AT_ONCE);
  try {
    const found = await file.stat();
    if (!found.isFile()) return NOT_REGULAR;
    if (found.size > most) return tooLarge(found.size, most);
    const bytes = await readUpTo(file, most + 1, found.size);
    return bytes.length > most ? tooLarge(bytes.length, most) : { bytes };
  } finally {
    await file.close();
  }
}

/** The files of setpoint's own passwords, links resolved. */
async function passwordFilesOf({ runtime }: Reader): Promise<string[]> {
  const { env, cwd } = runtime ?? { env: {}, cwd: '' };
  const named = Object.entries(env).flatMap(([name, path]) => (path && isPasswordFile(name) ? [path] : []));
  return Promise.all(named.map((path) => realpath(resolve(cwd, path)).catch(() => resolve(cwd, path))));
}

/** Reads to the end or to a limit, because the size of a file may be wrong or grow. */
async function readUpTo(file: FileHandle, most: number, size: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let left = most; left > 0; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(left, Math.max(size, 4096) + 1)));
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    left -= bytesRead;
  }
  return Buffer.concat(chunks);
}

/** The finding for a file that is not read. */
export function unreadable(path: string, { reason, hint }: Unread, place?: Place): Diagnostic {
  return diagnostic('file-unreadable', { path, reason, ...present({ hint }) }, place);
}

/** Reads a regular file of at most 64 KiB as UTF-8 text, without one newline at its end. */
export async function readSmallText(
  run: Reader,
  path: string,
  bounds: Omit<Bounds, 'most'> = {},
): Promise<{ readonly text: string } | Unread> {
  const content = await readRegularFile(run, path, { ...bounds, most: LARGEST_TEXT });
  if ('reason' in content) return content;
  const text = utf8(content.bytes);
  return text === undefined ? { reason: 'it is not UTF-8 text' } : { text: fileText(text) };
}

/** Bytes as text without a byte order mark; undefined where they are not UTF-8. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Refuses a file for its size. */
export function tooLarge(size: number, most: number): Unread {
  const hint = 'Look whether it is the file that you mean, or split it.';
  return { reason: `it has more than ${most} bytes`, hint, size };
}
