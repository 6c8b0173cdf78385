import { dirname, join, resolve } from 'node:path';
import type { Unread } from '../../core/config/resolve.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { didYouMean } from '../../core/findings/words.ts';
import { type RevisionDocument, shortCommit } from '../../core/plan/plan.ts';
import { fail } from '../failure.ts';
import { openRepository, type Repository } from '../git/git.ts';
import { gitRoot, isInside } from '../paths.ts';
import type { Run } from '../run.ts';
import { type Blob, blobReader } from './blobs.ts';
import { type FileSource, OUTSIDE, shownPath, textOf } from './files.ts';

/** A commit, and its files. */
export interface Commit {
  readonly base: Required<RevisionDocument>;
  readonly source: FileSource;
}

/** The commits that a branch is compared with. */
interface BaseCommits {
  /** The commit at which the branch left the ref. */
  readonly mergeBase: Commit;
  /** The commit that the ref means; undefined if it is the merge base. */
  readonly tip?: Commit | undefined;
}

/**
 * Opens the commit that a ref means in the repository around files of flags, or
 * here. Only git's objects are read.
 */
export async function openCommit(
  run: Run,
  files: readonly string[],
  ref: string,
): Promise<Commit> {
  const repository = await repositoryAround(run, files);
  const commit = await commitOf(repository, ref);
  return readCommit(repository, { ref, commit }, ref);
}

/**
 * Returns the id of the commit that a ref means; undefined if there is no such
 * ref. Fails in a shallow clone, which may only lack it.
 */
export async function findCommit(
  run: Run,
  files: readonly string[],
  ref: string,
): Promise<string | undefined> {
  const repository = await repositoryAround(run, files);
  const commit = await revParse(repository, ref);
  if (commit === undefined && (await isShallow(repository))) {
    return failUnknown(repository, ref);
  }
  return commit;
}

/** The names of the commits to compare. */
interface Refs {
  readonly ref: string;
  /** The branch; HEAD if none is named. */
  readonly head?: string | undefined;
}

