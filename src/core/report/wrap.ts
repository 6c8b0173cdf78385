/** Words in lines of at most a width; a word that is longer has a line of its own. */
export function wrapWords(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/**
 * Words behind a start that stands already: what still fits behind it, with the blank before, then lines that are to be
 * indented by two.
 */
export function wrapAfter(start: string, words: readonly string[], width: number): string[] {
  const fitting = words.findIndex(
    (_, index) => `${start} ${words.slice(0, index + 1).join(' ')}`.length > width,
  );
  const beside = fitting < 0 ? words.length : fitting;
  const first = beside === 0 ? '' : ` ${words.slice(0, beside).join(' ')}`;
  return [first, ...wrapWords(words.slice(beside), width - 2)];
}
