import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { diagnostic } from '../core/findings/diagnostic.ts';
import { fail, systemReason } from './failure.ts';

/** The longest text that is taken from git, in bytes. */
const LONGEST_OUTPUT = 16 * 1024 * 1024;

/** The id of the commit that a git ref names, seen from a folder in the work tree. Fails where there is none. */
export async function commitAt(folder: string, ref: string): Promise<string> {
  const found = await git(folder, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${ref}^{commit}`,
  ]);
  if (found.text !== undefined) return found.text.trim();
  return fail(
    diagnostic('usage', {
      problem: `git finds no commit ${ref} here${found.reason === '' ? '.' : `: ${found.reason}`}`,
      hint: 'In a CI job, fetch it first: git fetch origin main',
    }),
  );
}

/** The text of a file of a commit; undefined where the commit has none. `path` is relative to `folder`. */
export async function readAtCommit(
  folder: string,
  commit: string,
  path: string,
): Promise<string | undefined> {
  const listed = await git(folder, ['ls-tree', commit, '--', `./${path}`]);
  if (listed.text === '') return undefined;
  const found = await git(folder, ['cat-file', 'blob', `${commit}:./${path}`]);
  if (found.text !== undefined) return found.text;
  return fail(diagnostic('file-unreadable', { path, reason: found.reason || 'git cannot show it' }));
}

type Output = { readonly text: string } | { readonly text: undefined; readonly reason: string };

/** What git prints, or the first line of what it says where it says no. */
async function git(folder: string, args: readonly string[]): Promise<Output> {
  try {
    return {
      text: (await promisify(execFile)('git', args, { cwd: folder, maxBuffer: LONGEST_OUTPUT })).stdout,
    };
  } catch (thrown) {
    // A number is what git ended with; anything else is a git that could not be run.
    if (!(thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'number'))
      return fail(diagnostic('usage', { problem: `Cannot run git: ${systemReason(thrown)}.` }));
    const said = 'stderr' in thrown && typeof thrown.stderr === 'string' ? thrown.stderr : '';
    return { text: undefined, reason: said.trim().split('\n')[0] ?? '' };
  }
}
