import { distance } from 'fastest-levenshtein';

/** The most characters of a word that is compared, and the most names of like length: a server may send any. */
const MOST = { characters: 256, names: 1_000 };

/** The members of `known` that are written nearly like `word`, best first, at most three. */
export function nearNames(word: string, known: readonly string[]): string[] {
  if (word.length > MOST.characters) return [];
  const limit = Math.max(1, Math.floor(word.length / 3));
  return known
    .filter((name) => Math.abs(name.length - word.length) <= limit)
    .slice(0, MOST.names)
    .map((name) => ({ name, far: distanceOf(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** The same letters with two of them swapped are one slip, not two. */
function distanceOf(word: string, name: string): number {
  const far = distance(word, name);
  return far === 2 && [...word].sort().join('') === [...name].sort().join('') ? 1 : far;
}
