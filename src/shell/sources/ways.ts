import { basename, dirname, join } from 'node:path';
import type { Entry, FileSource } from './files.ts';
import { remembered } from './remembered.ts';

/** Resolves links name by name, each once: thousands of ways may lead through the same few. */
export function stepwise(source: FileSource): (path: string) => Promise<string> {
  const nameOf = remembered(source.realPathOf);
  const all = remembered(
    async (path): Promise<string> =>
      dirname(path) === path ? path : nameOf(join(await all(dirname(path)), basename(path))),
  );
  return all;
}

/** Reads each folder once, and counts its names on every way into it. */
export function counted(
  source: FileSource,
  most: number,
): (folder: string) => Promise<readonly Entry[] | undefined> {
  const left = { entries: most };
  const read = new Map<string, Promise<readonly Entry[] | undefined>>();
  return async (folder) => {
    const known = read.get(folder);
    const entries = known ?? source.entriesOf(folder, left);
    read.set(folder, entries);
    const names = await entries;
    if (known !== undefined) left.entries -= names?.length ?? 0;
    return left.entries < 0 ? undefined : names;
  };
}
