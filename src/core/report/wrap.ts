import widthOf from 'fast-string-width';
import type { View } from './report.ts';

/** Wider lines are hard to read. */
const WIDEST = 120;

/** The columns that a report takes of a terminal. */
export function widthOfView({ width }: View): number {
  return Math.min(width, WIDEST);
}

/** A text in lines of a width, the first behind a lead and the others behind spaces; a longer word has a line of its own. */
export function filled(
  text: string,
  columns: number,
  indent = 0,
  lead = ' '.repeat(indent),
): string[] {
  const [first = '', ...words] = text.split(' ');
  const start = ' '.repeat(indent);
  const isTight = widthOf(lead) > indent && widthOf(lead + first) > columns;
  const lines = isTight ? [lead, start + first] : [lead + first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (widthOf(longer) <= columns) lines.splice(-1, 1, longer);
    else lines.push(start + word);
  }
  return lines.map((line) => line.trimEnd());
}

/** Blocks of lines with an empty line between them; ends with a newline. */
export function paragraphs(blocks: readonly (readonly string[])[]): string {
  const texts = blocks
    .filter(({ length }) => length > 0)
    .map((lines) => `${lines.join('\n')}\n`);
  return texts.join('\n');
}
