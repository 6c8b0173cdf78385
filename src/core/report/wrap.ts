/** Lines of words, each at most so wide; a longer word has a line of its own. */
export function wrapWords(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/** Words after a start: those that fit on its line, with the space before them, then lines to be indented by two. */
export function wrapAfter(start: string, words: readonly string[], width: number): string[] {
  const fitting = words.findIndex(
    (_, index) => `${start} ${words.slice(0, index + 1).join(' ')}`.length > width,
  );
  const [beside, rest] = fitting < 0 ? [words, []] : [words.slice(0, fitting), words.slice(fitting)];
  return [beside.map((word) => ` ${word}`).join(''), ...wrapWords(rest, width - 2)];
}
