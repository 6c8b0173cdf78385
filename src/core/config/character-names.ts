/** How many characters a message names. */
const MOST_NAMED = 5;

/** Characters by name, each once, a few: those of the keyboard as they are, others as Unicode numbers them: `U+200B`. */
export function characterNames(characters: readonly string[]): string[] {
  return [...new Set(characters)].slice(0, MOST_NAMED).map(characterName);
}

function characterName(character: string): string {
  if (character === ' ') return 'a space';
  if (/^[!-~]$/.test(character)) return character;
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
