import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';

/** A place in a text by its offsets. The span ends with its first line. */
export type PlaceOf = (from: number, to: number) => Place;

/** A text without the mark that some editors put before its first character. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Makes places of one file, by bisection over the starts of its lines. */
export function placeMaker(file: string, text: string): PlaceOf {
  const starts = lineStarts(text);
  return (from, to) => {
    const line = lineAt(starts, from);
    const start = starts[line - 1] ?? 0;
    const next = starts[line];
    const end = next === undefined ? text.length : next - (text[next - 2] === '\r' ? 2 : 1);
    const column = from - start + 1;
    return { file, line, column, endColumn: Math.max(column + 1, Math.min(to, end) - start + 1) };
  };
}

/** Characters that a YAML file cannot hold, one finding a line: controls, half surrogate pairs, a carriage return alone. */
export function strayCharacters(text: string, placeOf: PlaceOf): Diagnostic[] {
  const strays: Diagnostic[] = [];
  for (const { 0: found, index } of text.matchAll(STRAY)) {
    const facts = { codePoint: found.codePointAt(0) ?? 0 };
    strays.push(diagnostic('stray-character', facts, placeOf(index, index + 1)));
    if (strays.length === MOST_STRAYS) break;
  }
  return strays;
}

/** A file with more of them is no text. */
const MOST_STRAYS = 1_000;

/** The first such character of a line, and the rest of the line. */
const STRAY =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /(?:[\0-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufeff\ufffe\uffff\p{Cs}]|\r(?!\n))[^\n]*/gu;

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The number of the line that an offset is in, from 1. */
function lineAt(starts: readonly number[], offset: number): number {
  const search = (low: number, high: number): number => {
    if (low >= high) return low;
    const middle = Math.floor((low + high) / 2);
    return (starts[middle] ?? 0) <= offset ? search(middle + 1, high) : search(low, middle);
  };
  return Math.max(1, search(0, starts.length));
}
