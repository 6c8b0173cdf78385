import { dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { didYouMean } from '../../core/findings/words.ts';
import { present } from '../../core/model/json.ts';
import { shortCommit } from '../../core/plan/plan.ts';
import { fail } from '../failure.ts';
import { openRepository, type Repository } from '../git/git.ts';
import { gitRoot, isInside } from '../paths.ts';
import type { Run } from '../run.ts';
import {
  type FileSource,
  OUTSIDE,
  shownPath,
  textOf,
  type Unread,
} from './files.ts';

/** A commit, and its files. */
export interface Commit {
  /** The ref by which it was named, and its id. */
  readonly base: { readonly ref: string; readonly commit: string };
  readonly source: FileSource;
}

/** What a branch is compared with. */
export interface BaseCommits {
  /** The commit at which the branch left the ref. */
  readonly mergeBase: Commit;
  /** The commit that the ref means; undefined if it is the merge base. */
  readonly tip?: Commit | undefined;
}

/** Opens the commit that a ref means in the repository around files of flags, or here. Only git's objects are read. */
export async function openCommit(
  run: Run,
  files: readonly string[],
  ref: string,
): Promise<Commit> {
  const repository = await repositoryAround(run, files);
  const commit = await commitOf(repository, ref);
  return readCommit(repository, { ref, commit, name: ref });
}

/** Opens the merge base of a ref and a branch, which is HEAD if none is named, and the commit of the ref. */
export async function openBase(
  run: Run,
  files: readonly string[],
  refs: { readonly ref: string; readonly head?: string | undefined },
): Promise<BaseCommits> {
  const { ref, head = 'HEAD' } = refs;
  const repository = await repositoryAround(run, files);
  const tip = await commitOf(repository, ref);
  const branch = await commitOf(repository, head);
  const commit = await mergeBaseOf(repository, tip, branch);
  if (commit === undefined) return failApart(repository, ref, head);
  if (commit === tip)
    return {
      mergeBase: await readCommit(repository, { ref, commit, name: ref }),
    };
  const name = shortCommit(commit);
  return {
    mergeBase: await readCommit(repository, { ref, commit, name }),
    tip: await readCommit(repository, { ref, commit: tip, name: ref }),
  };
}

async function repositoryAround(
  run: Run,
  [file = '.']: readonly string[],
): Promise<Repository> {
  const { cwd } = run.runtime;
  const folder = resolve(cwd, file);
  const root = await gitRoot(folder);
  if (root !== undefined) return openRepository(run, root);
  const problem = `${shownPath(folder, cwd) || '.'} is in no git repository`;
  const hint = 'Name files in a clone of the repository of the configuration.';
  return fail(diagnostic('no-revision', { problem, hint }));
}

/** The id of the commit that a ref means. Fails if it means none. */
async function commitOf(repository: Repository, ref: string): Promise<string> {
  const commit = await revParse(repository, ref);
  return commit ?? failUnknown(repository, ref);
}

/** Reads what files a commit has; messages call it by a name. */
async function readCommit(
  repository: Repository,
  commit: {
    readonly ref: string;
    readonly commit: string;
    readonly name: string;
  },
): Promise<Commit> {
  const { ref, commit: id, name } = commit;
  const tree = await listTree(repository, id);
  return {
    base: { ref, commit: id },
    source: sourceOf(repository, name, tree),
  };
}

/** The best commit that two commits have in common; undefined if there is none. */
async function mergeBaseOf(
  { call }: Repository,
  one: string,
  other: string,
): Promise<string | undefined> {
  if (one === other) return one;
  const { code, bytes } = await call(['merge-base', one, other]);
  return code === 0 ? commitIn(bytes) : undefined;
}

/** Fails because a ref and a branch have no commit in common here. */
async function failApart(
  repository: Repository,
  ref: string,
  head: string,
): Promise<never> {
  const isCut = await isShallow(repository);
  const problem = isCut
    ? `This shallow clone does not reach the commit at which ${head} left ${ref}`
    : `${ref} and ${head} have no commit in common`;
  const hint = isCut
    ? DEEPEN
    : `Name a branch, a tag or a commit that ${head} was made from.`;
  return fail(diagnostic('no-revision', { problem, hint }));
}

/** How to get the whole history into a shallow clone. */
const DEEPEN =
  'Fetch the whole history: git fetch --unshallow; in pipelines fetch-depth: 0 of actions/checkout, or GIT_DEPTH: 0 of GitLab.';

async function isShallow({ ask }: Repository): Promise<boolean> {
  const answer = await ask(['rev-parse', '--is-shallow-repository']);
  return answer.toString().trim() === 'true';
}

/** Fails because a ref means no commit. Names the branch or tag that was probably meant: pipelines often have only `origin/…`. */
async function failUnknown(
  repository: Repository,
  ref: string,
): Promise<never> {
  const isCut = await isShallow(repository);
  const clone = isCut ? '; it is a shallow clone' : '';
  const problem = `The repository has no revision ${ref || 'without a name'}${clone}`;
  const args = [
    'for-each-ref',
    '--format=%(refname:short)',
    'refs/heads',
    'refs/remotes',
    'refs/tags',
  ];
  const listed = await repository.ask(args, { most: 16 * 1024 * 1024 });
  const names = listed.toString().trim().split('\n');
  const remote = `origin/${ref}`;
  const near = didYouMean(names.includes(remote) ? remote : ref, names);
  const hint = near ?? (isCut ? DEEPEN : undefined);
  return fail(diagnostic('no-revision', { problem, ...present({ hint }) }));
}

async function revParse(
  { call }: Repository,
  ref: string,
): Promise<string | undefined> {
  // Git would take it for a flag, or the system cannot pass it on.
  if (ref === '' || ref.startsWith('-') || /\p{Cc}/u.test(ref))
    return undefined;
  const args = [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${ref}^{commit}`,
  ];
  return commitIn((await call(args)).bytes);
}

/** The id of a commit that git printed; undefined if it printed anything else. */
function commitIn(bytes: Buffer): string | undefined {
  const id = bytes.toString().trim();
  return /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

const MISSING: Unread = {
  reason: 'there is no such file or folder',
  code: 'ENOENT',
};
const LACKING: Unread = {
  reason: 'this clone does not have its content',
  hint: 'Clone without a filter, or fetch the content: git fetch --refetch origin',
};
const NO_FILE: Unread = {
  reason: 'it is a symbolic link or a submodule, or behind one',
  hint: 'Neither is followed in commits. Commit the file itself, or name the path that the link leads to.',
};

/** The content of a file. */
interface Blob {
  readonly id: string;
  readonly size: number;
}

/** The files of a commit by the paths that they have in the work tree; of some only why they are not read. */
type Tree = ReadonlyMap<string, Blob | Unread>;

/** Lists the files of a commit. Names that no folder can have are left out. */
async function listTree(
  { root, ask }: Repository,
  commit: string,
): Promise<Tree> {
  const args = ['ls-tree', '-r', '-z', '--long', '--full-tree', commit];
  // Names of some hundred thousand files.
  const listed = await ask(args, { most: 64 * 1024 * 1024 });
  return new Map(
    listed
      .toString()
      .split('\0')
      .flatMap((line): [string, Blob | Unread][] => {
        const [, mode = '', id = '', bytes = '', path = ''] =
          /^(\d+) \w+ ([0-9a-f]+) +(\S+)\t(.+)$/s.exec(line) ?? [];
        if (path.split('/').some((part) => /^(\.{0,2}|\.git)$/i.test(part)))
          return [];
        const isRead = /^\d+$/.test(bytes)
          ? { id, size: Number(bytes) }
          : LACKING;
        return [[join(root, path), mode.startsWith('100') ? isRead : NO_FILE]];
      }),
  );
}

/** Makes a reader of blobs: one call of git reads all that are asked for in one turn of the event loop. */
function blobReader(repository: Repository): (blob: Blob) => Promise<Buffer> {
  let asked: Blob[] = [];
  let batch: Promise<Map<string, Buffer>> | undefined;
  const readAll = () => {
    const blobs = asked;
    asked = [];
    batch = undefined;
    return readBlobs(repository, blobs);
  };
  return async (blob) => {
    asked.push(blob);
    batch ??= setImmediate().then(readAll);
    return (await batch).get(blob.id) ?? Buffer.alloc(0);
  };
}

async function readBlobs(
  { ask }: Repository,
  blobs: readonly Blob[],
): Promise<Map<string, Buffer>> {
  const input = blobs.map(({ id }) => `${id}\n`).join('');
  const most = blobs.reduce((sum, { size }) => sum + size + 128, 0);
  const bytes = await ask(['cat-file', '--batch=%(objectname)'], {
    input,
    most,
  });
  // Git prints the id in a line, the bytes, and a line end.
  let end = 0;
  return new Map(
    blobs.map(({ id, size }): [string, Buffer] => {
      const from = end + id.length + 1;
      end = from + size + 1;
      return [id, bytes.subarray(from, from + size)];
    }),
  );
}

/** The files of a commit as a source of configuration; `name` stands before their paths. */
function sourceOf(
  repository: Repository,
  name: string,
  tree: Tree,
): FileSource {
  const { root } = repository;
  const readBlob = blobReader(repository);
  const entryAt = (path: string): Blob | Unread => {
    if (path === root) return MISSING;
    if (!isInside(root, path)) return OUTSIDE;
    return (
      tree.get(path) ?? (entryAt(dirname(path)) === NO_FILE ? NO_FILE : MISSING)
    );
  };
  return {
    ref: name,
    list: async (path, _, isDeep) => {
      const found = entryAt(path);
      if ('id' in found) return [path];
      const isListed = (each: string) =>
        isDeep ? isInside(path, each) : dirname(each) === path;
      const below = [...tree.keys()].filter(isListed);
      return below.length === 0 ? found : below;
    },
    read: async (_, path, bounds) => {
      if (bounds.root !== undefined && !isInside(bounds.root, path))
        return OUTSIDE;
      const found = entryAt(path);
      return 'reason' in found
        ? found
        : textOf(found.size, bounds, () => readBlob(found));
    },
    shownPath: (path) => `${name}:${shownPath(path, root)}`,
  };
}
