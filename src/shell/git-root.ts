import { stat } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';

/** The root of the git work tree that a folder is in; undefined outside of one. */
export async function gitRoot(folder: string): Promise<string | undefined> {
  if ((await stat(join(folder, '.git')).catch(() => undefined)) !== undefined) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : gitRoot(above);
}

/** A folder's path from the root of its git work tree, with forward slashes; empty at the root, and outside of one. */
export async function pathInRepository(folder: string): Promise<string> {
  const root = (await gitRoot(folder)) ?? folder;
  return relative(root, folder).split(sep).join('/');
}

/** The path of a file from the root of its repository. A file of a revision is named from there already, after its ref. */
export function fileFromRoot(file: string, folder: string, refs: readonly string[] = []): string {
  const ref = refs.find((each) => file.startsWith(`${each}:`));
  if (ref !== undefined) return file.slice(ref.length + 1);
  return folder === '' || file.startsWith('/') ? file : posix.join(folder, file);
}
