import picomatch from 'picomatch';

/** Returns whether an id or a key matches one of the globs; `*` also matches dots and slashes. */
export function globMatcher(globs: readonly string[] = []): (text: string) => boolean {
  const matches = picomatch([...globs], { dot: true, bash: true });
  return (text) => matches(text);
}
