import { constants, open, realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/json.ts';
import { isPasswordFile } from '../../core/model/own-credential.ts';
import type { Place } from '../../core/model/place.ts';
import { errorCode, systemReason } from '../failure.ts';
import { isInside, isOfGit, realPath, refuseReportOnto } from '../report-target.ts';
import type { Run } from '../run.ts';

/** Why a file is not read, with the remedy if there is one. */
export interface Unread {
  readonly reason: string;
  readonly hint?: string;
  /** The code of the system; `EFBIG` if the file is too large. */
  readonly code?: string;
}

/** What a file may be. */
export interface Bounds {
  /** Its largest size in bytes. */
  readonly most: number;
  /** The folder that it must be in if YAML names it; a file that a flag names may be anywhere. */
  readonly root?: string | undefined;
}

/** The parts of a run that decide which files it may read. */
type Reader = Pick<Run, 'reportFiles'> & Partial<Pick<Run, 'runtime'>>;

/** The largest file that a reference or a variable may name, in bytes. */
export const LARGEST_TEXT = 64 * 1024;

/** Opens a pipe without its writer, follows no link, and takes no terminal. */
const READ_AT_ONCE =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NOCTTY ?? 0);

const NOT_REGULAR: Unread = {
  reason: 'it is not a regular file',
  hint: 'Name a file on a disk: folders, pipes, sockets and devices are not read.',
};

/** Refuses a file outside of the root without a word about what is there. */
export const OUTSIDE: Unread = {
  reason: 'it is outside the configuration folder',
  hint: 'Move it there, in place of a link: only flags may name files elsewhere.',
};

/** Reads a file that a flag, a variable or YAML names. Never waits, and reads no report of this run. */
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
    return systemUnread(thrown);
  }
}

/** Says why the system does not let a file be read. */
export function systemUnread(thrown: unknown): Unread {
  const code = errorCode(thrown) ?? '';
  // Systems answer so if a socket is opened.
  if (code === 'ENXIO' || code === 'EOPNOTSUPP') return NOT_REGULAR;
  return { reason: systemReason(thrown), code, ...present({ hint: HINTS[code] }) };
}

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'Let the account that runs setpoint read it, and enter each folder on the way to it.',
  ELOOP: 'Put the file itself in place of the link.',
};

/** Why YAML may not name a file. */
async function refusedIn(run: Reader, root: string, path: string, real: string): Promise<Unread | undefined> {
  const base = await realpath(root);
  if (!isInside(base, real)) return OUTSIDE;
  if ([relative(root, path), relative(base, real)].some(isOfGit)) return { reason: 'it belongs to git' };
  const isPassword = (await passwordFilesOf(run)).includes(real);
  return isPassword ? { reason: 'it holds a password of setpoint itself' } : undefined;
}

async function readReal(real: string, most: number): Promise<{ readonly bytes: Buffer } | Unread> {
  // These files have no size, and may never end.
  if (/^\/(proc|sys)\//.test(real)) return NOT_REGULAR;
  const file = await open(real, READ_AT_ONCE);
  try {
    const found = await file.stat();
    if (!found.isFile()) return NOT_REGULAR;
    return found.size > most ? tooLarge(most) : { bytes: await file.readFile() };
  } finally {
    await file.close();
  }
}

/** The files of setpoint's own passwords, links resolved. */
async function passwordFilesOf({ runtime }: Reader): Promise<string[]> {
  const { env, cwd } = runtime ?? { env: {}, cwd: '' };
  const named = Object.entries(env).flatMap(([name, path]) => (path && isPasswordFile(name) ? [path] : []));
  return Promise.all(named.map((path) => realPath(resolve(cwd, path))));
}

/** The finding for a file that is not read. */
export function unreadable(path: string, { reason, hint }: Unread, place?: Place): Diagnostic {
  return diagnostic('file-unreadable', { path, reason, ...present({ hint }) }, place);
}

/** Reads a regular file of at most 64 KiB as UTF-8 text. */
export async function readSmallText(
  run: Reader,
  path: string,
  root?: string,
): Promise<{ readonly text: string } | Unread> {
  const content = await readRegularFile(run, path, { root, most: LARGEST_TEXT });
  if ('reason' in content) return content;
  const text = utf8(content.bytes);
  return text === undefined ? { reason: 'it is not UTF-8 text' } : { text };
}

/** Decodes UTF-8 without its byte order mark; undefined for other bytes. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes JSON, without a byte order mark; undefined for other text. */
export function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Refuses a file for its size. */
export function tooLarge(most: number): Unread {
  const hint = 'Look whether it is the file that you mean, or split it.';
  return { reason: `it has more than ${most} bytes`, hint, code: 'EFBIG' };
}
