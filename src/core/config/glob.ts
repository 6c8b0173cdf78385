import picomatch from 'picomatch';

/** A glob as a predicate over a whole text. `*` stands for any run of characters, slashes and a leading dot among them. */
export function globMatcher(glob: string): (text: string) => boolean {
  const matches = picomatch(glob, { dot: true, bash: true, nonegate: true, nocase: false });
  // A second argument, as array methods give one, would make the library return an object.
  return (text) => matches(text);
}
