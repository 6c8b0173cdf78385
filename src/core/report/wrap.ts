import widthOf from 'fast-string-width';

/** A text with spaces up to so many columns. */
export function padded(text: string, columns: number): string {
  return `${text}${' '.repeat(Math.max(0, columns - widthOf(text)))}`;
}

/** Lines of words, each at most so wide; a longer word has a line of its own. */
export function wrapWords(words: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= columns) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/** A text in lines of a width, each behind so many spaces. */
export function filled(text: string, columns: number, indent = 0): string[] {
  return wrapWords(text.split(' '), columns - indent).map((line) => `${' '.repeat(indent)}${line.trimEnd()}`);
}

/** Blocks of lines with an empty line between them; ends with a newline. */
export function paragraphs(blocks: readonly (readonly string[])[]): string {
  const texts = blocks.filter(({ length }) => length > 0).map((lines) => `${lines.join('\n')}\n`);
  return texts.join('\n');
}
