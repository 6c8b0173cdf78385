import { callGit, type Repository } from './git.ts';

/** The most bytes that git may tell of its index. */
const MOST_INDEX = 128 * 1024 * 1024;

/** An entry of the index: blob and path of a file, with its time and size when git last looked at it. */
const ENTRY = /\d+ ([0-9a-f]+) 0\t([^\0]+)\0 +ctime: .*\n +mtime: (\d+):(\d+)\n.*\n.*\n +size: (\d+)\t/g;

/** A file as git last saw it; the time is in nanoseconds. */
export interface SeenFile {
  readonly id: string;
  readonly time: bigint;
  readonly size: bigint;
}

/** The files of the index, by their paths from the root, without running a filter; none where git tells it in an unknown form. */
export async function seenFiles(repository: Repository): Promise<ReadonlyMap<string, SeenFile>> {
  const args = ['ls-files', '--stage', '--debug', '-z'];
  const { code, bytes } = await callGit(repository, { args, most: MOST_INDEX });
  const found = code === 0 ? [...bytes.toString().matchAll(ENTRY)] : [];
  return new Map(
    found.map(([, id = '', path = '', seconds = '', rest = '', size = '']) => [
      path,
      { id, time: BigInt(seconds) * 1_000_000_000n + BigInt(rest), size: BigInt(size) },
    ]),
  );
}
