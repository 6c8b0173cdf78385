/** The most files that are written as one path. */
const MOST = 4;

/**
 * Files as people read them, each once; those that differ in one part only are
 * one path: `integrations/{staging,prod}/splunk.yaml`.
 */
export function filesText(files: readonly string[]): string[] {
  const all = [...new Set(files)];
  if (all.length < 2 || all.length > MOST) return all;
  const paths = all.map((file) => file.split('/'));
  const [parts = []] = paths;
  const differing = [...parts.keys()].filter((at) => {
    return paths.some((path) => path[at] !== parts[at]);
  });
  const [at = 0, ...others] = differing;
  const isAlike = paths.every(({ length }) => length === parts.length);
  if (others.length > 0 || !isAlike) return all;
  const names = paths.map((path) => path[at] ?? '');
  const isName = at === parts.length - 1;
  const ending = (isName && /\.\w+$/.exec(names[0] ?? '')?.[0]) || '';
  // A common ending of files stays outside.
  const kept = names.every((name) => name.endsWith(ending)) ? ending : '';
  const stems = names.map((name) => name.slice(0, name.length - kept.length));
  return [parts.with(at, `{${stems.join(',')}}${kept}`).join('/')];
}
