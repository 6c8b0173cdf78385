import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Unread } from '../../core/config/resolve.ts';
import { REFETCH, type Repository } from '../git/git.ts';
import { isInside } from '../paths.ts';
import { type FileSource, OUTSIDE, shownPath, textOf } from './files.ts';

/** A file of a commit. */
interface Blob {
  readonly id: string;
  /** From the root of the repository. */
  readonly path: string;
}

const MISSING: Unread = {
  reason: 'there is no such file or folder',
  code: 'ENOENT',
};

const NO_FILE: Unread = {
  reason: 'it is a symbolic link or a submodule, or behind one',
  hint: 'Neither is followed in commits. Commit the file itself, or name the path that the link leads to.',
};

/** The files of a commit; messages call it by `name`. */
export async function commitFiles(
  repository: Repository,
  commit: string,
  name: string,
): Promise<FileSource> {
  const { root } = repository;
  const tree = await listTree(repository, commit);
  const readBlob = blobReader(repository);
  return {
    ref: name,
    list: async (path) => {
      const entry = entryAt(tree, root, path);
      if ('id' in entry) return [path];
      const files = [...tree.keys()].filter((file) => isInside(path, file));
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
}

/** The files by the paths that they have in the work tree, or why not. */
type Tree = ReadonlyMap<string, Blob | Unread>;

async function listTree(
  { root, ask }: Repository,
  commit: string,
): Promise<Tree> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit];
  // Names of some hundred thousand files.
  const listed = await ask(args, { most: 64 * 1024 * 1024 });
  const tree = new Map<string, Blob | Unread>();
  for (const line of listed.toString().split('\0')) {
    const match = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line);
    if (match === null) continue;
    const [, mode = '', id = '', path = ''] = match;
    // No work tree has such a path.
    if (/(^|\/)(\.{0,2}|\.git)($|\/)/i.test(path)) continue;
    const isFile = mode.startsWith('100');
    tree.set(join(root, path), isFile ? { id, path } : NO_FILE);
  }
  return tree;
}

function entryAt(tree: Tree, root: string, path: string): Blob | Unread {
  if (path === root) return MISSING;
  if (!isInside(root, path)) return OUTSIDE;
  const entry = tree.get(path);
  if (entry !== undefined) return entry;
  // A path may lead through a link or a submodule.
  const isBehindLink = entryAt(tree, root, dirname(path)) === NO_FILE;
  return isBehindLink ? NO_FILE : MISSING;
}

type Content = Buffer | Unread;

/**
 * Makes a reader of files: one call of git reads all that are asked for in one
 * turn of the event loop.
 */
function blobReader(
  repository: Repository,
): (blob: Blob) => Promise<Content | undefined> {
  let waiting: Blob[] = [];
  let batch: Promise<ReadonlyMap<Blob, Content>> | undefined;
  const readBatch = async (): Promise<ReadonlyMap<Blob, Content>> => {
    await setImmediate();
    const blobs = waiting;
    waiting = [];
    batch = undefined;
    return readBlobs(repository, blobs);
  };
  return async (blob) => {
    waiting.push(blob);
    batch ??= readBatch();
    const contents = await batch;
    return contents.get(blob);
  };
}

/** The most bytes of all files that one call reads. */
const MOST = 256 * 1024 * 1024;

/** Reads files. No filter is run: a file behind one is that of the work tree. */
async function readBlobs(
  repository: Repository,
  blobs: readonly Blob[],
): Promise<ReadonlyMap<Blob, Content>> {
  const filters = await filtersOf(repository, blobs);
  const filtered = blobs.filter(({ path }) => filters.has(path));
  const staged = await stagedFiles(repository, filtered);
  const contents = new Map<Blob, Content>();
  const plain: Blob[] = [];
  for (const blob of blobs) {
    const filter = filters.get(blob.path);
    if (filter === undefined) {
      plain.push(blob);
      continue;
    }
    const file = staged.get(blob.path);
    const content =
      file?.id === blob.id
        ? await readUnchanged(join(repository.root, blob.path), file, filter)
        : behindFilter(blob, filter);
    contents.set(blob, content);
  }
  if (plain.length > 0) await readPlain(repository, plain, contents);
  return contents;
}

