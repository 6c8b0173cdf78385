import { callGit, type Repository } from './git.ts';

/** Those of some absolute paths that the rules of a repository leave out of it; the rules of its user are not there for others. */
export async function ignoredIn(
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
