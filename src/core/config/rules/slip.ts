/**
 * Whether two letters changed places, or a letter is missing inside a long part. A letter or digit that is another one, and
 * an ending, tell words apart.
 */
export function isTypo(a: string, b: string): boolean {
  if (a.length === b.length) return isSwap(a, b);
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.length === short.length + 1 && isOmission(short, long);
}

/** A word without what people leave out or write otherwise. */
export function folded(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, '');
}

/** In shorter parts two letters change places on purpose: `DB` and `BD` are two names. */
const SHORTEST_SWAP = 5;

/** In shorter parts a letter is left out on purpose: `VTI` and `VT` are two names. */
const SHORTEST_OMISSION = 6;

function isSwap(a: string, b: string): boolean {
  return isSwapped(a, b) && isInside(a, firstDifference(a, b), SHORTEST_SWAP, 0);
}

/** Whether a word is another one with two letters side by side exchanged. */
export function isSwapped(a: string, b: string): boolean {
  const at = firstDifference(a, b);
  return isSameAt(a, at, b, at + 1) && isSame(swapped(a, at), b);
}

function isOmission(short: string, long: string): boolean {
  const at = firstDifference(short, long);
  return (
    isSameAt(short, at, long, at + 1) &&
    isSame(short.slice(at), long.slice(at + 1)) &&
    isInside(long, at, SHORTEST_OMISSION, 1)
  );
}

function swapped(word: string, at: number): string {
  return `${word.slice(0, at)}${word.charAt(at + 1)}${word.charAt(at)}${word.slice(at + 2)}`;
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Whether a letter and the one behind it stand in one part of a word; so many letters from its beginning, at least. */
function isInside(word: string, at: number, shortest: number, from: number): boolean {
  const parts = [...word.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)];
  return parts.some(
    ({ 0: part, index }) => part.length >= shortest && at >= index + from && at + 1 < index + part.length,
  );
}

/** The place of the first letter that is another one, whatever its case. */
function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && isSameAt(a, at, b, at)) at += 1;
  return at;
}

/** Whether two words have the same letter at two places: the bit of 32 is what tells a small one from a capital. */
function isSameAt(a: string, atA: number, b: string, atB: number): boolean {
  return (a.charCodeAt(atA) | 32) === (b.charCodeAt(atB) | 32);
}
