import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { dotenvLines } from '../../core/config/dotenv.ts';
import { framed } from '../../core/config/resolve.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { reveal } from '../../core/model/secret.ts';
import type { ShownVariables } from '../../core/pull/secrets.ts';
import { fail } from '../failure.ts';
import { openRepository } from '../git/git.ts';
import { writeSecretFile } from '../new-file.ts';
import { gitRoot, isInside, isOfGit, isThere, realPath } from '../paths.ts';
import { refuseReportOnto } from '../reports.ts';
import type { Run } from '../run.ts';

/** A new file for secrets. */
export interface SecretsFile {
  /** Its path as the user named it. */
  path: string;
  /** Its path from the root of the configuration; undefined outside of it. */
  inProject?: string | undefined;
  /**
   * Writes secrets so that only the owner of the file can read them. Returns
   * why it failed.
   */
  write: (shown: ShownVariables) => Promise<string | undefined>;
}

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
  const real = join(realPath(dirname(absolute)), basename(absolute));
  refuseReportOnto(run.outputFiles, real);
  const reason = await refusalOf(run, real);
  if (reason !== undefined) {
    const hint =
      'Name a new file that .gitignore leaves out, such as secrets.env.';
    const facts = { path, of: 'refused', reason, hint } as const;
    fail(diagnostic('file-unwritable', facts));
  }
  const realRoot = realPath(root);
  const inProject = isInside(realRoot, real)
    ? relative(realRoot, real).split(sep).join('/')
    : undefined;
  return {
    path,
    inProject,
    write: (shown) => writeSecretFile(real, textOf(shown)),
  };
}

/** Finds why a path, its links resolved, cannot become a file for secrets. */
async function refusalOf(run: Run, path: string): Promise<string | undefined> {
  // What is read as configuration is shown in excerpts.
  if (/\.ya?ml$/i.test(path)) return 'its name is that of configuration';
  if (isOfGit(path)) return 'it belongs to git';
  if (isThere(path)) return 'it exists, and may hold secrets';
  return (await isTaken(run, path))
    ? 'it is in a git work tree, and no .gitignore there leaves it out'
    : undefined;
}

/**
 * True for a path in a git work tree that its .gitignore files do not leave
 * out; those of its user do not count.
 */
async function isTaken(run: Run, path: string): Promise<boolean> {
  const root = gitRoot(dirname(path));
  if (root === undefined) return false;
  const { call } = openRepository(run, root);
  const args = ['--work-tree', root, 'check-ignore', '-q', '--', path];
  return (await call(args)).code !== 0;
}

/** The text of a file of variables; those without a text say why. */
function textOf(shown: ShownVariables): string {
  const lines = ['# Secrets for setpoint: keep this file out of git.'];
  for (const [variable, text] of shown) {
    const written =
      typeof text === 'string'
        ? `# ${variable}=  # ${text}`
        : dotenvLines(variable, framed(reveal(text)));
    lines.push(written ?? '');
  }
  return `${lines.join('\n')}\n`;
}
