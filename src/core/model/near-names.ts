import { distance } from 'fastest-levenshtein';

/** The most characters of a word that is compared: a server may send names of megabytes. */
const LONGEST = 256;

/** The members of `known` that are written nearly like `word`, best first, at most three. */
export function nearNames(word: string, known: readonly string[]): string[] {
  if (word.length > LONGEST) return [];
  const limit = Math.max(1, Math.floor(word.length / 3));
  return known
    .filter((name) => Math.abs(name.length - word.length) <= limit)
    .map((name) => ({ name, far: distanceOf(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** How much one run of a check spends on comparisons: a tenth of a second, whatever it is given. */
const MOST_SPENT = 100_000;

/** Finds near names as long as that is cheap: of very many mistakes only the first get a suggestion. */
export class Suggestions {
  #left = MOST_SPENT;

  /** The near names; undefined where looking for them would take too long by now. */
  near(word: string, known: () => readonly string[]): readonly string[] | undefined {
    if (this.#left <= 0) return undefined;
    const names = known();
    // The library compares 32 characters at once.
    this.#left -= names.length * Math.ceil(Math.min(word.length, LONGEST) / 32) + 1;
    return nearNames(word, names);
  }
}

/** The same letters with two of them swapped are one slip, not two. */
function distanceOf(word: string, name: string): number {
  const far = distance(word, name);
  return far === 2 && [...word].sort().join('') === [...name].sort().join('') ? 1 : far;
}
