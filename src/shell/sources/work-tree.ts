import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { PROJECT_FILE } from '../../core/config/project.ts';
import { gitRoot } from '../git-root.ts';
import { isInside, realPath } from '../report-target.ts';
import type { FileSource } from './files.ts';
import { OUTSIDE, readRegularFile, systemUnread } from './regular-file.ts';

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

/** A path as one word for a POSIX shell, which no command takes for an option. */
export function shellWord(path: string): string {
  const plain = path.replace(/^-/, './-');
  return /^[\w./:@%+=,-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`;
}

/** Whether a path below a folder is configuration. A name that begins with a dot is none. */
export function isYaml(path: string): boolean {
  return /^(?!(.*\/)?\.).*\.ya?ml$/is.test(path) && path.split('/').at(-1) !== PROJECT_FILE;
}

/** The files of the work tree, or of any other folder. */
export const WORK_TREE: FileSource = {
  kindOf: (path) => stat(path).then((found) => (found.isDirectory() ? 'folder' : 'file'), systemUnread),
  yamlIn: async (folder, root, isDeep) => {
    try {
      const [real, base] = await Promise.all([realpath(folder), realpath(root)]);
      if (real !== base && !isInside(base, real)) return OUTSIDE;
      // With their types, links to folders are not followed.
      const entries = await readdir(folder, { recursive: isDeep, withFileTypes: true });
      const files = entries.filter((entry) => !entry.isDirectory());
      return files.map((entry) => shownPath(join(entry.parentPath, entry.name), folder)).filter(isYaml);
    } catch (thrown) {
      return systemUnread(thrown);
    }
  },
  rootOf: async (path) => configRoot(await realPath(path)),
  read: readRegularFile,
  shownPath,
};
