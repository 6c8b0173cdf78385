import { forTerminal } from './escape.ts';

/** Characters of the longest value that is shown whole. */
const LONGEST_VALUE = 200;

/** Equal characters shown before the first difference of two long values. */
const LEAD = 40;

/** A value for a terminal: the start of a long one, with its length. */
export function fold(text: string): string {
  return foldFrom([...text], 0);
}

/** A value next to the one it is compared with: of a long one, the part where they begin to differ. */
export function foldBeside(text: string, other: string | undefined): string {
  const characters = [...text];
  if (other === undefined || characters.length <= LONGEST_VALUE) return fold(text);
  const others = [...other];
  const differs = characters.findIndex((character, index) => character !== others[index]);
  const first = differs < 0 ? characters.length : differs;
  return foldFrom(characters, first < LONGEST_VALUE - LEAD ? 0 : first - LEAD);
}

function foldFrom(characters: readonly string[], start: number): string {
  if (characters.length <= LONGEST_VALUE) return forTerminal(characters.join(''));
  const shown = forTerminal(characters.slice(start, start + LONGEST_VALUE).join(''));
  const isCut = start + LONGEST_VALUE < characters.length;
  return `${start > 0 ? '…' : ''}${shown}${isCut ? '…' : ''} (${characters.length} characters)`;
}
