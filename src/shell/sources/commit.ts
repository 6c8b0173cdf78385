import { relative, sep } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import type { PlanBase } from '../../core/plan/plan.ts';
import { fail } from '../failure.ts';
import { blobReader, listTree, resolveCommit, type TreeEntry } from '../git/commit.ts';
import { openRepository, type Repository } from '../git/git.ts';
import { gitRoot } from '../git-root.ts';
import { isInside } from '../report-target.ts';
import type { Run } from '../run.ts';
import type { FileSource } from './files.ts';
import { OUTSIDE, tooLarge, type Unread } from './regular-file.ts';
import { isYaml, shownPath } from './work-tree.ts';

/** A commit, and its files. */
export interface Commit {
  readonly base: PlanBase;
  readonly source: FileSource;
  /** The root of the work tree. */
  readonly root: string;
}

/** Opens the commit that a ref means in the repository around a folder. Only git's objects are read. */
export async function openCommit(run: Run, folder: string, ref: string): Promise<Commit> {
  const root =
    (await gitRoot(folder)) ??
    fail(
      diagnostic('no-revision', {
        problem: `${shownPath(folder, run.runtime.cwd) || '.'} is in no git repository`,
        hint: 'Run it in a clone of the repository of the configuration.',
      }),
    );
  const repository = await openRepository(run, root);
  const base = await resolveCommit(repository, ref);
  const tree = await listTree(repository, base.commit);
  return { base, source: sourceOf(repository, ref, tree), root };
}

const MISSING: Unread = { reason: 'there is no such file or folder', code: 'ENOENT' };
const LINK: Unread = {
  reason: 'it is a symbolic link, or behind one',
  hint: 'Links are not followed in commits. Commit the file itself, or name the path that the link leads to.',
};
const LACKING: Unread = {
  reason: 'this clone does not have its content',
  hint: 'Clone without a filter, or fetch the content: git fetch --refetch origin',
};
const SUBMODULE: Unread = { reason: 'it is a submodule', hint: 'Name a file of the repository itself.' };

type Tree = ReadonlyMap<string, TreeEntry>;

/** The files of a commit, under the paths that they have in the work tree. */
function sourceOf(repository: Repository, ref: string, tree: Tree): FileSource {
  const { root } = repository;
  const readBlob = blobReader(repository);
  const pathIn = (path: string) => relative(root, path).split(sep).join('/');
  return {
    ref,
    kindOf: async (path) => {
      const found = entryAt(tree, pathIn(path));
      if (found !== MISSING) return 'reason' in found ? found : 'file';
      return childrenOf(tree, pathIn(path)).length > 0 ? 'folder' : MISSING;
    },
    yamlIn: async (folder, _, isDeep) =>
      childrenOf(tree, pathIn(folder)).filter(
        (name) => isYaml(name) && !/(^|\/)\./.test(name) && (isDeep || !name.includes('/')),
      ),
    rootOf: async () => root,
    read: async (_, path, bounds) => {
      if (bounds.root !== undefined && !isInside(bounds.root, path)) return OUTSIDE;
      const found = entryAt(tree, pathIn(path));
      if ('reason' in found) return found;
      const { id, size } = found;
      if (size === undefined) return LACKING;
      return size > bounds.most ? tooLarge(size, bounds.most) : { bytes: await readBlob({ id, size }) };
    },
    shownPath: (path) => `${ref}:${pathIn(path)}`,
  };
}

function entryAt(tree: Tree, path: string): TreeEntry | Unread {
  if (path.split('/')[0] === '..') return OUTSIDE;
  const parts = path.split('/');
  const ways = parts.map((_, index) => tree.get(parts.slice(0, index + 1).join('/')));
  const found = ways.find((each) => each !== undefined);
  if (found === undefined) return MISSING;
  if (found.kind === 'link') return LINK;
  if (found.kind === 'submodule') return SUBMODULE;
  return found === ways.at(-1) ? found : MISSING;
}

/** The paths of all that is below a folder, from there. */
function childrenOf(tree: Tree, folder: string): string[] {
  const start = folder === '' ? '' : `${folder}/`;
  return [...tree.keys()].filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
}
