/** The most files that are written as one path. */
const MOST = 4;

/**
 * Files as people read them; those that differ in one part only are one path:
 * `integrations/{staging,prod}/splunk.yaml`.
 */
export function filesText(files: readonly string[]): string[] {
  const [first] = files;
  if (first === undefined || files.length < 2 || files.length > MOST) {
    return [...files];
  }
  const paths = files.map((file) => file.split('/'));
  const parts = first.split('/');
  if (paths.some(({ length }) => length !== parts.length)) return [...files];
  const differing: number[] = [];
  for (const at of parts.keys()) {
    if (new Set(paths.map((path) => path[at])).size > 1) differing.push(at);
  }
  const [at = 0, ...others] = differing;
  if (others.length > 0) return [...files];
  const names = paths.map((path) => path[at] ?? '');
  parts[at] = braced(names, at === parts.length - 1);
  return [parts.join('/')];
}

/** Names in braces; those of files keep a common ending outside. */
function braced(names: readonly string[], areFiles: boolean): string {
  const ending = /\.\w+$/.exec(names[0] ?? '')?.[0] ?? '';
  const isCommon = areFiles && names.every((name) => name.endsWith(ending));
  const kept = isCommon ? ending : '';
  const stems = names.map((name) => name.slice(0, name.length - kept.length));
  return `{${stems.join(',')}}${kept}`;
}
