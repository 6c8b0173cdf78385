import { setImmediate } from 'node:timers/promises';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { nearNames } from '../../core/model/near-names.ts';
import { present } from '../../core/model/present.ts';
import type { PlanBase } from '../../core/plan/plan.ts';
import { fail } from '../failure.ts';
import { askGit, callGit, gitFailed, type Repository } from './git.ts';

/** The most bytes of the names of all files of a commit: some hundred thousand files. */
const MOST_NAMES = 64 * 1024 * 1024;

/** The most bytes of the names of all branches and tags that one is suggested from. */
const MOST_REFS = 1024 * 1024;

/** A file, link or submodule of a commit; a clone may lack the content, and then tells no size. */
export interface TreeEntry {
  readonly kind: 'file' | 'link' | 'submodule';
  readonly id: string;
  readonly size: number | undefined;
}

/** Resolves a ref to its commit. Fails if there is none. */
export async function resolveCommit(repository: Repository, ref: string): Promise<PlanBase> {
  const commit = await revParse(repository, ref);
  if (commit !== undefined) return { ref, commit };
  const isShallow = await askGit(repository, { args: ['rev-parse', '--is-shallow-repository'] });
  const near = await nearRef(repository, ref);
  const shallow = isShallow.toString().trim() === 'true' ? '; it is a shallow clone' : '';
  return fail(
    diagnostic('no-revision', {
      problem: `The repository has no revision ${ref || 'without a name'}${shallow}`,
      ...present({ near }),
    }),
  );
}

async function revParse(repository: Repository, ref: string): Promise<string | undefined> {
  // Git would take it for a flag, or the system cannot pass it on.
  if (ref === '' || ref.startsWith('-') || /\p{Cc}/u.test(ref)) return undefined;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { code, bytes, reason } = await callGit(repository, { args });
  // Git also ends so if a branch has no upstream. It begins with `error: ` if it cannot read an object.
  if (code === undefined || (code > 1 && reason.startsWith('error: '))) return fail(gitFailed(reason));
  const id = bytes.toString().trim();
  return /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

/** The branch or tag that was probably meant. */
async function nearRef(repository: Repository, ref: string): Promise<string | undefined> {
  const args = ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/remotes', 'refs/tags'];
  const { code, bytes } = await callGit(repository, { args, most: MOST_REFS });
  const names = code === 0 ? bytes.toString().trim().split('\n') : [];
  const remote = `origin/${ref}`;
  return names.includes(remote) ? remote : nearNames(ref, names)[0];
}

/** All files of a commit, by their paths with forward slashes. Names that no folder can have are left out. */
export async function listTree(
  repository: Repository,
  commit: string,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const args = ['ls-tree', '-r', '-z', '--long', '--full-tree', commit];
  const listed = await askGit(repository, { args, most: MOST_NAMES });
  return new Map(listed.toString().split('\0').flatMap(parseEntry));
}

function parseEntry(line: string): [string, TreeEntry][] {
  const [, mode, id = '', bytes = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+) +(\S+)\t(.+)$/s.exec(line) ?? [];
  const isPath = path.split('/').every((part) => !/^(\.{0,2}|\.git)$/i.test(part));
  const kind = mode === '120000' ? 'link' : mode === '160000' ? 'submodule' : 'file';
  return isPath ? [[path, { kind, id, size: /^\d+$/.test(bytes) ? Number(bytes) : undefined }]] : [];
}

/** A blob that can be read. */
interface Blob {
  readonly id: string;
  readonly size: number;
}

/** Makes a reader of blobs: what is asked for in one turn of the event loop takes one call of git. */
export function blobReader(repository: Repository): (blob: Blob) => Promise<Buffer> {
  let batch: { readonly sizes: Map<string, number>; readonly read: Promise<Map<string, Buffer>> } | undefined;
  const start = () => {
    const sizes = new Map<string, number>();
    const read = setImmediate().then(() => {
      batch = undefined;
      return readBlobs(repository, sizes);
    });
    return { sizes, read };
  };
  return async ({ id, size }) => {
    batch ??= start();
    const { sizes, read } = batch;
    sizes.set(id, size);
    return (await read).get(id) ?? Buffer.alloc(0);
  };
}

async function readBlobs(
  repository: Repository,
  sizes: ReadonlyMap<string, number>,
): Promise<Map<string, Buffer>> {
  const ids = [...sizes.keys()];
  const most = [...sizes.values()].reduce((sum, size) => sum + size + 128, 0);
  const input = `${ids.join('\n')}\n`;
  const bytes = await askGit(repository, { args: ['cat-file', '--batch=%(objectname)'], input, most });
  // Git prints the id in a line, the bytes, and a line end.
  let start = 0;
  return new Map(
    ids.map((id): [string, Buffer] => {
      const from = start + id.length + 1;
      start = from + (sizes.get(id) ?? 0) + 1;
      return [id, bytes.subarray(from, start - 1)];
    }),
  );
}
