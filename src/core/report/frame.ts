import type { Place, SourceText, Span } from '../model/place.ts';
import { visible } from './escape.ts';

/** What takes the place of a part of a line that is not shown, and of each of its characters until then. */
const HIDDEN_PART = '•••';
const HIDDEN_UNIT = '\ue000';

/** The most columns that are shown of a line. */
const WIDTH = 100;

/** The line of a place without its secrets, or the part near the place, and the marked part of that text. */
export function frameOf(source: SourceText, place: Place, most = WIDTH) {
  const lines = source.text.replace(/^\ufeff/, '').split('\n', place.line);
  const line = lines[place.line - 1]?.replace(/\r$/, '').trimEnd();
  if (line === undefined || line === '') return undefined;
  const start = lines.slice(0, -1).reduce((sum, { length }) => sum + length + 1, 0);
  const hidden =
    source.hidden === undefined ? hiddenInBroken(line) : hiddenInLine(line, start, source.hidden());
  const { column, endColumn = column + 1 } = place;
  const columns = Math.min(most, WIDTH);
  const wanted = Math.min(column - 1 - Math.floor(columns / 3), line.length - columns);
  const first = endColumn <= columns ? 0 : Math.max(0, wanted);
  const near = withoutHidden(line, hidden, [first, first + columns]);
  const upTo = (end: number) => `${first > 0 ? '…' : ''}${shownUpTo(near, end - first)}`;
  const text = `${upTo(line.length)}${first + columns < line.length ? '…' : ''}`;
  const from = upTo(column - 1).length;
  return { text, start: from, width: Math.max(1, upTo(endColumn - 1).length - from) };
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
