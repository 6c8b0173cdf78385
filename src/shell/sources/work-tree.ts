import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { PROJECT_FILE } from '../../core/config/project.ts';
import { gitRoot } from '../git-root.ts';
import { isThere } from '../new-file.ts';
import { isInside } from '../report-target.ts';
import type { FileSource } from './files.ts';
import { OUTSIDE, readRegularFile, systemUnread, type Unread } from './regular-file.ts';

/** The most files and folders of any kind that are looked at in one folder of configuration. */
const MOST_ENTRIES = 100_000;

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

/** Whether a file in a folder is configuration; some systems write extensions in capitals. */
export function isYaml(path: string): boolean {
  return /\.ya?ml$/i.test(path) && path.split('/').at(-1) !== PROJECT_FILE;
}

/** The files of the work tree, or of any other folder. */
export const WORK_TREE: FileSource = {
  kindOf: (path) =>
    stat(path).then(
      (found) => (found.isDirectory() ? 'folder' : 'file'),
      async (thrown: unknown) =>
        (await isThere(path)) ? { reason: 'it is a link that leads nowhere' } : systemUnread(thrown),
    ),
  yamlIn: async (folder, root, isDeep) => {
    const [real, base] = await Promise.all([folder, root].map((each) => realpath(each)));
    if (real !== base && !isInside(base ?? '', real ?? '')) return OUTSIDE;
    return yamlBelow(folder, isDeep);
  },
  rootOf: async (path) => configRoot(await realpath(path).catch(() => path)),
  read: readRegularFile,
  shownPath,
};

async function yamlBelow(top: string, isDeep: boolean): Promise<readonly string[] | Unread> {
  const names: string[] = [];
  const left = { entries: MOST_ENTRIES };
  for await (const name of filesBelow(top, '', isDeep, left)) if (isYaml(name)) names.push(name);
  return left.entries < 0 ? CROWDED : names;
}

/** Walks a folder until no entries are left. What begins with a dot is left out. */
async function* filesBelow(
  top: string,
  folder: string,
  isDeep: boolean,
  left: { entries: number },
): AsyncGenerator<string> {
  if (left.entries < 0) return;
  for await (const entry of await opendir(join(top, folder), { bufferSize: 1_024 })) {
    left.entries -= 1;
    if (left.entries < 0) return;
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith('.')) continue;
    if (!entry.isDirectory() && !(await isLinkToFolder(join(top, name), entry))) yield name;
    if (entry.isDirectory() && isDeep) yield* filesBelow(top, name, isDeep, left);
  }
}

async function isLinkToFolder(path: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return false;
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

const CROWDED: Unread = {
  reason: `there are more than ${MOST_ENTRIES} files and folders in it`,
  hint: 'Name a narrower folder.',
};
