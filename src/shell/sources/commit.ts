import { setImmediate } from 'node:timers/promises';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/json.ts';
import { nearNames } from '../../core/model/near-names.ts';
import type { PlanBase } from '../../core/plan/plan.ts';
import { fail } from '../failure.ts';
import { failGit, openRepository, type Repository } from '../git/git.ts';
import { gitRoot, isInside } from '../paths.ts';
import type { Run } from '../run.ts';
import { type FileSource, isYaml, OUTSIDE, shownPath, tooLarge, type Unread } from './files.ts';

/** Opens the commit that a ref means in the repository around a folder. Only git's objects are read. */
export async function openCommit(run: Run, folder: string, ref: string) {
  const root = await gitRoot(folder);
  if (root === undefined) {
    const problem = `${shownPath(folder, run.runtime.cwd) || '.'} is in no git repository`;
    const hint = 'Run it in a clone of the repository of the configuration.';
    return fail(diagnostic('no-revision', { problem, hint }));
  }
  const repository = await openRepository(run, root);
  const base = await resolveCommit(repository, ref);
  return { base, source: sourceOf(repository, ref, await listTree(repository, base.commit)) };
}

/** Resolves a ref to its commit. Fails if there is none. */
async function resolveCommit(repository: Repository, ref: string): Promise<PlanBase> {
  const commit = await revParse(repository, ref);
  if (commit !== undefined) return { ref, commit };
  const shallow = await repository.ask(['rev-parse', '--is-shallow-repository']);
  const clone = shallow.toString().trim() === 'true' ? '; it is a shallow clone' : '';
  const problem = `The repository has no revision ${ref || 'without a name'}${clone}`;
  return fail(diagnostic('no-revision', { problem, ...present({ near: await nearRef(repository, ref) }) }));
}

/** The branch or tag that was probably meant; pipelines often have a branch of the remote alone. */
async function nearRef(repository: Repository, ref: string): Promise<string | undefined> {
  const args = ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/remotes', 'refs/tags'];
  const names = (await repository.call(args)).bytes.toString().trim().split('\n');
  return names.includes(`origin/${ref}`) ? `origin/${ref}` : nearNames(ref, names)[0];
}

async function revParse(repository: Repository, ref: string): Promise<string | undefined> {
  // Git would take it for a flag, or the system cannot pass it on.
  if (ref === '' || ref.startsWith('-') || /\p{Cc}/u.test(ref)) return undefined;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { code, bytes, reason } = await repository.call(args);
  // Git ends the same way if a branch has no upstream. It begins with `error: ` if it cannot read an object.
  if (code === undefined || (code > 1 && reason.startsWith('error: '))) return failGit(reason);
  const id = bytes.toString().trim();
  return /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

const MISSING: Unread = { reason: 'there is no such file or folder', code: 'ENOENT' };
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

/** The files of a commit by their paths, with forward slashes; of some only why they are not read. */
type Tree = ReadonlyMap<string, Blob | Unread>;

/** Lists the files of a commit. Names that no folder can have are left out. */
async function listTree(repository: Repository, commit: string): Promise<Tree> {
  const args = ['ls-tree', '-r', '-z', '--long', '--full-tree', commit];
  // Names of some hundred thousand files.
  const listed = await repository.ask(args, { most: 64 * 1024 * 1024 });
  return new Map(listed.toString().split('\0').flatMap(parseEntry));
}

function parseEntry(line: string): [string, Blob | Unread][] {
  const [, mode = '', id = '', bytes = '', path = ''] =
    /^(\d+) \w+ ([0-9a-f]+) +(\S+)\t(.+)$/s.exec(line) ?? [];
  if (path.split('/').some((part) => /^(\.{0,2}|\.git)$/i.test(part))) return [];
  if (!mode.startsWith('100')) return [[path, NO_FILE]];
  return [[path, /^\d+$/.test(bytes) ? { id, size: Number(bytes) } : LACKING]];
}

/** Makes a reader of blobs: one call of git reads all that are asked for in one turn of the event loop. */
function blobReader(repository: Repository): (blob: Blob) => Promise<Buffer> {
  let sizes = new Map<string, number>();
  let batch: Promise<Map<string, Buffer>> | undefined;
  const readAll = async () => {
    await setImmediate();
    const asked = sizes;
    sizes = new Map();
    batch = undefined;
    return readBlobs(repository, asked);
  };
  return async ({ id, size }) => {
    sizes.set(id, size);
    batch ??= readAll();
    return (await batch).get(id) ?? Buffer.alloc(0);
  };
}

async function readBlobs(
  repository: Repository,
  sizes: ReadonlyMap<string, number>,
): Promise<Map<string, Buffer>> {
  const input = [...sizes.keys(), ''].join('\n');
  const most = [...sizes.values()].reduce((sum, size) => sum + size + 128, 0);
  const bytes = await repository.ask(['cat-file', '--batch=%(objectname)'], { input, most });
  // Git prints the id in a line, the bytes, and a line end.
  let end = 0;
  return new Map(
    [...sizes].map(([id, size]): [string, Buffer] => {
      const from = end + id.length + 1;
      end = from + size + 1;
      return [id, bytes.subarray(from, from + size)];
    }),
  );
}

/** The files of a commit, under the paths that they have in the work tree. */
function sourceOf(repository: Repository, ref: string, tree: Tree): FileSource {
  const { root } = repository;
  const readBlob = blobReader(repository);
  const pathIn = (path: string) => shownPath(path, root);
  return {
    ref,
    kindOf: async (path) => {
      const found = entryAt(tree, pathIn(path));
      if ('id' in found) return 'file';
      return found === MISSING && namesIn(tree, pathIn(path)).length > 0 ? 'folder' : found;
    },
    yamlIn: async (folder, _, isDeep) =>
      namesIn(tree, pathIn(folder)).filter((name) => isYaml(name) && (isDeep || !name.includes('/'))),
    rootOf: async () => root,
    read: async (_, path, bounds) => {
      if (bounds.root !== undefined && !isInside(bounds.root, path)) return OUTSIDE;
      const found = entryAt(tree, pathIn(path));
      if ('reason' in found) return found;
      return found.size > bounds.most ? tooLarge(bounds.most) : { bytes: await readBlob(found) };
    },
    shownPath: (path) => `${ref}:${pathIn(path)}`,
  };
}

function entryAt(tree: Tree, path: string): Blob | Unread {
  const parts = path.split('/');
  if (parts[0] === '..') return OUTSIDE;
  const isBehind = parts.some((_, at) => tree.get(parts.slice(0, at).join('/')) === NO_FILE);
  return tree.get(path) ?? (isBehind ? NO_FILE : MISSING);
}

/** The paths of all files below a folder, from there. */
function namesIn(tree: Tree, folder: string): string[] {
  const start = folder === '' ? '' : `${folder}/`;
  return [...tree.keys()].filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
}
