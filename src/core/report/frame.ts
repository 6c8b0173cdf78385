import type { Place, SourceText, Span } from '../model/place.ts';
import { mayBeSecret } from '../model/secrecy.ts';
import { forTerminal } from './escape.ts';

/** A line of a configuration file without its secrets, and the part that a finding is about. */
export interface Frame {
  readonly text: string;
  /** Column of the first marked character in `text`, from 0, and how many are marked. */
  readonly start: number;
  readonly width: number;
}

/** A part of a line: where it is in the file, and what is shown of it. */
interface Piece {
  readonly span: Span;
  readonly shown: string;
}

const HIDDEN = '•••';
const CUT = '…';

/** How much of a line is shown at most. */
const WIDTH = 100;

/** Makes frames of one file: the line of a place, safe to show. Undefined where there is no such line, or nothing on it. */
export function framer(
  source: SourceText,
  scrub: (text: string) => string,
  columns = WIDTH,
): (place: Place) => Frame | undefined {
  const text = source.text.startsWith('\ufeff') ? source.text.slice(1) : source.text;
  const lines = text.split('\n');
  const starts = startsOf(lines);
  return (place) => {
    const line = lines[place.line - 1]?.replace(/\r$/, '');
    const start = starts[place.line - 1];
    if (line === undefined || start === undefined) return undefined;
    const hidden =
      source.hidden === undefined ? hiddenInBroken(line, start) : hiddenInLine(line, start, source.hidden());
    const pieces = piecesOf(line, start, hidden, (part) => scrub(forTerminal(part)));
    const shown = pieces
      .map((piece) => piece.shown)
      .join('')
      .trimEnd();
    if (shown.trim() === '') return undefined;
    const from = Math.min(widthBefore(pieces, start + place.column - 1), shown.length);
    const to = widthBefore(pieces, start + (place.endColumn ?? place.column + 1) - 1);
    const width = Math.max(1, Math.min(to, shown.length) - from);
    return windowOf({ text: shown, start: from, width }, Math.min(columns, WIDTH));
  };
}

function startsOf(lines: readonly string[]): number[] {
  const starts = [0];
  for (const [index, { length }] of lines.entries()) starts.push((starts[index] ?? 0) + length + 1);
  return starts;
}

/** What is hidden of a line: the parts of its file that are on it, and a comment that may hold a secret. */
function hiddenInLine(line: string, start: number, hidden: readonly Span[]): Span[] {
  const end = start + line.length;
  const spans = hidden.filter(([from, to]) => from < end && to > start);
  const comment = /(?:^|\s)#\s*(\S.*)$/.exec(line);
  const at = start + line.length - (comment?.[1]?.length ?? 0);
  const isText = spans.some(([from, to]) => from < at && to >= at);
  return comment === null || isText || !mayBeSecret('', comment[1] ?? '') ? spans : [...spans, [at, end]];
}

/** Where the text is no YAML, only the first key of a line can be told from a value, and only if it has letters alone. */
function hiddenInBroken(line: string, start: number): Span[] {
  const key = /^\s*(?:[-?] +)*(["']?)[a-z][A-Za-z]{0,31}\1\s*:(?=\s|$)/.exec(line)?.[0] ?? '';
  return [[start + key.length, start + line.length]];
}

function piecesOf(
  line: string,
  start: number,
  hidden: readonly Span[],
  show: (text: string) => string,
): Piece[] {
  const pieces: Piece[] = [];
  const add = (from: number, to: number, isHidden: boolean) => {
    const text = line.slice(from - start, to - start);
    const indent = isHidden ? (/^\s*/.exec(text)?.[0] ?? '') : text;
    pieces.push({ span: [from, from + indent.length], shown: show(indent) });
    if (indent.length < text.length) pieces.push({ span: [from + indent.length, to], shown: HIDDEN });
  };
  const state = { at: start };
  for (const [from, to] of [...hidden].sort((a, b) => a[0] - b[0])) {
    const [first, last] = [Math.max(from, state.at), Math.min(to, start + line.length)];
    if (last <= first) continue;
    add(state.at, first, false);
    add(first, last, true);
    state.at = last;
  }
  add(state.at, start + line.length, false);
  return pieces;
}

/** How wide the shown text is before an offset; inside a hidden piece it is the start of the piece. */
function widthBefore(pieces: readonly Piece[], offset: number): number {
  return pieces.reduce((sum, { span: [from, to], shown }) => {
    if (from >= offset) return sum;
    if (to <= offset) return sum + shown.length;
    return shown.length === to - from ? sum + offset - from : sum;
  }, 0);
}

/** The part of a long line that holds the mark, with some of what is before it. */
function windowOf({ text, start, width }: Frame, columns: number): Frame {
  if (text.length <= columns) return { text, start, width };
  const from =
    start + width < columns
      ? 0
      : Math.max(0, Math.min(start - Math.floor(columns / 3), text.length - columns));
  const [before, after] = [from > 0 ? CUT : '', from + columns < text.length ? CUT : ''];
  const marked = Math.min(width, from + columns - start);
  return {
    text: `${before}${text.slice(from, from + columns)}${after}`,
    start: start - from + before.length,
    width: Math.max(1, marked),
  };
}
