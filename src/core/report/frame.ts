import type { Place, SourceText, Span } from '../model/place.ts';
import { visible } from './escape.ts';

/** A line of a configuration file without its secrets, and the part that a finding is about. */
interface Frame {
  readonly text: string;
  /** Column of the first marked character in `text`, from 0, and how many are marked. */
  readonly start: number;
  readonly width: number;
}

/** What takes the place of a part of a line that is not shown, and of each of its characters until then. */
const HIDDEN_PART = '•••';
const HIDDEN_UNIT = '\ue000';

const CUT = '…';

/** The most columns that are shown of a line. */
const WIDTH = 100;

/** Columns on both sides of a place that are looked at: a line may have 2 MiB. */
const NEAR = 2_000;

/** The line of a place, safe to show. Undefined if there is no such line, or nothing on it. */
export function frameOf(source: SourceText, place: Place, columns = WIDTH): Frame | undefined {
  const lines = source.text.replace(/^\ufeff/, '').split('\n', place.line);
  const line = lines[place.line - 1]?.replace(/\r$/, '');
  if (line === undefined) return undefined;
  const start = lines.slice(0, -1).reduce((sum, { length }) => sum + length + 1, 0);
  const hidden =
    source.hidden === undefined ? hiddenInBroken(line) : hiddenInLine(line, start, source.hidden());
  const first = Math.max(0, place.column - NEAR);
  const near = withoutHidden(line, hidden, [first, place.column + NEAR]);
  const text = shownUpTo(near, near.length).trimEnd();
  if (text === '') return undefined;
  const widthTo = (column: number) => Math.min(shownUpTo(near, column - 1 - first).length, text.length);
  const from = widthTo(place.column);
  const width = Math.max(1, widthTo(place.endColumn ?? place.column + 1) - from);
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

/** The part of a line between two columns, without what is hidden in it; blanks before that stay. */
function withoutHidden(line: string, hidden: readonly Span[], [first, last]: Span): string {
  const units = line.slice(first, last).split('');
  for (const [start, end] of hidden) {
    const [from, to] = [Math.max(start, first), Math.min(end, last)];
    const indent = line.slice(from, to).search(/\S/);
    if (indent >= 0) units.fill(HIDDEN_UNIT, from + indent - first, to - first);
  }
  return units.join('');
}

/** What is shown of a line up to a column; a hidden part counts once it has ended. */
function shownUpTo(line: string, column: number): string {
  const part = line.slice(0, column);
  const ended = line[column] === HIDDEN_UNIT ? part.replace(/\ue000+$/, '') : part;
  return visible(ended.replace(/\ue000+/g, HIDDEN_PART));
}

/** The part of a long line that holds the mark, with some of what is before it. */
function windowOf({ text, start, width }: Frame, columns: number): Frame {
  const wanted = Math.min(start - Math.floor(columns / 3), text.length - columns);
  const from = start + width < columns ? 0 : Math.max(0, wanted);
  const [before, after] = [from > 0 ? CUT : '', from + columns < text.length ? CUT : ''];
  return {
    text: `${before}${text.slice(from, from + columns)}${after}`,
    start: start - from + before.length,
    width: Math.max(1, Math.min(width, from + columns - start)),
  };
}
