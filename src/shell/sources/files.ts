import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  realpathSync,
} from 'node:fs';
import { constants, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/json.ts';
import { isOwnCredential } from '../../core/model/own-credential.ts';
import type { Place } from '../../core/model/place.ts';
import { errorCode, Failure, systemReason } from '../failure.ts';
import { gitRoot, isInside, isOfGit, realPath } from '../paths.ts';
import { refuseReportOnto } from '../reports.ts';
import type { Run } from '../run.ts';
import { isOfShell, isPipe, readPipe } from './pipe.ts';

/** The file at the root of a configuration repository. */
export const PROJECT_FILE = 'setpoint.yaml';

/** Why a file is not read, with the remedy if there is one. */
export interface Unread {
  readonly reason: string;
  readonly hint?: string;
  /** The code of the system; `EFBIG` if the file is too large. */
  readonly code?: string;
}

/** The text of a file in UTF-8, and the byte order mark before it. */
interface FileText {
  readonly text: string;
  readonly mark: string;
}

/** What a file may be. */
interface Bounds {
  /** Its largest size in bytes. */
  readonly most: number;
  /** The folder that it must be in if YAML names it; a file that a flag names may be anywhere. */
  readonly root?: string | undefined;
  /** Whether it may be a pipe: a flag names it. */
  readonly mayBePipe?: boolean;
}

/** Where configuration is read: the work tree, or a commit. Paths are absolute, in the work tree for both. */
export interface FileSource {
  /** The ref of the commit; undefined for the work tree. */
  readonly ref?: string;
  /** A file itself, or the files in a folder, with those below it if `isDeep`. No link to a folder is followed. */
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
  /** A path as findings name it. */
  readonly shownPath: (path: string, cwd: string) => string;
}

/** The files of the work tree, or of any other folder. */
export const WORK_TREE: FileSource = {
  list: async (path, root, isDeep) => {
    try {
      if (!(await stat(path)).isDirectory()) return [path];
      const [real, base] = await Promise.all([
        realpath(path),
        realpath(root ?? path),
      ]);
      if (real !== base && !isInside(base, real)) return OUTSIDE;
      // With their types, links to folders are not followed.
      const entries = await readdir(path, {
        recursive: isDeep,
        withFileTypes: true,
      });
      return entries.flatMap((each) =>
        each.isDirectory() ? [] : join(each.parentPath, each.name),
      );
    } catch (thrown) {
      return systemUnread(thrown);
    }
  },
  read: readTextFile,
  shownPath,
};

/** The folder that `file` references stay in: the git root above a path, else the folder that it is or is in. */
export async function configRoot(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  const folder = found?.isDirectory() === true ? path : dirname(path);
  return (await gitRoot(folder)) ?? folder;
}

/** The same of a file that a flag names; what a shell passes counts as a file of the working directory. */
export function flagRoot(cwd: string, path: string): Promise<string> {
  const absolute = resolve(cwd, path);
  return configRoot(isOfShell(absolute) ? cwd : absolute);
}

/** A path as people would type it: relative to the working directory, with forward slashes. */
export function shownPath(absolute: string, cwd: string): string {
  if (isOfShell(absolute)) return absolute;
  return relative(cwd, absolute).split(sep).join('/');
}

/** A path as one word for a POSIX shell, which no command takes for an option. */
export function shellWord(path: string): string {
  const plain = path.replace(/^-/, './-');
  return /^[\w./:@%+=,-]+$/.test(plain)
    ? plain
    : `'${plain.replaceAll("'", "'\\''")}'`;
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

/** Refuses a file outside of the root without a word about what is there. */
export const OUTSIDE: Unread = {
  reason: 'it is outside the configuration folder',
  hint: 'Move it there, in place of a link: only flags may name files elsewhere.',
};

/** Reads a file that a flag, a variable or YAML names. Waits only for pipes, and reads no report of this run. */
export async function readTextFile(
  run: Run,
  path: string,
  bounds: Bounds,
): Promise<FileText | Unread> {
  const { root } = bounds;
  await refuseReportOnto(run.reportFiles, path);
  try {
    if (bounds.mayBePipe && (await isPipe(path)))
      return await readPipeText(run, path, bounds);
    const real = realpathSync.native(path);
    const refused =
      root === undefined ? undefined : await refusedIn(run, root, path, real);
    return refused ?? (await readReal(real, bounds));
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    // A link to a pipe leads to no path.
    const isOther = root === undefined && (await isThere(path));
    return isOther && errorCode(thrown) === 'ENOENT'
      ? NOT_REGULAR
      : systemUnread(thrown);
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Reads a pipe as text; one that was read before has the same text. */
async function readPipeText(
  run: Run,
  path: string,
  bounds: Bounds,
): Promise<FileText | Unread> {
  const reading = run.pipes.get(path) ?? readPipe(run, path, bounds.most);
  run.pipes.set(path, reading);
  const bytes = await reading;
  return textOf(bytes.length, bounds, async () => bytes);
}

/** Why YAML may not name a file. */
async function refusedIn(
  { runtime }: Run,
  root: string,
  path: string,
  real: string,
): Promise<Unread | undefined> {
  const base = realpathSync.native(root);
  if (!isInside(base, real)) return OUTSIDE;
  if (isOfGit(path) || isOfGit(real)) {
    // A root may itself be below such a folder.
    const ways = [relative(root, path), relative(base, real)];
    if (ways.some(isOfGit)) return { reason: 'it belongs to git' };
  }
  const passwords = await passwordFiles(runtime);
  if (!passwords.has(real)) return undefined;
  return { reason: 'it holds a password of setpoint itself' };
}

type Environment = Run['runtime']['env'];

/** The password files that environments name: each file that is read is compared with them. */
const PASSWORD_FILES = new WeakMap<Environment, Promise<ReadonlySet<string>>>();

/** The real paths of the files that hold passwords of setpoint itself. */
function passwordFiles({
  env,
  cwd,
}: Run['runtime']): Promise<ReadonlySet<string>> {
  const known = PASSWORD_FILES.get(env) ?? findPasswordFiles(env, cwd);
  PASSWORD_FILES.set(env, known);
  return known;
}

async function findPasswordFiles(
  env: Environment,
  cwd: string,
): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  for (const name of Object.keys(env)) {
    if (!/_FILE$/i.test(name) || !isOwnCredential(name)) continue;
    const file = env[name];
    if (file) files.add(await realPath(resolve(cwd, file)));
  }
  return files;
}

/** Reads a file at once: to wait for each step of many small ones takes longer. */
async function readReal(
  real: string,
  bounds: Bounds,
): Promise<FileText | Unread> {
  // These files have no size, and may never end.
  if (/^\/(proc|sys)\//.test(real)) return NOT_REGULAR;
  const file = openSync(real, READ_AT_ONCE);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) return NOT_REGULAR;
    return await textOf(found.size, bounds, async () => readFileSync(file));
  } finally {
    closeSync(file);
  }
}

/** Why the system does not let a file be read. */
function systemUnread(thrown: unknown): Unread {
  const code = errorCode(thrown) ?? '';
  // Systems answer so if a socket is opened.
  if (code === 'ENXIO' || code === 'EOPNOTSUPP') return NOT_REGULAR;
  const hint =
    code === 'EACCES'
      ? 'Let the account that runs setpoint read it, and its folders.'
      : undefined;
  return { reason: systemReason(thrown), code, ...present({ hint }) };
}

/** The finding for a file that is not read. */
export function unreadable(
  path: string,
  { reason, hint }: Unread,
  place?: Place,
): Diagnostic {
  return diagnostic(
    'file-unreadable',
    { path, reason, ...present({ hint }) },
    place,
  );
}

/** The text of a file of some bytes, which are read only if they are not too many. */
export async function textOf(
  size: number,
  { most }: Bounds,
  read: () => Promise<Uint8Array>,
): Promise<FileText | Unread> {
  if (size > most) {
    const hint = 'Look whether it is the file that you mean, or split it.';
    return { reason: `it has more than ${most} bytes`, hint, code: 'EFBIG' };
  }
  const bytes = await read();
  try {
    const text = UTF_8.decode(bytes);
    const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
    return { text: text.slice(mark.length), mark };
  } catch {
    return { reason: 'it is not UTF-8 text' };
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
