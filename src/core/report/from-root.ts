/**
 * The path of a file from the root of its repository, for files that are named from a folder below it. A file of a revision is
 * named from the root already, after its ref.
 */
export function fileFromRoot(file: string, folder: string, refs: readonly string[] = []): string {
  const ref = refs.find((each) => file.startsWith(`${each}:`));
  return ref === undefined ? pathFromRoot(file, folder) : file.slice(ref.length + 1);
}

function pathFromRoot(file: string, folder: string): string {
  if (folder === '' || file.startsWith('/')) return file;
  const way: string[] = [];
  for (const segment of `${folder}/${file}`.split('/'))
    if (segment === '..' && way.length > 0 && way.at(-1) !== '..') way.pop();
    else if (segment !== '.') way.push(segment);
  return way.join('/');
}
