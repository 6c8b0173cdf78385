import { setImmediate } from 'node:timers/promises';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/present.ts';
import type { PlanBase } from '../../core/plan/plan.ts';
import { fail } from '../failure.ts';
import { askGit, callGit, type Repository } from './git.ts';

/** The most bytes of the names of all files of a commit: some hundred thousand files. */
const MOST_NAMES = 64 * 1024 * 1024;

/** One file, link or submodule of a commit. */
export interface TreeEntry {
  readonly kind: 'file' | 'link' | 'submodule';
  readonly id: string;
}

/** The content of an object; its size alone where that is over the limit, and undefined where the clone lacks it. */
export type Content = { readonly bytes: Buffer } | { readonly size: number } | undefined;

/** The commit that a ref means. Fails where it means none. */
export async function commitOf(repository: Repository, ref: string): Promise<PlanBase> {
  const commit = await revisionOf(repository, ref);
  if (commit !== undefined) return { ref, commit };
  const isShallow = (await askGit(repository, { args: ['rev-parse', '--is-shallow-repository'] })).toString();
  const remote = `origin/${ref}`;
  const near = (await revisionOf(repository, remote)) === undefined ? undefined : remote;
  return fail(
    diagnostic('unknown-revision', { ref, isShallow: isShallow.trim() === 'true', ...present({ near }) }),
  );
}

async function revisionOf(repository: Repository, ref: string): Promise<string | undefined> {
  // What begins like a flag is no ref, and one that the system cannot pass on is none either.
  if (ref === '' || ref.startsWith('-') || /\p{Cc}/u.test(ref)) return undefined;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { code, bytes, reason } = await callGit(repository, { args });
  // Git ends so for much that a ref may lack, such as an upstream. Before the end it tells what it cannot read.
  if (code === undefined || (code > 1 && reason.startsWith('error: ')))
    return fail(diagnostic('git-failed', { reason }));
  const id = bytes.toString().trim();
  return /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

/** All files of a commit, by their paths with forward slashes. Names that no folder can have are left out. */
export async function treeOf(
  repository: Repository,
  commit: string,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit];
  const listed = await askGit(repository, { args, most: MOST_NAMES });
  const entries = listed
    .toString()
    .split('\0')
    .flatMap((line): [string, TreeEntry][] => {
      const [, mode = '', id = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      const isName = path.split('/').every((part) => !/^(\.{0,2}|\.git)$/i.test(part));
      return isName ? [[path, { kind: kindOf(mode), id }]] : [];
    });
  return new Map(entries);
}

function kindOf(mode: string): TreeEntry['kind'] {
  if (mode === '120000') return 'link';
  return mode === '160000' ? 'submodule' : 'file';
}

/** Reads objects, those that are asked for at about the same time by two calls of git. */
export class ObjectReader {
  readonly #repository: Repository;
  #waiting: Wanted[] = [];
  #reading: Promise<ReadonlyMap<string, Content>> | undefined;

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  /** The content of a blob of at most so many bytes. */
  async read(id: string, most: number): Promise<Content> {
    this.#waiting.push({ id, most });
    this.#reading ??= this.#readWaiting();
    return (await this.#reading).get(id);
  }

  async #readWaiting(): Promise<ReadonlyMap<string, Content>> {
    await setImmediate();
    const wanted = new Map(this.#waiting.map((each) => [each.id, each]));
    this.#waiting = [];
    this.#reading = undefined;
    const ids = [...wanted.keys()];
    const sizes = await this.#sizes(ids);
    const small = ids.filter(
      (id) => (sizes.get(id) ?? Number.POSITIVE_INFINITY) <= (wanted.get(id)?.most ?? 0),
    );
    const contents = await this.#contents(small, sizes);
    return new Map(
      ids.map((id): [string, Content] => {
        const [bytes, size] = [contents.get(id), sizes.get(id)];
        if (bytes !== undefined) return [id, { bytes }];
        return [id, size === undefined ? undefined : { size }];
      }),
    );
  }

  async #sizes(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const args = ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'];
    const most = ids.length * 128;
    const listed = await askGit(this.#repository, { args, input: `${ids.join('\n')}\n`, most });
    const found = [...listed.toString().matchAll(/^([0-9a-f]+) blob (\d+)$/gm)];
    return new Map(found.map(([, id = '', size]) => [id, Number(size)]));
  }

  async #contents(
    ids: readonly string[],
    sizes: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, Buffer>> {
    const contents = new Map<string, Buffer>();
    if (ids.length === 0) return contents;
    const total = ids.reduce((sum, id) => sum + (sizes.get(id) ?? 0) + 128, 0);
    const call = { args: ['cat-file', '--batch=%(objectname)'], input: `${ids.join('\n')}\n`, most: total };
    const bytes = await askGit(this.#repository, call);
    // Each is its id in a line, its bytes, and a line end.
    const at = { next: 0 };
    for (const id of ids) {
      const start = at.next + id.length + 1;
      const end = start + (sizes.get(id) ?? 0);
      contents.set(id, bytes.subarray(start, end));
      at.next = end + 1;
    }
    return contents;
  }
}

interface Wanted {
  readonly id: string;
  readonly most: number;
}
