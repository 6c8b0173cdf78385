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

/** The names of files that a pull writes itself, or that are read as configuration. */
const OTHERS = /^\.env\.example$|\.ya?ml$|\.schema\.json$/i;

/** A new file for secrets. Fails if something is there, or git takes it. */
export async function secretsFile(run: Run, path: string) {
  const refuse = (reason: string, hint: string) =>
    fail(diagnostic('file-unwritable', { path, of: 'refused', reason, hint }));
  const named = resolve(run.runtime.cwd, path);
  const [name, folder] = [basename(named), await realPath(dirname(named))];
  const real = join(folder, name);
  await refuseReportOnto(run.reportFiles, real);
  if (OTHERS.test(name))
    refuse(
      'its name is that of a file without secrets',
      'Name it like secrets.env.',
    );
  if (isOfGit(real))
    refuse('it belongs to git', 'Name a file outside of .git.');
  const found = await lstat(real).catch(() => undefined);
  if (found !== undefined)
    refuse('it exists', 'Name a new file: a pull replaces no secrets.');
  const root = await gitRoot(folder);
  if (root !== undefined && !(await isIgnored(run, root, real)))
    refuse(
      'it is in a git work tree, and no .gitignore there leaves it out',
      'Name a file outside of it, or add it to .gitignore.',
    );
  return {
    /** Its path as the user named it. */
    path,
    /** Writes variables with their texts, if known, so that only the owner of the file can read it. Returns why it failed. */
    write: (texts: Parameters<typeof dotenvText>[0]) =>
      writeFileWithin(folder, name, dotenvText(texts), { mode: 0o600 }),
  };
}

/** Writes variables as a dotenv file, which shells load with `set -a; . FILE`. */
function dotenvText(
  texts: ReadonlyMap<string, Secret<string> | undefined>,
): string {
  const lines = [...texts].map(([name, text]) =>
    text === undefined
      ? `# ${name}=  # not shown by the server`
      : `${name}=${quoted(framed(reveal(text)))}`,
  );
  return [
    '# Secrets for setpoint: keep this file out of git.',
    ...lines,
    '',
  ].join('\n');
}

/** Single quotes, inside of which nothing has a meaning; double quotes if the text has a single one. */
function quoted(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  return text.includes("'")
    ? `"${text.replace(/[\\"$`]/g, '\\$&')}"`
    : `'${text}'`;
}

/** Whether the .gitignore files of a repository leave a path out; those of its user do not count. */
async function isIgnored(
  run: Run,
  root: string,
  path: string,
): Promise<boolean> {
  const { call } = await openRepository(run, root);
  return (
    (await call(['--work-tree', root, 'check-ignore', '-q', '--', path]))
      .code === 0
  );
}
