import { stat } from 'node:fs/promises';
import { ObjectReader } from '../git/objects.ts';
import { seenFiles } from '../git/seen.ts';
import type { FileSource } from './files.ts';
import type { Revision } from './revision.ts';
import { shownPath, WORK_TREE } from './work-tree.ts';

/**
 * The work tree, to compare with a revision of its repository: a file that has not changed since git looked at it is as git holds
 * it, before any filter of a checkout. No filter runs.
 */
export function unfiltered({ repository }: Pick<Revision, 'repository'>): FileSource {
  const reader = new ObjectReader(repository);
  const seen = once(() => seenFiles(repository));
  const blobOf = async (path: string): Promise<string | undefined> => {
    const [root, real] = await Promise.all([repository.root, path].map(WORK_TREE.realPathOf));
    const known = (await seen()).get(shownPath(real ?? path, root ?? ''));
    const now = await stat(path, { bigint: true }).catch(() => undefined);
    return now?.size === known?.size && now?.mtimeNs === known?.time ? known?.id : undefined;
  };
  return {
    ...WORK_TREE,
    read: async (run, path, bounds) => {
      const read = await WORK_TREE.read(run, path, bounds);
      const id = 'reason' in read ? undefined : await blobOf(path);
      const held = id === undefined ? undefined : await reader.read(id, bounds.most);
      return held !== undefined && 'bytes' in held ? held : read;
    },
  };
}

/** A function that works once, when it is first asked. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  const made: Promise<T>[] = [];
  return () => {
    const [first = work()] = made;
    made[0] = first;
    return first;
  };
}
