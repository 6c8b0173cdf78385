import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { firstPast } from '../model/bisect.ts';
import type { Place } from '../model/place.ts';

/** The place of a span of text, from its offsets. It ends with the first line of the span. */
export type PlaceOf = (from: number, to: number) => Place;

/** A text without the byte order mark that some editors add. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Makes places in one file from offsets in its text. */
export function placeMaker(file: string, text: string): PlaceOf {
  const starts = lineStarts(text);
  return (from, to) => {
    const line = firstPast(starts.length, (index) => (starts[index] ?? 0) > from);
    const start = starts[line - 1] ?? 0;
    const next = starts[line];
    const end = next === undefined ? text.length : next - (text[next - 2] === '\r' ? 2 : 1);
    const column = from - start + 1;
    return { file, line, column, endColumn: Math.max(column + 1, Math.min(to, end) - start + 1) };
  };
}

/** Finds characters that YAML does not allow, once a line: controls, half surrogate pairs, lone carriage returns. */
export function strayCharacters(text: string, placeOf: PlaceOf): Diagnostic[] {
  const strays: Diagnostic[] = [];
  for (const { 0: found, index } of text.matchAll(STRAY)) {
    const problem = strayProblem(found.codePointAt(0) ?? 0);
    strays.push(diagnostic('yaml-syntax', { problem }, placeOf(index, index + 1)));
    // A file with more of them is not text.
    if (strays.length === 1_000) break;
  }
  return strays;
}

/** Finds the first marker that git left at an unresolved merge. */
export function mergeMarker(text: string, placeOf: PlaceOf): Diagnostic | undefined {
  const found = /^<{7} .*\n[\s\S]*?^={7}$[\s\S]*?^>{7} /m.exec(text);
  if (found === null) return undefined;
  const problem =
    'git left merge markers here; keep one side, and remove the <<<<<<<, ======= and >>>>>>> lines.';
  return diagnostic('yaml-syntax', { problem }, placeOf(found.index, found.index + 7));
}

/** Names a character that YAML does not allow. */
export function strayProblem(codePoint: number): string {
  if (codePoint === 13) return 'A carriage return alone does not end a line; save the file with LF or CRLF.';
  const name = codePoint.toString(16).toUpperCase().padStart(4, '0');
  return `YAML does not allow the character U+${name}; remove it.`;
}

/** The first such character on a line, and the rest of the line. */
const STRAY =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /(?:[\0-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufeff\ufffe\uffff\p{Cs}]|\r(?!\n))[^\n]*/gu;

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
