/** Control characters, line separators, and marks that are invisible or turn the direction of text. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Foreign text for a terminal line: nothing in it moves the cursor, changes colour or direction, or hides. */
export function forTerminal(text: string): string {
  return text.replace(UNSAFE, visibleForm);
}

function visibleForm(character: string): string {
  return ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };

/** JSON for a terminal: unsafe characters that JSON leaves bare become escapes. */
export function jsonForTerminal(json: string): string {
  return json.replace(UNSAFE, (character) => (character === '\n' ? character : unicodeEscape(character)));
}

function unicodeEscape(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((unit) => `\\u${unit}`).join('');
}
