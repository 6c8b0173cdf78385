import { join, relative, sep } from 'node:path';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import type { PlanBase } from '../../core/plan/plan.ts';
import { fail } from '../failure.ts';
import { openRepository, type Repository } from '../git/git.ts';
import { commitOf, ObjectReader, type TreeEntry, treeOf } from '../git/objects.ts';
import { gitRoot } from '../git-root.ts';
import { isInside } from '../report-target.ts';
import type { Run } from '../run.ts';
import type { Entry, FileSource } from './files.ts';
import { type Bounds, OUTSIDE, type Unread } from './regular-file.ts';
import { remembered } from './remembered.ts';
import { shownPath, WORK_TREE } from './work-tree.ts';

/** The files of a commit, and which commit it is. */
export interface Revision {
  readonly base: PlanBase;
  readonly source: FileSource;
  readonly repository: Repository;
  /** All that it holds, by paths from the root. */
  readonly tree: ReadonlyMap<string, TreeEntry>;
}

/** The files at a ref of the repository that a folder is in, from git's objects alone, to compare with later ones. */
export async function openRevision(
  run: Run,
  folder: string,
  ref: string,
  later: FileSource = WORK_TREE,
): Promise<Revision> {
  const root =
    (await gitRoot(folder)) ??
    fail(diagnostic('no-repository', { folder: shownPath(folder, run.runtime.cwd) || '.' }));
  const repository = await openRepository(run, root);
  const base = await commitOf(repository, ref);
  const tree = await treeOf(repository, base.commit);
  return { base, source: new RevisionFiles(repository, ref, tree, later), repository, tree };
}

/** How many links are followed on the way to one file. */
const MOST_LINKS = 40;

/** The most bytes of the target of a link. */
const LONGEST_TARGET = 4_096;

const MISSING: Unread = { reason: 'there is no such file or folder', code: 'ENOENT' };
const LOOP: Unread = { reason: 'its symbolic links form a loop' };
const NO_OBJECT: Unread = {
  reason: 'this clone does not have its content',
  hint: 'Clone without a filter, or fetch the content: git fetch --refetch origin',
};
const NO_FILE: Unread = { reason: 'it is not a regular file', hint: 'Name a file of the repository itself.' };

/** What a path leads to in a commit; `at` is its path there once links are followed. */
type Found =
  | { readonly kind: 'file'; readonly at: string; readonly id: string }
  | { readonly kind: 'folder'; readonly at: string }
  | { readonly kind: 'other'; readonly at: string };

/** A link in a folder, and what is left of the path behind it. */
interface Link {
  readonly kind: 'link';
  readonly id: string;
  readonly at: string;
  readonly ahead: readonly string[];
}

/** The files of one commit, under the paths that they have in the work tree. */
class RevisionFiles implements FileSource {
  readonly ref: string;
  readonly later: FileSource;
  readonly #root: string;
  readonly #tree: ReadonlyMap<string, TreeEntry>;
  /** The names in each folder. */
  readonly #folders: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #reader: ObjectReader;
  /** The targets of links, by the ids of their objects. */
  readonly #targetOf: (id: string) => Promise<string | Unread>;

  constructor(repository: Repository, ref: string, tree: ReadonlyMap<string, TreeEntry>, later: FileSource) {
    this.ref = ref;
    this.later = later;
    this.#root = repository.root;
    this.#tree = tree;
    this.#folders = foldersOf(tree.keys());
    this.#reader = new ObjectReader(repository);
    this.#targetOf = remembered((id) => this.#readTarget(id));
  }

  kindOf = async (path: string): Promise<'file' | 'folder' | Unread> => {
    const found = await this.#find(path);
    if ('reason' in found) return found;
    return found.kind === 'other' ? MISSING : found.kind;
  };

  isNamed = async (path: string): Promise<boolean> => {
    const named = this.#pathIn(path);
    return named !== undefined && this.#tree.has(named);
  };