/** Opens the merge base of a ref and a branch, and the commit of the ref. */
export async function openBase(
  run: Run,
  files: readonly string[],
  { ref, head = 'HEAD' }: Refs,
): Promise<BaseCommits> {
  const repository = await repositoryAround(run, files);
  const tip = await commitOf(repository, ref);
  const branch = await commitOf(repository, head);
  const { bytes } = await repository.call(['merge-base', tip, branch]);
  const commit = commitIn(bytes);
  if (commit === undefined) {
    if (await isShallow(repository)) {
      const problem = `This shallow clone does not reach the commit at which ${head} left ${ref}`;
      return failRevision(problem, DEEPEN);
    }
    return failRevision(
      `${ref} and ${head} have no commit in common`,
      `Name a branch, a tag or a commit that ${head} was made from.`,
    );
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
 * Opens the repository around the first of files, or around the working
 * directory.
 */
async function repositoryAround(
  run: Run,
  files: readonly string[],
): Promise<Repository> {
  const { cwd } = run.runtime;
  const folder = resolve(cwd, files[0] ?? '.');
  const root = await gitRoot(folder);
  if (root !== undefined) return openRepository(run, root);
  return failRevision(
    `${shownPath(folder, cwd) || '.'} is in no git repository`,
    'Name files in a clone of the repository of the configuration.',
  );
}

function failRevision(problem: string, hint: string | undefined): never {
  return fail(diagnostic('no-revision', { problem, hint }));
}

/** Returns the id of the commit that a ref means. Fails if it means none. */
async function commitOf(repository: Repository, ref: string): Promise<string> {
  const commit = await revParse(repository, ref);
  return commit ?? failUnknown(repository, ref);
}

/** Reads the names of the files of a commit; messages call it by `name`. */
async function readCommit(
  repository: Repository,
  base: Required<RevisionDocument>,
  name: string,
): Promise<Commit> {
  const { root } = repository;
  const tree = await listTree(repository, base.commit);
  const readBlob = blobReader(repository);
  const source: FileSource = {
    ref: name,
    list: async (path, _, isDeep) => {
      const entry = entryAt(tree, root, path);
      if ('id' in entry) return [path];
      const files = [...tree.keys()].filter((file) =>
        isDeep ? isInside(path, file) : dirname(file) === path,
      );
      return files.length === 0 ? entry : files;
    },
    read: async (_, path, bounds) => {
      if (bounds.root !== undefined && !isInside(bounds.root, path)) {
        return OUTSIDE;
      }
      const entry = entryAt(tree, root, path);
      if ('reason' in entry) return entry;
      const content = (await readBlob(entry)) ?? MISSING;
      return 'reason' in content ? content : textOf(content, bounds);
    },
    shownPath: (path) => `${name}:${shownPath(path, root)}`,
  };
  return { base, source };
}

/** How pipelines get the whole history. */
const IN_PIPELINES =
  'in pipelines fetch-depth: 0 of actions/checkout, or GIT_DEPTH: 0 of GitLab.';

/** How to get the whole history into a shallow clone. */
const DEEPEN = `Fetch the whole history: git fetch --unshallow; ${IN_PIPELINES}`;

async function isShallow({ ask }: Repository): Promise<boolean> {
  const answer = await ask(['rev-parse', '--is-shallow-repository']);
  return answer.toString().trim() === 'true';
}

/**
 * Fails because a ref means no commit. Names the branch or tag that was
 * probably meant: pipelines often have only `origin/…`.
 */
async function failUnknown(
  repository: Repository,
  ref: string,
): Promise<never> {
  // A pipeline without a commit before it says so.
  if (/^0{40,64}$/.test(ref)) return failRevision(NO_COMMIT, AFTER_NONE);
  const isCut = await isShallow(repository);
  const clone = isCut ? '; it is a shallow clone' : '';
  const problem = `The repository has no revision ${ref || 'without a name'}${clone}`;
  if (!isCut && /^[0-9a-f]{40,64}$/.test(ref)) {
    return failRevision(problem, REWRITTEN);
  }
  // A near name of an ancestor would be another commit.
  if (isCut && /[~^]/.test(ref)) return failRevision(problem, DEEPEN);
  const remotes = await linesOf(repository, ['remote']);
  const names = await linesOf(repository, REF_NAMES);
  const hint = nearName(ref, names, remotes) ?? fetchHint(ref, isCut, remotes);
  return failRevision(problem, hint);
}

/** Lists the branches and tags, without the HEAD of a remote. */
const REF_NAMES = [
  'for-each-ref',
  '--format=%(if)%(symref)%(then)%(else)%(refname:short)%(end)',
  'refs/heads',
  'refs/remotes',
  'refs/tags',
];

async function linesOf(
  { ask }: Repository,
  args: readonly string[],
): Promise<string[]> {
  const listed = await ask(args, { most: 16 * 1024 * 1024 });
  return listed
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

/** Names the branch or tag that was probably meant; of a remote by the name of its branch alone. */
function nearName(
  ref: string,
  names: readonly string[],
  remotes: readonly string[],
): string | undefined {
  const remote = remotes.find((name) => ref.startsWith(`${name}/`));
  if (remote === undefined) {
    const tracked = `origin/${ref}`;
    return didYouMean(names.includes(tracked) ? tracked : ref, names);
  }
  const start = remote.length + 1;
  const own = names.filter((name) => name.startsWith(`${remote}/`));
  const branches = own.map((name) => name.slice(start));
  const isNear = didYouMean(ref.slice(start), branches) !== undefined;
  return isNear ? didYouMean(ref, own) : undefined;
}

/** Why a whole clone may lack a commit that a pipeline names. */
const REWRITTEN =
  'A force push may have removed it. Name a commit of git log, such as the last one that was applied.';

const NO_COMMIT =
  'All zeros mean no commit: a push made a new branch, or a person started the pipeline';

const AFTER_NONE =
  'Name the commit that was applied last, or plan without --base, which does not tell changes from drift.';

/**
 * Says how to fetch a branch: a clone of a single branch fetches no other one
 * unless it is named.
 */
function fetchHint(
  ref: string,
  isCut: boolean,
  remotes: readonly string[],
): string | undefined {
  const named = remotes.find((remote) => ref.startsWith(`${remote}/`));
  const remote = named ?? remotes.find((name) => name === 'origin');
  const branch = named === undefined ? ref : ref.slice(named.length + 1);
  const isBranch = /^(?!HEAD|@|[0-9a-f]{7,}$)[\w./-]+$/.test(branch);
  if (!isBranch || remote === undefined) return isCut ? DEEPEN : undefined;
  const refspec = `${remote} ${branch}:refs/remotes/${remote}/${branch}`;
  const name = branch === ref ? `, then name ${remote}/${branch}` : '';
  return isCut
    ? `Fetch it: git fetch --unshallow ${refspec}${name}; ${IN_PIPELINES}`
    : `Fetch it: git fetch ${refspec}${name}`;
}

/** Returns the id of the commit that a ref means; undefined if it means none. */
export async function revParse(
  { call }: Repository,
  ref: string,
): Promise<string | undefined> {
  // Git would take it for a flag, or the system cannot pass it on.
  const isUsable = ref !== '' && !ref.startsWith('-') && !/\p{Cc}/u.test(ref);
  if (!isUsable) return undefined;
  const args = [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${ref}^{commit}`,
  ];
  const { bytes } = await call(args);
  return commitIn(bytes);
}

/**
 * The id of a commit that git printed; undefined if it printed anything else.
 */
function commitIn(bytes: Buffer): string | undefined {
  const id = bytes.toString().trim();
  return /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

const MISSING: Unread = {
  reason: 'there is no such file or folder',
  code: 'ENOENT',
};
const NO_FILE: Unread = {
  reason: 'it is a symbolic link or a submodule, or behind one',
  hint: 'Neither is followed in commits. Commit the file itself, or name the path that the link leads to.',
};

/** A file of a commit, or why it is not read. */
type TreeEntry = Blob | Unread;

/** The files of a commit by the paths that they have in the work tree. */
type Tree = ReadonlyMap<string, TreeEntry>;

/** Lists the files of a commit. Names that no folder can have are left out. */
async function listTree(
  { root, ask }: Repository,
  commit: string,
): Promise<Tree> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit];
  // Names of some hundred thousand files.
  const listed = await ask(args, { most: 64 * 1024 * 1024 });
  const tree = new Map<string, TreeEntry>();
  for (const line of listed.toString().split('\0')) {
    const match = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line);
    if (match === null) continue;
    const [, mode = '', id = '', path = ''] = match;
    if (!isPlainPath(path)) continue;
    const entry = mode.startsWith('100') ? { id, path } : NO_FILE;
    tree.set(join(root, path), entry);
  }
  return tree;
}

/**
 * False for a path through `.git`, with an empty, `.` or `..` part, or that a
 * line for git cannot hold: its attributes would be those of another path.
 */
function isPlainPath(path: string): boolean {
  if (/^\s|[\r\n]/.test(path)) return false;
  return path.split('/').every((part) => !/^(\.{0,2}|\.git)$/i.test(part));
}

function entryAt(tree: Tree, root: string, path: string): TreeEntry {
  if (path === root) return MISSING;
  if (!isInside(root, path)) return OUTSIDE;
  const entry = tree.get(path);
  if (entry !== undefined) return entry;
  // A path may lead through a link or a submodule.
  const isBehindLink = entryAt(tree, root, dirname(path)) === NO_FILE;
  return isBehindLink ? NO_FILE : MISSING;
}
