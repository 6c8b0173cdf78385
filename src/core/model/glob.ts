import picomatch from 'picomatch';
import { isOnlyStars } from './costly-glob.ts';

/**
 * Makes a test of whole texts from a glob. `*` matches any characters, even
 * slashes and a leading dot, `?` one except a slash, `[a-c]` and `[!a]` one in
 * a set or outside of it, `{a,b}` alternatives. A backslash escapes;
 * parentheses are text.
 */
export function globMatcher(glob: string): (text: string) => boolean {
  const start = literalStart(glob);
  if (start.length === glob.length) return (text) => text === glob;
  if (isOnlyStars(glob)) return pieceMatcher(glob.split('*'));
  const written = glob.replace(/[()|]/g, '\\$&').replaceAll('[!', '[^');
  const matches = picomatch(written, { dot: true, bash: true, nonegate: true });
  return (text) => text.startsWith(start) && matches(text);
}

/**
 * The text before the first wildcard, with which every match begins; the whole
 * glob if it has none.
 */
export function literalStart(glob: string): string {
  return /^[^*?[{\\]*/.exec(glob)?.[0] ?? '';
}

/** Whether a glob has no wildcard. */
export function isLiteral(glob: string): boolean {
  return literalStart(glob) === glob;
}

/** Whether a text may exist that two globs match. */
export function mayMeet(one: string, other: string): boolean {
  const start = literalStart(one);
  const otherStart = literalStart(other);
  const isAlike = start.startsWith(otherStart) || otherStart.startsWith(start);
  if (!isAlike) return false;
  if (isLiteral(one)) return globMatcher(other)(one);
  return !isLiteral(other) || globMatcher(one)(other);
}

/**
 * Matches pieces of text with a star between each two: the first place of each
 * is as good as any other.
 */
function pieceMatcher(pieces: readonly string[]): (text: string) => boolean {
  const [first = '', ...rest] = pieces;
  const last = rest.at(-1) ?? '';
  const inner = rest.slice(0, -1);
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last))
      return false;
    let from = first.length;
    for (const piece of inner) {
      const at = text.indexOf(piece, from);
      if (at < 0) return false;
      from = at + piece.length;
    }
    return from <= end;
  };
}
