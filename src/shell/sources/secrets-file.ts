import { lstat, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { dotenvLines } from '../../core/config/dotenv.ts';
import { framed } from '../../core/config/resolve.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { reveal } from '../../core/model/secret.ts';
import type { PulledSecrets, ShownVariable } from '../../core/pull/secrets.ts';
import type { SecretPlaces } from '../../core/pull/state.ts';
import { fail } from '../failure.ts';
import { openRepository } from '../git/git.ts';
import { TAKEN, writeFileWithin } from '../new-file.ts';
import { gitRoot, isInside, isOfGit, isThere, realPath } from '../paths.ts';
import { refuseReportOnto } from '../reports.ts';
import type { Run } from '../run.ts';

/** A new file for secrets. */
export interface SecretsFile {
  /** Its path as the user named it. */
  readonly path: string;
  /** Its path from the root of the configuration; undefined outside of it. */
  readonly inProject?: string | undefined;
  readonly places: SecretPlaces;
  /**
   * Writes secrets so that only the owner of their files can read them. Returns
   * why it failed.
   */
  readonly write: (secrets: PulledSecrets) => Promise<string | undefined>;
}

/**
 * The names of files that a pull writes itself, or that are read as
 * configuration.
 */
const OTHER_FILES = /^\.env\.example$|\.ya?ml$|\.schema\.json$/i;

/**
 * Finds the place of a new file for secrets. Fails if something is there, or
 * git takes it. References stay in `root`.
 */
export async function secretsFile(
  run: Run,
  path: string,
  root: string,
): Promise<SecretsFile> {
  const absolute = resolve(run.runtime.cwd, path);
  const name = basename(absolute);
  const folder = await realPath(dirname(absolute));
  const real = join(folder, name);
  await refuseReportOnto(run.reportFiles, real);
  const refusal = await refusalOf(run, real);
  if (refusal !== undefined) return failRefused(path, refusal);
  const realRoot = await realPath(root);
  const inProject = isInside(realRoot, real)
    ? relative(realRoot, real).split(sep).join('/')
    : undefined;
  const place = { run, folder, name, inProject };
  const isSayable = (text: string): boolean =>
    dotenvLines('SETPOINT_X', framed(text)) !== undefined;
  return {
    path,
    inProject,
    places: { isSayable, folder: await folderOfFiles(place), flawOfFile },
    write: async (secrets) => {
      const reason = await writeSecrets(place, secrets);
      return reason === TAKEN ? failRefused(path, EXISTING) : reason;
    },
  };
}

function failRefused(path: string, refusal: Refusal): never {
  return fail(
    diagnostic('file-unwritable', { path, of: 'refused', ...refusal }),
  );
}

/** Why a path cannot become a file for secrets, and the remedy. */
interface Refusal {
  readonly reason: string;
  readonly hint: string;
}

/** Finds why a path, its links resolved, cannot become a file for secrets. */
async function refusalOf(run: Run, path: string): Promise<Refusal | undefined> {
  if (OTHER_FILES.test(basename(path))) {
    return {
      reason: 'its name is that of a file without secrets',
      hint: 'Name it like secrets.env.',
    };
  }
  if (isOfGit(path)) {
    return {
      reason: 'it belongs to git',
      hint: 'Name a file outside of .git.',
    };
  }
  if ((await isThere(path)) && (await readPulled(path)) === undefined) {
    return EXISTING;
  }
  if (await isTaken(run, path)) {
    return {
      reason: 'it is in a git work tree, and no .gitignore there leaves it out',
      hint: 'Name a file outside of it, or add it to .gitignore.',
    };
  }
  return undefined;
}

const EXISTING: Refusal = {
  reason: 'it exists',
  hint: 'Name a new file: a pull replaces no secrets.',
};

/** Reads a file that a pull wrote, maybe in part; undefined if it is none. */
async function readPulled(path: string): Promise<string | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isFile() !== true) return undefined;
  // A part of a text may be no UTF-8.
  const text = await readFile(path, 'latin1').catch(() => 'unreadable');
  const isPulled = text.startsWith(HEAD) || HEAD.startsWith(text);
  return isPulled ? text : undefined;
}

const HEAD = '# Secrets for setpoint: keep this file out of git.';

/**
 * True for a path in a git work tree that its .gitignore files do not leave
 * out; those of its user do not count.
 */
async function isTaken(run: Run, path: string): Promise<boolean> {
  const root = await gitRoot(dirname(path));
  if (root === undefined) return false;
  const { call } = await openRepository(run, root);
  const args = ['--work-tree', root, 'check-ignore', '-q', '--', path];
  return (await call(args)).code !== 0;
}

/** Where a new file for secrets is. */
interface NewFile {
  readonly run: Run;
  /** With its links resolved. */
  readonly folder: string;
  readonly name: string;
  readonly inProject: string | undefined;
}

/** Finds the folder for texts that no dotenv file can hold. */
async function folderOfFiles(place: NewFile): Promise<SecretPlaces['folder']> {
  const { run, folder, name, inProject } = place;
  const why = 'only a file of its own can hold such a text';
  if (inProject === undefined) {
    return { reason: `${why}, and ${name} is outside the configuration` };
  }
  const path = `${inProject}.d`;
  if (/[{}]/.test(path)) {
    return { reason: `${why}, and no reference can name ${path}` };
  }
  if (await isTaken(run, join(folder, `${name}.d`, 'a'))) {
    return { reason: `${why}, and no .gitignore leaves out ${path}/` };
  }
  return { path };
}

/** The most bytes of a file that references read. */
const LARGEST = 64 * 1024;

/** Finds why a reference to a file could not read back a text. */
function flawOfFile(text: string): string | undefined {
  const bytes = Buffer.from(framed(text));
  if (bytes.length > LARGEST) return `it has more than ${LARGEST} bytes`;
  const isKept = bytes.toString() === framed(text);
  if (isKept && !text.startsWith('\ufeff')) return undefined;
  return 'no file can hold its characters';
}

/** Writes the variables, then the files of single texts. */
async function writeSecrets(
  { folder, name, inProject = '' }: NewFile,
  { shown, secretFiles }: PulledSecrets,
): Promise<string | undefined> {
  const owned = { isSecret: true };
  const begun = await readPulled(join(folder, name));
  // One without any secret is written anew.
  const isBlank = begun !== undefined && !/(^|\n)[^#\n]/.test(begun);
  if (isBlank) await rm(join(folder, name));
  const written = [HEAD];
  for (const [variable, text] of shown) {
    written.push(variableLines(variable, text));
  }
  const text = `${written.join('\n')}\n`;
  const unwritten = await writeFileWithin(folder, name, text, owned);
  if (unwritten !== undefined) return unwritten;
  for (const [path, secret] of secretFiles) {
    const own = `${name}${path.slice(inProject.length)}`;
    const content = framed(reveal(secret));
    const reason = await writeFileWithin(folder, own, content, owned);
    if (reason !== undefined) return `${own}: ${reason}`;
  }
  return undefined;
}

/** A variable, or a comment that says why it has no text. */
function variableLines(name: string, variable: ShownVariable): string {
  const why = (reason: string): string => `# ${name}=  # ${reason}`;
  if (variable.kind === 'unset') return why('not set');
  if (variable.kind === 'hidden') return why('not shown by the server');
  if (variable.kind === 'unfit') return why(variable.reason);
  const lines = dotenvLines(name, framed(reveal(variable.text)));
  return lines ?? why('a text that no dotenv file can hold');
}
