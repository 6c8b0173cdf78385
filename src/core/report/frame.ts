import type { Place, SourceText, Span } from '../model/place.ts';
import { visible } from './escape.ts';

/** What takes the place of a part of a line that is not shown, and of each of its characters until then. */
const HIDDEN_PART = '•••';
const HIDDEN_UNIT = '\ue000';

/** The most columns that are shown of a line. */
const WIDTH = 100;

/** Columns on both sides of a place that are looked at: a line may have 2 MiB. */
const NEAR = 2_000;

/** The line of a place without its secrets, or the part near the place, and the marked part of that text. */
export function frameOf(
  source: SourceText,
  { line: number, column, endColumn = column + 1 }: Place,
  most = WIDTH,
) {
  const lines = source.text.replace(/^\ufeff/, '').split('\n', number);
  const line = lines[number - 1]?.replace(/\r$/, '').trimEnd();
  if (line === undefined || line === '') return undefined;
  const offset = lines.slice(0, -1).reduce((sum, { length }) => sum + length + 1, 0);
  const hidden =
    source.hidden === undefined ? hiddenInBroken(line) : hiddenInLine(line, offset, source.hidden());
  const first = Math.max(0, column - NEAR);
  const near = withoutHidden(line, hidden, [first, column + NEAR]);
  const text = shownUpTo(near, near.length);
  const [start = 0, end = 0] = [column, endColumn].map((each) => shownUpTo(near, each - 1 - first).length);
  const columns = Math.min(most, WIDTH);
  const wanted = Math.min(start - Math.floor(columns / 3), text.length - columns);
  const from = end < columns ? 0 : Math.max(0, wanted);
  const [before, after] = [from > 0 ? '…' : '', from + columns < text.length ? '…' : ''];
  return {
    text: `${before}${text.slice(from, from + columns)}${after}`,
    start: start - from + before.length,
    width: Math.max(1, Math.min(end, from + columns) - start),
  };
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
