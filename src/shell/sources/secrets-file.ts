import { basename, dirname, join, resolve } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { reveal, type Secret } from '../../core/model/secret.ts';
import { fail } from '../failure.ts';
import { callGit, openRepository, type Repository } from '../git/git.ts';
import { gitRoot } from '../git-root.ts';
import { isThere, writeFileWithin } from '../new-file.ts';
import { isOfGit, realPath, refuseReportOnto } from '../report-target.ts';
import type { Run } from '../run.ts';

/** A new file for secrets, with the links of its folder resolved. */
export interface SecretsFile {
  readonly folder: string;
  readonly name: string;
  /** Its path as the user named it. */
  readonly path: string;
}

/** What a pull writes itself, and what is read as configuration. */
const OTHERS = /^\.env\.example$|\.ya?ml$|\.schema\.json$/i;

/** Checks that secrets may be written to a path: nothing is there, and git does not take it. Fails if not. */
export async function secretsFile(run: Run, path: string): Promise<SecretsFile> {
  const refuse = (refusal: Refusal) =>
    fail(diagnostic('file-unwritable', { path, of: 'refused', ...refusal }));
  const named = resolve(run.runtime.cwd, path);
  const [name, folder] = [basename(named), await realPath(dirname(named))];
  const real = join(folder, name);
  await refuseReportOnto(run.reportFiles, real);
  if (OTHERS.test(name)) refuse({ reason: 'its name is that of a file without secrets' });
  if (isOfGit(real)) refuse({ reason: 'it belongs to git' });
  if (await isThere(real)) refuse({ reason: 'it exists' });
  const root = await gitRoot(folder);
  if (root !== undefined && !(await isIgnored(run, root, real)))
    refuse({
      reason: 'it is in a git work tree, and no .gitignore there leaves it out',
      hint: 'Name a file outside of it, or add it to .gitignore.',
    });
  return { folder, name, path };
}

interface Refusal {
  readonly reason: string;
  readonly hint?: string;
}

/** Whether the .gitignore files of a repository leave a path out; those of its user do not count. */
async function isIgnored(run: Run, root: string, path: string): Promise<boolean> {
  return (await ignoredIn(await openRepository(run, root), [path])).length > 0;
}

/** Writes the file for its owner alone. Returns why not. */
export function writeSecrets(
  { folder, name }: SecretsFile,
  text: Secret<string>,
): Promise<string | undefined> {
  return writeFileWithin(folder, name, reveal(text), { mode: 0o600 });
}

/** Those of some absolute paths that the rules of a repository leave out of it; the rules of its user are not there for others. */
async function ignoredIn(
  repository: Repository,
  paths: readonly string[],
  flags: readonly string[] = [],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const args = ['--work-tree', repository.root, 'check-ignore', '--stdin', '-z', ...flags];
  const input = paths.map((path) => `${path}\0`).join('');
  const most = Buffer.byteLength(input);
  const { code, bytes } = await callGit(repository, { args, input, most, takesPaths: true });
  return code === 0 ? bytes.toString().split('\0').slice(0, -1) : [];
}
