import { resolve } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import {
  type RevisionDocument,
  shortCommit,
} from '../../core/plan/plan-document.ts';
import type { Origin } from '../../core/report/document.ts';
import { webAddress } from '../../core/report/repository.ts';
import { fail } from '../failure.ts';
import { openRepository, type Repository } from '../git/git.ts';
import { gitRoot } from '../paths.ts';
import type { Run } from '../run.ts';
import { commitFiles } from './commit-files.ts';
import { type FileSource, shownPath } from './files.ts';

/** A commit, and its files. */
export interface Commit {
  base: Required<RevisionDocument>;
  source: FileSource;
}

/** The names of the commits to compare. */
export interface Refs {
  ref: string;
  /** The branch; HEAD if none is named. */
  head?: string | undefined;
}

/** The commits that a branch is compared with. */
interface BaseCommits {
  /** The commit at which the branch left the ref. */
  mergeBase: Commit;
  /** The commit that the ref means; undefined if it is the merge base. */
  tip?: Commit | undefined;
}

/** Opens the commit that a ref means. Only git's objects are read. */
export async function openCommit(run: Run, ref: string): Promise<Commit> {
  const repository = repositoryHere(run);
  const commit = await commitOf(repository, ref);
  return readCommit(repository, { ref, commit }, ref);
}

/**
 * Returns the id of the commit that a ref means; undefined if there is no such
 * ref. Fails in a shallow clone, which may only lack it.
 */
export async function findCommit(
  run: Run,
  ref: string,
): Promise<string | undefined> {
  const repository = repositoryHere(run);
  const commit = await revParse(repository, ref);
  const mayLackIt = commit === undefined && (await isShallow(repository));
  return mayLackIt ? failUnknown(repository, ref) : commit;
}

/** Opens the merge base of a ref and a branch, and the commit of the ref. */
export async function openBase(
  run: Run,
  { ref, head = 'HEAD' }: Refs,
): Promise<BaseCommits> {
  const repository = repositoryHere(run);
  const tip = await commitOf(repository, ref);
  const branch = await commitOf(repository, head);
  const { bytes } = await repository.call(['merge-base', tip, branch]);
  const commit = commitIn(bytes);
  if (commit === undefined) {
    const problem = `${ref} and ${head} have no commit in common`;
    return failRevision(repository, problem);
  }
  if (commit === tip) {
    return { mergeBase: await readCommit(repository, { ref, commit }, ref) };
  }
  const name = shortCommit(commit);
  return {
    mergeBase: await readCommit(repository, { ref, commit }, name),
    tip: await readCommit(repository, { ref, commit: tip }, ref),
  };
}

/**
 * Reads from git where the files of the working directory come from. A report
 * is written without it if there is no git, or no repository.
 */
export async function readOrigin(run: Run): Promise<Origin> {
  const root = gitRoot(run.runtime.cwd);
  if (root === undefined) return {};
  try {
    const repository = openRepository(run, root);
    const key = 'remote.origin.url';
    const [remote, commit] = await Promise.all([
      repository.call(['config', '--local', '--get', key]),
      revParse(repository, 'HEAD'),
    ]);
    if (remote.code !== 0) return { commit };
    const url = remote.bytes.toString().replace(/\n$/, '');
    return { repository: webAddress(url), commit };
  } catch {
    return {};
  }
}

/** Opens the repository around the first file of flags, or else around here. */
function repositoryHere(run: Run): Repository {
  const { cwd } = run.runtime;
  const [file = '.'] = run.options.file ?? [];
  const folder = resolve(cwd, file);
  const root = gitRoot(folder);
  if (root !== undefined) return openRepository(run, root);
  const problem = `${shownPath(folder, cwd) || '.'} is in no git repository`;
  const hint = 'Name files in a clone of the repository of the configuration.';
  return fail(diagnostic('no-revision', { problem, hint }));
}

/** Reads the names of the files of a commit; messages call it by `name`. */
async function readCommit(
  repository: Repository,
  base: Required<RevisionDocument>,
  name: string,
): Promise<Commit> {
  const source = await commitFiles(repository, base.commit, name);
  return { base, source };
}

/** Returns the id of the commit that a ref means. Fails if it means none. */
async function commitOf(repository: Repository, ref: string): Promise<string> {
  const commit = await revParse(repository, ref);
  return commit ?? failUnknown(repository, ref);
}

/**
 * Returns the id of the commit that a ref means; undefined if it means none.
 */
async function revParse(
  { call }: Repository,
  ref: string,
): Promise<string | undefined> {
  // Git would take it for a flag, or the system cannot pass it on.
  const isUsable = ref !== '' && !ref.startsWith('-') && !/\p{Cc}/u.test(ref);
  if (!isUsable) return undefined;
  const flags = ['--verify', '--quiet', '--end-of-options'];
  const { bytes } = await call(['rev-parse', ...flags, `${ref}^{commit}`]);
  return commitIn(bytes);
}

/**
 * The id of a commit that git printed; undefined if it printed anything else.
 */
function commitIn(bytes: Buffer): string | undefined {
  const id = bytes.toString().trim();
  return /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

async function isShallow({ ask }: Repository): Promise<boolean> {
  const answer = await ask(['rev-parse', '--is-shallow-repository']);
  return answer.toString().trim() === 'true';
}

/** Fails because a ref means no commit. */
async function failUnknown(
  repository: Repository,
  ref: string,
): Promise<never> {
  if (/^0+$/.test(ref)) {
    const problem =
      'All zeros mean no commit: a push made a new branch, or a person started the pipeline';
    const hint =
      'Name the commit that was applied last, or plan without --base.';
    fail(diagnostic('no-revision', { problem, hint }));
  }
  // Pipelines often have only `origin/…`.
  const tracked = `origin/${ref}`;
  const isTracked = (await revParse(repository, tracked)) !== undefined;
  const near = isTracked ? `, but ${tracked}` : '';
  const name = ref || 'without a name';
  return failRevision(repository, `There is no revision ${name}${near}`);
}

/** Fails with the command that fetches what a clone may lack. */
async function failRevision(
  repository: Repository,
  problem: string,
): Promise<never> {
  const branches = "origin '+refs/heads/*:refs/remotes/origin/*'";
  const facts = (await isShallow(repository))
    ? {
        problem: `${problem} in this shallow clone`,
        hint: `Fetch the whole history: git fetch --unshallow ${branches}; in pipelines fetch-depth: 0 of actions/checkout, or GIT_DEPTH: 0 of GitLab.`,
      }
    : {
        problem,
        hint: `Name a commit that the branch was made from; git fetch ${branches} gets all branches.`,
      };
  return fail(diagnostic('no-revision', facts));
}
