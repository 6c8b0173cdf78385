import { setImmediate } from 'node:timers/promises';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { nearNames } from '../../core/model/near-names.ts';
import { present } from '../../core/model/present.ts';
import type { PlanBase } from '../../core/plan/plan.ts';
import { fail } from '../failure.ts';
import { askGit, callGit, gitFailed, type Repository } from './git.ts';

/** The most bytes of the names of all files of a commit: some hundred thousand files. */
const MOST_NAMES = { most: 64 * 1024 * 1024 };

/** The most bytes of the names of all branches and tags. */
const MOST_REFS = { most: 1024 * 1024 };

/** A file of a commit, or a link or submodule. Its size is unknown if the clone lacks the content. */
export interface TreeEntry {
  readonly kind: 'file' | 'other';
  readonly id: string;
  readonly size: number | undefined;
}

/** Resolves a ref to its commit. Fails if there is none. */
export async function resolveCommit(repository: Repository, ref: string): Promise<PlanBase> {
  const commit = await revParse(repository, ref);
  if (commit !== undefined) return { ref, commit };
  const shallow = await askGit(repository, ['rev-parse', '--is-shallow-repository']);
  const clone = shallow.toString().trim() === 'true' ? '; it is a shallow clone' : '';
  const problem = `The repository has no revision ${ref || 'without a name'}${clone}`;
  return fail(diagnostic('no-revision', { problem, ...present({ near: await nearRef(repository, ref) }) }));
}

async function revParse(repository: Repository, ref: string): Promise<string | undefined> {
  // Git would take it for a flag, or the system cannot pass it on.
  if (ref === '' || ref.startsWith('-') || /\p{Cc}/u.test(ref)) return undefined;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { code, bytes, reason } = await callGit(repository, args);
  // Git ends the same way if a branch has no upstream. It begins with `error: ` if it cannot read an object.
  if (code === undefined || (code > 1 && reason.startsWith('error: '))) return fail(gitFailed(reason));
  const id = bytes.toString().trim();
  return /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

/** The branch or tag that was probably meant. */
async function nearRef(repository: Repository, ref: string): Promise<string | undefined> {
  const args = ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/remotes', 'refs/tags'];
  const { bytes } = await callGit(repository, args, MOST_REFS);
  const names = bytes.toString().trim().split('\n');
  const remote = `origin/${ref}`;
  return names.includes(remote) ? remote : nearNames(ref, names)[0];
}

/** All files of a commit, by their paths with forward slashes. Names that no folder can have are left out. */
export async function listTree(
  repository: Repository,
  commit: string,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const args = ['ls-tree', '-r', '-z', '--long', '--full-tree', commit];
  const listed = await askGit(repository, args, MOST_NAMES);
  return new Map(listed.toString().split('\0').flatMap(parseEntry));
}

function parseEntry(line: string): [string, TreeEntry][] {
  const [, mode = '', id = '', bytes = '', path = ''] =
    /^(\d+) \w+ ([0-9a-f]+) +(\S+)\t(.+)$/s.exec(line) ?? [];
  const isPath = path.split('/').every((part) => !/^(\.{0,2}|\.git)$/i.test(part));
  const kind = mode.startsWith('100') ? 'file' : 'other';
  return isPath ? [[path, { kind, id, size: /^\d+$/.test(bytes) ? Number(bytes) : undefined }]] : [];
}

/** Makes a reader of blobs: one call of git reads all that are asked for in one turn of the event loop. */
export function blobReader(repository: Repository): (id: string, size: number) => Promise<Buffer> {
  let sizes = new Map<string, number>();
  let batch: Promise<Map<string, Buffer>> | undefined;
  const readAll = async () => {
    await setImmediate();
    const asked = sizes;
    sizes = new Map();
    batch = undefined;
    return readBlobs(repository, asked);
  };
  return async (id, size) => {
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
  const bytes = await askGit(repository, ['cat-file', '--batch=%(objectname)'], { input, most });
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
