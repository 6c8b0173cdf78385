import { lstat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { framed } from '../../core/config/resolve.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { reveal, type Secret } from '../../core/model/secret.ts';
import { fail } from '../failure.ts';
import { openRepository } from '../git/git.ts';
import { writeFileWithin } from '../new-file.ts';
import { gitRoot, isOfGit, realPath } from '../paths.ts';
import { refuseReportOnto } from '../reports.ts';
import type { Run } from '../run.ts';

/** A new file for secrets. */
export interface SecretsFile {
  /** Its path as the user named it. */
  readonly path: string;
  /**
   * Writes variables so that only the owner of the file can read them. Returns
   * why it failed.
   */
  readonly write: (variables: VariableTexts) => Promise<string | undefined>;
}

/** The texts of variables; undefined if the server does not show one. */
type VariableTexts = ReadonlyMap<string, Secret<string> | undefined>;

/**
 * The names of files that a pull writes itself, or that are read as
 * configuration.
 */
const OTHER_FILES = /^\.env\.example$|\.ya?ml$|\.schema\.json$/i;

/**
 * Finds the place of a new file for secrets. Fails if something is there, or
 * git takes it.
 */
export async function secretsFile(
  run: Run,
  path: string,
): Promise<SecretsFile> {
  const refuse = (reason: string, hint: string): never => {
    const facts = { path, of: 'refused', reason, hint } as const;
    return fail(diagnostic('file-unwritable', facts));
  };
  const absolute = resolve(run.runtime.cwd, path);
  const name = basename(absolute);
  const folder = await realPath(dirname(absolute));
  const real = join(folder, name);
  await refuseReportOnto(run.reportFiles, real);
  if (OTHER_FILES.test(name)) {
    refuse(
      'its name is that of a file without secrets',
      'Name it like secrets.env.',
    );
  }
  if (isOfGit(real)) {
    refuse('it belongs to git', 'Name a file outside of .git.');
  }
  const stats = await lstat(real).catch(() => undefined);
  if (stats !== undefined) {
    refuse('it exists', 'Name a new file: a pull replaces no secrets.');
  }
  if (await isTaken(run, folder, real)) {
    refuse(
      'it is in a git work tree, and no .gitignore there leaves it out',
      'Name a file outside of it, or add it to .gitignore.',
    );
  }
  return {
    path,
    write: (variables) =>
      writeFileWithin(folder, name, dotenvText(variables), { mode: 0o600 }),
  };
}

/**
 * True for a path in a git work tree that its .gitignore files do not leave
 * out; those of its user do not count.
 */
async function isTaken(
  run: Run,
  folder: string,
  path: string,
): Promise<boolean> {
  const root = await gitRoot(folder);
  if (root === undefined) return false;
  const { call } = await openRepository(run, root);
  const args = ['--work-tree', root, 'check-ignore', '-q', '--', path];
  const { code } = await call(args);
  return code !== 0;
}

/** Writes variables as a dotenv file that shells load with `set -a; . FILE`. */
function dotenvText(variables: VariableTexts): string {
  const lines = ['# Secrets for setpoint: keep this file out of git.'];
  for (const [name, text] of variables) {
    lines.push(
      text === undefined
        ? `# ${name}=  # not shown by the server`
        : `${name}=${quoted(framed(reveal(text)))}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Quotes with single quotes, inside of which nothing has a meaning; with double
 * quotes if the text has a single one.
 */
function quoted(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  if (!text.includes("'")) return `'${text}'`;
  return `"${text.replace(/[\\"$`]/g, '\\$&')}"`;
}
