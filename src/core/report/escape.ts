/** Control characters, line separators, and the marks that turn the direction of text or cannot be seen. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Foreign text for a terminal line: nothing in it moves the cursor, changes colour or direction, or hides. */
export function forTerminal(text: string): string {
  return text.replace(UNSAFE, visibleForm);
}

function visibleForm(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** JSON that a terminal may show: what JSON itself leaves bare of the unsafe characters becomes an escape. */
export function jsonForTerminal(json: string): string {
  return json.replace(UNSAFE, (character) => (character === '\n' ? character : unicodeEscape(character)));
}

function unicodeEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
