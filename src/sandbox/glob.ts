import picomatch from 'picomatch';

/** Tells whether an id or a key matches one of the globs. They are no paths, so `*` stands for dots and slashes too. */
export function globMatcher(globs: readonly string[] = []): (text: string) => boolean {
  const matches = picomatch([...globs], { dot: true, bash: true });
  return (text) => matches(text);
}
