import { distance } from 'fastest-levenshtein';

/** The members of `known` that are written nearly like `word`, best first, at most three. */
export function nearNames(word: string, known: readonly string[]): string[] {
  const limit = Math.max(1, Math.floor(word.length / 3));
  return known
    .map((name) => ({ name, far: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}