  entriesOf = async (folder: string, left: { entries: number }): Promise<readonly Entry[] | undefined> => {
    const found = await this.#find(folder);
    if ('reason' in found) return [];
    const names = [...(this.#folders.get(found.at) ?? [])].sort();
    left.entries -= names.length;
    if (left.entries < 0) return undefined;
    const entries: Entry[] = [];
    for (const name of names) {
      const target = await this.#find(join(this.#root, found.at, name));
      if ('reason' in target || target.kind === 'other') continue;
      const isLink = this.#tree.get(found.at === '' ? name : `${found.at}/${name}`)?.kind === 'link';
      entries.push(entryOf(name, isLink && target.kind === 'folder' ? 'link' : target.kind));
    }
    return entries;
  };

  realPathOf = async (path: string): Promise<string> => {
    const found = await this.#find(path);
    return 'reason' in found ? path : join(this.#root, found.at);
  };

  rootOf = async (): Promise<string> => this.#root;

  blobOf = async (_: Run, path: string): Promise<string | undefined> => {
    const found = await this.#find(path);
    return 'reason' in found || found.kind !== 'file' ? undefined : found.id;
  };

  formerPathOf = async (run: Run, path: string): Promise<string | undefined> => {
    const [first] = this.#tree.values();
    const blob = await this.later.blobOf(run, path, first?.id.length === 64 ? 'sha256' : 'sha1');
    const same = [...this.#tree].filter(([, { kind, id }]) => kind === 'file' && id === blob);
    const paths = same.map(([name]) => join(this.#root, name));
    const isLeft = await Promise.all(paths.map((each) => this.later.isNamed(each)));
    const [former, ...others] = paths.filter((_, index) => isLeft[index] !== true);
    return others.length === 0 ? former : undefined;
  };

  read = async (
    _: Run,
    path: string,
    { most, root }: Bounds,
  ): Promise<{ readonly bytes: Buffer } | Unread> => {
    const found = await this.#find(path);
    if ('reason' in found) return found;
    if (found.kind !== 'file') return NO_FILE;
    if (root !== undefined && !isInside(await this.realPathOf(root), join(this.#root, found.at)))
      return OUTSIDE;
    const content = await this.#reader.read(found.id, most);
    if (content === undefined) return NO_OBJECT;
    if ('size' in content) return { reason: `it has more than ${most} bytes`, size: content.size };
    return { bytes: content.bytes };
  };

  /** As git names it: the ref, then the path in the repository. */
  shownPath = (path: string): string => `${this.ref}:${this.#pathIn(path) ?? path}`;

  /** A path inside the repository; undefined for one outside. */
  #pathIn(path: string): string | undefined {
    const way = relative(this.#root, path).split(sep);
    return way[0] === '..' ? undefined : way.join('/');
  }

  /** Follows a path, and the links on it, as far as they stay in the commit. */
  async #find(path: string): Promise<Found | Unread> {
    const inside = this.#pathIn(path);
    return inside === undefined ? OUTSIDE : this.#findIn(inside, 0);
  }

  async #findIn(path: string, links: number): Promise<Found | Unread> {
    const found = this.#walk(path.split('/'));
    if ('reason' in found || found.kind !== 'link') return found;
    if (links === MOST_LINKS) return LOOP;
    const target = await this.#targetOf(found.id);
    if (typeof target !== 'string') return target;
    return this.#findIn([found.at, target, ...found.ahead].join('/'), links + 1);
  }

  /** Goes as far as the first link. */
  #walk(parts: readonly string[]): Found | Unread | Link {
    let at = '';
    for (const [index, part] of parts.entries()) {
      const next = this.#step(at, part);
      const ahead = parts.slice(index + 1);
      if ('reason' in next) return next;
      if (next.kind === 'link') return { ...next, at, ahead };
      if (next.kind !== 'folder') return ahead.length === 0 ? next : MISSING;
      at = next.at;
    }
    return { kind: 'folder', at };
  }

  /** What a name leads to in a folder; a link is not followed. */
  #step(folder: string, name: string): Found | Unread | Pick<Link, 'kind' | 'id'> {
    if (name === '' || name === '.') return { kind: 'folder', at: folder };
    if (name === '..') return folder === '' ? OUTSIDE : { kind: 'folder', at: parentOf(folder) };
    const at = folder === '' ? name : `${folder}/${name}`;
    const entry = this.#tree.get(at);
    if (entry === undefined) return this.#folders.has(at) ? { kind: 'folder', at } : MISSING;
    const { kind, id } = entry;
    if (kind === 'link') return { kind, id };
    return kind === 'file' ? { kind, at, id } : { kind: 'other', at };
  }

  async #readTarget(id: string): Promise<string | Unread> {
    const content = await this.#reader.read(id, LONGEST_TARGET);
    if (content === undefined) return NO_OBJECT;
    const target = 'bytes' in content ? content.bytes.toString() : '/';
    return target.startsWith('/') ? OUTSIDE : target;
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The names in each folder, by its path; the root has the empty one. */
function foldersOf(paths: Iterable<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const folders = new Map<string, Set<string>>([['', new Set()]]);
  for (const path of paths) {
    for (let name = path; name !== ''; ) {
      const folder = parentOf(name);
      const names = folders.get(folder) ?? new Set();
      const own = name.slice(name.lastIndexOf('/') + 1);
      folders.set(folder, names);
      if (names.has(own)) break;
      names.add(own);
      name = folder;
    }
  }
  return folders;
}

function entryOf(name: string, kind: 'file' | 'folder' | 'link'): Entry {
  return {
    name,
    isFile: () => kind === 'file',
    isDirectory: () => kind === 'folder',
    isSymbolicLink: () => kind === 'link',
  };
}
