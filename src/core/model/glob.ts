import picomatch from 'picomatch';

/**
 * A glob as a predicate over a whole text. `*` stands for any run of characters, slashes and a leading dot among them, `?`
 * for one but a slash, `[a-c]` and `[!a]` for one of a set or none of it, `{a,b}` for alternatives; a backslash takes the next
 * character as it is, and parentheses are none of it.
 */
export function globMatcher(glob: string): (text: string) => boolean {
  const start = literalStart(glob);
  if (start.length === glob.length) return (text) => text === glob;
  if (isOnlyStars(glob)) return pieceMatcher(glob.split('*'));
  const written = glob.replace(/[()|]/g, '\\$&').replaceAll('[!', '[^');
  const matches = picomatch(written, { dot: true, bash: true, nonegate: true });
  return (text) => text.startsWith(start) && matches(text);
}

/** The text that everything which matches a glob begins with; the glob itself where it has no wildcard. */
export function literalStart(glob: string): string {
  return /^[^*?[{\\]*/.exec(glob)?.[0] ?? '';
}

/**
 * Whether a glob could take very long. Stars alone never do; beside sets and alternatives the library tries them in all
 * ways, and an id of 200 characters has millions for a few. Most globs have one.
 */
export function isCostlyGlob(glob: string): boolean {
  if (isOnlyStars(glob)) return false;
  return glob.split('*').length - 1 > 3 || glob.split(/[{,]/).length - 1 > 32;
}

function isOnlyStars(glob: string): boolean {
  return !/[?[\]{}\\]/.test(glob);
}

/** Matches pieces of text with a star between each two: the first place of each is as good as any other. */
function pieceMatcher(pieces: readonly string[]): (text: string) => boolean {
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  const inner = pieces.slice(1, -1);
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let from = first.length;
    for (const piece of inner) {
      const at = text.indexOf(piece, from);
      if (at < 0) return false;
      from = at + piece.length;
    }
    return from <= end;
  };
}