/** Finds the filters that attributes give to files, by path. */
async function filtersOf(
  { ask }: Repository,
  blobs: readonly Blob[],
): Promise<ReadonlyMap<string, string>> {
  const input = blobs.map(({ path }) => `${path}\0`).join('');
  const args = ['check-attr', '-z', '--stdin', 'filter'];
  const bytes = await ask(args, { input, most: MOST });
  const filters = new Map<string, string>();
  for (const [, path = '', filter = ''] of bytes
    .toString()
    .matchAll(/([^\0]+)\0filter\0([^\0]+)\0/g)) {
    if (!/^(unspecified|unset|set)$/.test(filter)) filters.set(path, filter);
  }
  return filters;
}

/** A file as the index has it. */
interface StagedFile {
  readonly id: string;
  /** Seconds and nanoseconds. */
  readonly time: string;
  readonly size: string;
}

/** Reads from the index which content files have in the work tree, by path. */
async function stagedFiles(
  { ask }: Repository,
  blobs: readonly Blob[],
): Promise<ReadonlyMap<string, StagedFile>> {
  const staged = new Map<string, StagedFile>();
  if (blobs.length === 0) return staged;
  const paths = blobs.map(({ path }) => path);
  const flags = ['--stage', '--debug', '-z'];
  const args = ['--literal-pathspecs', 'ls-files', ...flags, '--', ...paths];
  const listed = await ask(args, { most: MOST });
  for (const [, id = '', path = '', time = '', size = ''] of listed
    .toString()
    .matchAll(STAGED)) {
    staged.set(path, { id, time, size });
  }
  return staged;
}

/** The id and path of a staged file, the time and size that it had. */
const STAGED =
  /(\w+) 0\t([^\0]+)\0[^\0]*?mtime: (\d+:\d+)\n[^\0]*?size: (\d+)\t/g;

const SECOND = 1_000_000_000n;

/**
 * Reads a file of the work tree that is as the index has it. Its time and size
 * tell that: git itself would run the filter to be sure.
 */
async function readUnchanged(
  path: string,
  staged: StagedFile,
  filter: string,
): Promise<Content> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  const { mtimeNs = 0n, size = 0n } = stats ?? {};
  const time = `${mtimeNs / SECOND}:${mtimeNs % SECOND}`;
  const isSame = time === staged.time && String(size) === staged.size;
  if (isSame && stats?.isFile() === true) return readFile(path);
  return {
    reason: `it is behind the filter ${filter}, and may differ in the work tree`,
    hint: 'Run git status, which looks; then commit the change, if there is one.',
    code: 'ENODATA',
  };
}

/** Refuses a file that changed since the commit; its id still tells that. */
function behindFilter({ id }: Blob, filter: string): Unread {
  return {
    reason: `it changed, and setpoint does not run its filter ${filter}`,
    hint: 'Keep configuration out of the filter. A file that a reference names may stay behind it: that it changed is seen.',
    code: 'ENODATA',
    blob: id,
  };
}

/** Reads files as git holds them. */
async function readPlain(
  { call }: Repository,
  blobs: readonly Blob[],
  contents: Map<Blob, Content>,
): Promise<void> {
  const input = blobs.map(({ id }) => `${id}\n`).join('');
  const { bytes, reason } = await call(['cat-file', '--batch'], {
    input,
    most: MOST,
  });
  let position = 0;
  for (const blob of blobs) {
    const lineEnd = bytes.indexOf('\n', position);
    const head = bytes.toString('latin1', position, Math.max(0, lineEnd));
    const [, size] = /^\w+ blob (\d+)$/.exec(head) ?? [];
    const start = lineEnd < 0 ? bytes.length : lineEnd + 1;
    const end = start + Number(size ?? 0);
    const isWhole = size !== undefined && end < bytes.length;
    const lacking = reason || 'git does not have its content';
    contents.set(
      blob,
      isWhole
        ? bytes.subarray(start, end)
        : { reason: lacking, hint: REFETCH, code: 'ENODATA' },
    );
    position = size === undefined ? start : end + 1;
  }
}
