import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Unread } from '../../core/config/resolve.ts';
import { REFETCH, type Repository } from '../git/git.ts';
import { isInside, isThere, quoted } from '../paths.ts';
import { decodedText, type FileSource, OUTSIDE, shownPath } from './files.ts';

/** A file of a commit. */
interface Blob {
  id: string;
  /** From the root of the repository. */
  path: string;
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
      return 'reason' in content ? content : decodedText(content, bounds);
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
  const listed = await ask(args);
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

/**
 * Reads files as a checkout writes them. Behind a filter, what did not change
 * is in the work tree; the rest goes through the user's own filters.
 */
async function readBlobs(
  repository: Repository,
  blobs: readonly Blob[],
): Promise<ReadonlyMap<Blob, Content>> {
  const filters = await filtersOf(repository, blobs);
  const filtered = blobs.filter(({ path }) => filters.has(path));
  const contents = await readUnchanged(repository, filtered);
  const changed = filtered.filter((blob) => !contents.has(blob));
  const others = blobs.filter((blob) => !contents.has(blob));
  await readRaw(repository, others, contents);
  if (changed.length === 0) return contents;
  const commands = await userFilters(repository);
  for (const blob of changed) {
    const filter = filters.get(blob.path) ?? '';
    const command = commands.get(filter);
    const raw = contents.get(blob);
    if (command === undefined) contents.set(blob, barredBy(filter));
    else if (Buffer.isBuffer(raw)) {
      // As git expands it.
      const words = command.replaceAll('%f', () => quoted(blob.path));
      const { code, bytes, reason } = await repository.filter(words, raw);
      const problem = `its filter ${filter} failed: ${reason}`;
      const hint = 'Install it, or unlock the repository.';
      contents.set(blob, code === 0 ? bytes : lacking(problem, hint));
    }
  }
  return contents;
}

/** The user's own smudge commands, by their filters. */
async function userFilters({
  call,
}: Repository): Promise<ReadonlyMap<string, string>> {
  const keys = '^filter\\..*\\.smudge$';
  const args = ['--git-dir=/dev/null', 'config', '-z', '--get-regexp', keys];
  const { bytes } = await call(args, { isUsers: true });
  const commands = new Map<string, string>();
  for (const [, filter = '', command = ''] of bytes
    .toString()
    .matchAll(/filter\.([^\n]+)\.smudge\n([^\0]+)\0/g)) {
    commands.set(filter, command);
  }
  return commands;
}

/** Refuses a file whose content git cannot give. */
function lacking(reason: string, hint: string): Unread {
  return { reason, hint, code: 'ENODATA' };
}

/** Refuses a file behind a filter that the user's own settings do not have. */
function barredBy(name: string): Unread {
  const filter = /^[\w.-]+$/.test(name) ? name : 'NAME';
  const key = `filter.${filter}.smudge`;
  return lacking(
    `your own git settings do not have its filter ${filter}`,
    `Install the filter or unlock the repository, then: git config --global ${key} "$(git config ${key})". No filter of the repository's own settings is run.`,
  );
}

/** Finds the filters that attributes give to files, by path. */
async function filtersOf(
  { ask }: Repository,
  blobs: readonly Blob[],
): Promise<ReadonlyMap<string, string>> {
  const input = blobs.map(({ path }) => `${path}\0`).join('');
  const args = ['check-attr', '-z', '--stdin', 'filter'];
  const bytes = await ask(args, { input, isUsers: true });
  const filters = new Map<string, string>();
  for (const [, path = '', filter = ''] of bytes
    .toString()
    .matchAll(/([^\0]+)\0filter\0([^\0]+)\0/g)) {
    if (!UNNAMED.test(filter)) filters.set(path, filter);
  }
  return filters;
}

/** Attributes that name no filter. That of LFS is none: it would download. */
const UNNAMED = /^(unspecified|unset|set|lfs)$/;

/**
 * Reads files of the work tree that are as a commit has them. The times of the
 * index tell it: git itself would run filters to be sure.
 */
async function readUnchanged(
  { root, ask }: Repository,
  blobs: readonly Blob[],
): Promise<Map<Blob, Content>> {
  const contents = new Map<Blob, Content>();
  if (blobs.length === 0) return contents;
  const paths = blobs.map(({ path }) => path);
  const flags = ['--stage', '--debug', '-z'];
  const args = ['--literal-pathspecs', 'ls-files', ...flags, '--', ...paths];
  const staged = new Set<string>();
  for (const [, ...facts] of (await ask(args)).toString().matchAll(STAGED)) {
    staged.add(facts.join(' '));
  }
  for (const blob of blobs) {
    const file = join(root, blob.path);
    if (!isThere(file)) continue;
    const stats = lstatSync(file, { bigint: true });
    if (!stats.isFile()) continue;
    const { mtimeNs, size } = stats;
    const time = `${mtimeNs / SECOND}:${mtimeNs % SECOND}`;
    const facts = [blob.id, blob.path, time, size].join(' ');
    if (staged.has(facts)) contents.set(blob, readFileSync(file));
  }
  return contents;
}

const SECOND = 1_000_000_000n;

/** The id and path of a staged file, the time and size that it had. */
const STAGED =
  /(\w+) 0\t([^\0]+)\0[^\0]*?mtime: (\d+:\d+)\n[^\0]*?size: (\d+)\t/g;

/** Reads files as git holds them. */
async function readRaw(
  { call }: Repository,
  blobs: readonly Blob[],
  contents: Map<Blob, Content>,
): Promise<void> {
  if (blobs.length === 0) return;
  const input = blobs.map(({ id }) => `${id}\n`).join('');
  const { bytes, reason } = await call(['cat-file', '--batch'], { input });
  let position = 0;
  for (const blob of blobs) {
    const lineEnd = bytes.indexOf('\n', position);
    const head = bytes.toString('latin1', position, Math.max(0, lineEnd));
    const [, size] = /^\w+ blob (\d+)$/.exec(head) ?? [];
    const start = lineEnd < 0 ? bytes.length : lineEnd + 1;
    const end = start + Number(size ?? -1);
    position = end + 1;
    const isWhole = size !== undefined && end < bytes.length;
    contents.set(
      blob,
      isWhole
        ? bytes.subarray(start, end)
        : lacking(reason || 'git does not have its content', REFETCH),
    );
  }
}
