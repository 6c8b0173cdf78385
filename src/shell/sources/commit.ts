import { dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { didYouMean } from '../../core/findings/words.ts';
import { present } from '../../core/model/json.ts';
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

/** Opens the commit that a ref means in the repository around files of flags, or here. Only git's objects are read. */
export async function openCommit(
  run: Run,
  [file = '.']: readonly string[],
  ref: string,
) {
  const { cwd } = run.runtime;
  const folder = resolve(cwd, file);
  const root = await gitRoot(folder);
  if (root === undefined) {
    const problem = `${shownPath(folder, cwd) || '.'} is in no git repository`;
    const hint = 'Run it in a clone of the repository of the configuration.';
    return fail(diagnostic('no-revision', { problem, hint }));
  }
  const repository = await openRepository(run, root);
  const commit =
    (await revParse(repository, ref)) ?? (await failUnknown(repository, ref));
  return {
    base: { ref, commit },
    source: sourceOf(repository, ref, await listTree(repository, commit)),
  };
}

/** Fails because a ref means no commit. Names the branch or tag that was probably meant: pipelines often have only `origin/…`. */
async function failUnknown({ ask }: Repository, ref: string): Promise<never> {
  const shallow = await ask(['rev-parse', '--is-shallow-repository']);
  const clone =
    shallow.toString().trim() === 'true' ? '; it is a shallow clone' : '';
  const problem = `The repository has no revision ${ref || 'without a name'}${clone}`;
  const args = [
    'for-each-ref',
    '--format=%(refname:short)',
    'refs/heads',
    'refs/remotes',
    'refs/tags',
  ];
  const names = (await ask(args, { most: 16 * 1024 * 1024 }))
    .toString()
    .trim()
    .split('\n');
  const remote = `origin/${ref}`;
  const hint = didYouMean(names.includes(remote) ? remote : ref, names);
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
  const id = (await call(args)).bytes.toString().trim();
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

/** The files of a commit as a source of configuration. */
function sourceOf(repository: Repository, ref: string, tree: Tree): FileSource {
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
    ref,
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
    shownPath: (path) => `${ref}:${shownPath(path, root)}`,
  };
}
