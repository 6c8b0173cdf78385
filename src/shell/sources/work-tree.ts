import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { YAML_LIMITS } from '../../core/yaml/document.ts';
import { gitRoot } from '../git-root.ts';
import type { Entry, FileSource } from './files.ts';
import { readRegularFile, systemUnread } from './regular-file.ts';

/** The folder that `file` references stay in: the git root above a path, else the folder that it is or is in. */
export async function configRoot(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  const folder = found?.isDirectory() === true ? path : dirname(path);
  return (await gitRoot(folder)) ?? folder;
}

/** A path as people would type it: relative to the working directory, with forward slashes. */
export function shownPath(absolute: string, cwd: string): string {
  return relative(cwd, absolute).split(sep).join('/');
}

/** The files of the work tree, or of any other folder. */
export const WORK_TREE: FileSource = {
  blobOf: async (run, path, algorithm) => {
    const content = await readRegularFile(run, path, { most: YAML_LIMITS.bytes });
    if ('reason' in content) return undefined;
    const { bytes } = content;
    return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  },
  kindOf: (path) => stat(path).then((found) => (found.isDirectory() ? 'folder' : 'file'), systemUnread),
  isNamed: (path) =>
    lstat(path).then(
      () => true,
      () => false,
    ),
  entriesOf,
  realPathOf: (path) => realpath(path).catch(() => path),
  rootOf: configRoot,
  read: readRegularFile,
  shownPath,
};

async function entriesOf(folder: string, left: { entries: number }): Promise<readonly Entry[] | undefined> {
  const entries: Entry[] = [];
  if (left.entries <= 0) return undefined;
  for await (const entry of await opendir(folder, { bufferSize: 1_024 })) {
    left.entries -= 1;
    if (left.entries < 0) return undefined;
    entries.push(entry.isSymbolicLink() ? await linkIn(folder, entry) : entry);
  }
  return entries;
}

/** A link as a search sees it: one that leads to no folder is a file, so that a broken one is told when it is read. */
async function linkIn(folder: string, link: Dirent): Promise<Entry> {
  const target = await stat(join(folder, link.name)).catch(() => undefined);
  if (target?.isDirectory() === true) return link;
  return { name: link.name, isFile: () => true, isDirectory: () => false, isSymbolicLink: () => false };
}
