import { lstat, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { dotenvLines } from '../../core/config/dotenv.ts';
import { framed } from '../../core/config/resolve.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { reveal } from '../../core/model/secret.ts';
import type { ShownVariables } from '../../core/pull/secrets.ts';
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
  /**
   * Writes secrets so that only the owner of the file can read them. Returns
   * why it failed.
   */
  readonly write: (shown: ShownVariables) => Promise<string | undefined>;
}

/**
 * The names of files that a pull writes itself, or that are read as
 * configuration.
 */
const OTHER_FILES = /\.ya?ml$|\.schema\.json$/i;

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
  return {
    path,
    inProject,
    write: async (shown) => {
      const reason = await writeSecrets(folder, name, shown);
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

/** Writes the variables of a file. */
async function writeSecrets(
  folder: string,
  name: string,
  shown: ShownVariables,
): Promise<string | undefined> {
  const begun = await readPulled(join(folder, name));
  // One without any secret is written anew.
  const isBlank = begun !== undefined && !/(^|\n)[^#\n]/.test(begun);
  if (isBlank) await rm(join(folder, name));
  const lines = [HEAD];
  for (const [variable, text] of shown) {
    const written =
      typeof text === 'string'
        ? `# ${variable}=  # ${text}`
        : dotenvLines(variable, framed(reveal(text)));
    lines.push(written ?? '');
  }
  const isSecret = true;
  return writeFileWithin(folder, name, `${lines.join('\n')}\n`, { isSecret });
}
