/** How many characters a message names. */
const MOST_NAMED = 5;

/** Characters as Unicode numbers them, each once, a few: `U+200B`. What cannot be seen can be named so. */
export function codePointNames(characters: readonly string[]): string[] {
  const points = characters.map((character) => character.codePointAt(0) ?? 0);
  return [...new Set(points)]
    .slice(0, MOST_NAMED)
    .map((point) => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`);
}
