import { distance } from 'fastest-levenshtein';
import type { Place } from '../model/place.ts';

/** A question that suggests the known word with the nearest spelling; undefined if none is near. */
export function didYouMean(
  word: string,
  known: readonly string[],
): string | undefined {
  const [best] = nearNames(word, known);
  return best === undefined ? undefined : `Did you mean ${best}?`;
}

/** The most characters of a word that is compared, and the most names of like length: a server may send any. */
const MOST = { characters: 256, names: 1_000 };

/** The members of `known` that are written nearly like `word`, best first, at most three. */
export function nearNames(word: string, known: readonly string[]): string[] {
  if (word.length > MOST.characters) return [];
  const limit = Math.max(1, Math.floor(word.length / 3));
  return known
    .filter((name) => Math.abs(name.length - word.length) <= limit)
    .slice(0, MOST.names)
    .map((name) => ({
      name,
      far: distanceOf(word.toLowerCase(), name.toLowerCase()),
    }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** The same letters with two of them swapped are one slip, not two. */
function distanceOf(word: string, name: string): number {
  const far = distance(word, name);
  return far === 2 && [...word].sort().join('') === [...name].sort().join('')
    ? 1
    : far;
}

/** A number with its noun, in the plural if it needs one. */
export function count(
  number: number,
  noun: string,
  plural = `${noun}s`,
): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** A list of words; of a long one the beginning and a count. `total` counts those that are not even in the list. */
export function listed(
  words: readonly string[],
  most = 20,
  total = words.length,
): string {
  const more = total - most;
  return `${words.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The beginning of a long text; beside another text, the part where the two begin to differ, `lead` characters before. */
export function cut(text: string, other = '', most = 64, lead = 32): string {
  const [all, others] = [[...text], [...other]];
  if (all.length <= most) return text;
  const differs = all.findIndex(
    (character, index) => character !== others[index],
  );
  const first = differs < 0 ? all.length : differs;
  const start = first < most - lead ? 0 : first - lead;
  const shown = all.slice(start, start + most).join('');
  return `${start > 0 ? '…' : ''}${shown}${start + most < all.length ? '…' : ''}`;
}

/** A place as `file:line:column`. */
export function at(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`;
}
