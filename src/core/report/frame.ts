import type { Place, SourceText, Span } from '../model/place.ts';
import { visible } from './escape.ts';

/** A line of a configuration file without its secrets, and the part that a finding is about. */
interface Frame {
  readonly text: string;
  /** Column of the first marked character in `text`, from 0, and how many are marked. */
  readonly start: number;
  readonly width: number;
}

/** A part of a line by its columns, from 0, and what is shown of it. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly shown: string;
}

/** What takes the place of a part of a line that is not shown. */
const HIDDEN_PART = '•••';

const CUT = '…';

/** The most columns that are shown of a line. */
const WIDTH = 100;

/** Columns on both sides of a place that may be shown: a line may have 2 MiB. */
const NEAR = 2_000;

/** The line of a place, safe to show. Undefined where there is no such line, or nothing on it. */
export function frameOf(source: SourceText, place: Place, columns = WIDTH): Frame | undefined {
  const lines = source.text.replace(/^\ufeff/, '').split('\n', place.line);
  const line = lines[place.line - 1]?.replace(/\r$/, '');
  if (line === undefined) return undefined;
  const start = lines.slice(0, -1).reduce((sum, { length }) => sum + length + 1, 0);
  const hidden =
    source.hidden === undefined ? hiddenInBroken(line) : hiddenInLine(line, start, source.hidden());
  const column = place.column - 1;
  const pieces = piecesOf(line, [...hidden, [0, column - NEAR], [column + NEAR, line.length]]);
  const text = pieces
    .map(({ shown }) => shown)
    .join('')
    .trimEnd();
  if (text === '') return undefined;
  const widthTo = (end: number) => widthBefore(pieces, end, line);
  const from = Math.min(widthTo(column), text.length);
  const to = widthTo((place.endColumn ?? place.column + 1) - 1);
  const width = Math.max(1, Math.min(to, text.length) - from);
  return windowOf({ text, start: from, width }, Math.min(columns, WIDTH));
}

/** Text that is not valid YAML shows only the first key of a line, and only if it is all letters: the rest may be values. */
function hiddenInBroken(line: string): Span[] {
  const key = /^\s*(?:[-?] +)*(["']?)[a-z][A-Za-z]{0,31}\1\s*:(?=\s|$)/.exec(line)?.[0] ?? '';
  return [[key.length, line.length]];
}

/** The hidden spans of a file by their columns in one of its lines, and any comment there. */
function hiddenInLine(line: string, start: number, hidden: readonly Span[]): Span[] {
  const spans = hidden
    .map(([from, to]): Span => [from - start, to - start])
    .filter(([from, to]) => from < line.length && to > 0);
  const at = line.length - (/(?:^|\s)#\s*(\S.*)$/.exec(line)?.[1] ?? '').length;
  const isText = spans.some(([from, to]) => from < at && to >= at);
  return isText ? spans : [...spans, [at, line.length]];
}

function piecesOf(line: string, hidden: readonly Span[]): Piece[] {
  const pieces: Piece[] = [];
  const end = () => pieces.at(-1)?.to ?? 0;
  const showUpTo = (to: number) => pieces.push({ from: end(), to, shown: visible(line.slice(end(), to)) });
  for (const [first, last] of [...hidden].sort((a, b) => a[0] - b[0])) {
    const [from, to] = [Math.max(first, end()), Math.min(last, line.length)];
    const indent = line.slice(from, to).search(/\S/);
    if (indent < 0) continue;
    showUpTo(from + indent);
    pieces.push({ from: from + indent, to, shown: HIDDEN_PART });
  }
  showUpTo(line.length);
  return pieces;
}

/** How wide the shown text is before a column; inside of what is not shown it is the start of its replacement. */
function widthBefore(pieces: readonly Piece[], column: number, line: string): number {
  return pieces.reduce((sum, { from, to, shown }) => {
    if (to <= column) return sum + shown.length;
    return shown === HIDDEN_PART ? sum : sum + visible(line.slice(from, column)).length;
  }, 0);
}

/** The part of a long line that holds the mark, with some of what is before it. */
function windowOf({ text, start, width }: Frame, columns: number): Frame {
  const wanted = Math.min(start - Math.floor(columns / 3), text.length - columns);
  const from = start + width < columns ? 0 : Math.max(0, wanted);
  const [before, after] = [from > 0 ? CUT : '', from + columns < text.length ? CUT : ''];
  const marked = Math.min(width, from + columns - start);
  return {
    text: `${before}${text.slice(from, from + columns)}${after}`,
    start: start - from + before.length,
    width: Math.max(1, marked),
  };
}
