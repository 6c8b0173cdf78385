import { distance } from 'fastest-levenshtein';
import type { Place } from '../model/place.ts';

/** Suggests the known word with the nearest spelling; undefined if none is. */
export function didYouMean(
  word: string,
  known: readonly string[],
): string | undefined {
  const [best] = nearNames(word, known);
  return best === undefined ? undefined : `Did you mean ${best}?`;
}

/** A server may send any; longer words than this are not compared. */
const MOST_CHARACTERS = 256;

/** The members of `known` that are spelled nearly like `word`, best first. */
export function nearNames(
  word: string,
  known: readonly string[],
  most = 3,
): string[] {
  if (word.length > MOST_CHARACTERS) return [];
  const limit = Math.max(1, Math.floor(word.length / 3));
  const near: { name: string; far: number }[] = [];
  for (const name of known) {
    if (Math.abs(name.length - word.length) > limit) continue;
    const far = spellingDistance(word, name);
    if (far <= limit) near.push({ name, far });
  }
  near.sort((a, b) => a.far - b.far);
  return near.slice(0, most).map(({ name }) => name);
}

/**
 * How many letters two texts differ in, whatever their case. Two letters that
 * are swapped are one slip, not two.
 */
function spellingDistance(one: string, other: string): number {
  const word = one.toLowerCase();
  const name = other.toLowerCase();
  const far = distance(word, name);
  const isSwap = far === 2 && sorted(word) === sorted(name);
  return isSwap ? 1 : far;
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

/** A number with its noun, in the plural if it needs one. */
export function count(
  number: number,
  noun: string,
  plural = `${noun}s`,
): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** A list of words; of a long one the beginning, and how many of `total`. */
export function listed(
  words: readonly string[],
  most = 20,
  total = words.length,
): string {
  const text = words.slice(0, most).join(', ');
  return total > most ? `${text} and ${total - most} more` : text;
}

/** A list of words for a sentence, which ends with "and", or "or". */
export function enumerated(
  words: readonly string[],
  most = 20,
  conjunction = 'and',
): string {
  const last = words.at(-1);
  if (last === undefined || words.length === 1 || words.length > most)
    return listed(words, most);
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

/** Joins the parts that there are. */
export function phrase(
  parts: readonly (string | false | undefined)[],
  separator = ' ',
): string {
  return parts.filter(Boolean).join(separator);
}

/** The beginning of a long text, or the part that another text differs in. */
export function cut(text: string, other = '', most = 64, lead = 32): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const others = [...other];
  const difference = characters.findIndex(
    (each, index) => each !== others[index],
  );
  const first = difference < 0 ? characters.length : difference;
  // Where the two differ early on, the beginning shows it.
  const start = first < most - lead ? 0 : first - lead;
  const end = start + most;
  const shown = characters.slice(start, end).join('');
  const before = start > 0 ? '…' : '';
  const after = end < characters.length ? '…' : '';
  return `${before}${shown}${after}`;
}

/** A place as `file:line:column`. */
export function at(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`;
}
