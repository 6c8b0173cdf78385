import { stat } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';

/** The root of the git work tree that a folder is in; undefined outside of one. */
export async function gitRoot(folder: string): Promise<string | undefined> {
  if ((await stat(join(folder, '.git')).catch(() => undefined)) !== undefined) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : gitRoot(above);
}

/**
 * A folder's path from the root of its git work tree, with forward slashes; empty at the root, and outside of one. With the path
 * of a file from there that the folder has, or else the nearest above.
 */
export async function pathsInRepository(
  folder: string,
  file: string,
): Promise<{ readonly folder: string; readonly found?: string }> {
  const root = (await gitRoot(folder)) ?? folder;
  const fromRoot = (path: string) => relative(root, path).split(sep).join('/');
  const found = await nearest(folder, root, file);
  return { folder: fromRoot(folder), ...(found === undefined ? {} : { found: fromRoot(found) }) };
}

async function nearest(folder: string, root: string, file: string): Promise<string | undefined> {
  const path = join(folder, file);
  if ((await stat(path).catch(() => undefined)) !== undefined) return path;
  return folder === root ? undefined : nearest(dirname(folder), root, file);
}

/** The path of a file from the root of its repository. A file of a revision is named from there already, after its ref. */
export function fileFromRoot(file: string, folder: string, refs: readonly string[] = []): string {
  const ref = refs.find((each) => file.startsWith(`${each}:`));
  if (ref !== undefined) return file.slice(ref.length + 1);
  return folder === '' || file.startsWith('/') ? file : posix.join(folder, file);
}
