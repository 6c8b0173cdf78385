/** A part of a text, in UTF-16 units from its start, and what takes its place. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The text after all edits; of those at one offset the first comes first. Undefined where edits overlap. */
export function edited(text: string, edits: readonly TextEdit[]): string | undefined {
  const pieces: string[] = [];
  let end = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    if (edit.from < end) return undefined;
    pieces.push(text.slice(end, edit.from), edit.text);
    end = edit.to;
  }
  return [...pieces, text.slice(end)].join('');
}

/** Where the line of an offset ends, before its line end. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at < 0) return text.length;
  return text[at - 1] === '\r' && at > offset ? at - 1 : at;
}

/** Where the line after an offset begins; the end of the text where there is none. */
export function nextLine(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at < 0 ? text.length : at + 1;
}

/** Where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The column of an offset on its line, from 0. */
export function columnAt(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}
