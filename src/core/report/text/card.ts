import { listed } from '../../findings/words.ts';
import type { Card } from '../model/cards.ts';
import { isSentence, type Note, type Row } from '../model/rows.ts';
import type { DiffLine } from '../model/text-diff.ts';
import type { ShownValue, ValueInLines } from '../model/value.ts';
import {
  blank,
  columnsOf,
  hanging,
  PAINTS,
  type Span,
  span,
  spansOf,
} from './spans.ts';

/** Values stand in a column behind fields of at most so many columns. */
const WIDEST_FIELD = 28;

/** The most names of a card with a title. */
const MOST_NAMES = 4;

/** How the rows of a card are laid out. */
interface Columns {
  /** Those of line numbers; none without any. */
  readonly gutter: number;
  /** Those of all of a line. */
  readonly width: number;
  /** Those of the widest field. */
  readonly fields: number;
  /** Where the lines below a row begin. */
  readonly indent: number;
}

/** The lines of a card: its names, then its rows. */
export function cardLines(card: Card, gutter: number, width: number): Span[][] {
  const lines = headLines(card, width);
  let fields = 0;
  for (const { field } of card.rows) {
    const columns = columnsOf([span(field)]);
    if (columns <= WIDEST_FIELD) fields = Math.max(fields, columns);
  }
  const indent = gutter > 0 ? gutter + 5 : 4;
  const layout = { gutter, width, fields, indent };
  const rows = card.rows.map((row) => rowText(row, layout));
  // Notes stand behind the widest line that has room for them.
  let column = 0;
  for (const { line, notes } of rows) {
    const columns = columnsOf(line) + 2;
    const fits = columns + columnsOf(notes) <= width;
    if (notes.length > 0 && fits) column = Math.max(column, columns);
  }
  for (const row of rows) {
    lines.push(...withNotes(row, column, width), ...row.below);
  }
  return lines;
}

/** The names of a card, its files, and what is said of all its rows. */
function headLines(card: Card, width: number): Span[][] {
  const { title, names, files, notes } = card;
  const shown = listed(names, title === undefined ? names.length : MOST_NAMES);
  const strong = span(title ?? shown, 'strong');
  const faint = span(title === undefined ? listed(files, 1) : shown, 'faint');
  const said = notesText(notes);
  const head = [strong, blank(2), faint];
  if (columnsOf(head) <= width) {
    return withNotes({ line: head, notes: said, indent: 2 }, 0, width);
  }
  const lines = hanging([], [strong], width, 4);
  for (const below of [[faint], said]) {
    if (columnsOf(below) > 0) lines.push(...hanging([blank(2)], below, width));
  }
  return lines;
}

/** A line before its notes are placed. */
interface NotedLine {
  readonly line: readonly Span[];
  readonly notes: readonly Span[];
  /** Where notes begin below it. */
  readonly indent: number;
}

/** The line of a row, and what stands below it. */
interface RowText extends NotedLine {
  readonly below: readonly Span[][];
}

const MARKS = { '+': 'add', '-': 'remove', '~': 'change' } as const;

function rowText(row: Row, columns: Columns): RowText {
  const { gutter, width, fields, indent } = columns;
  const { field, value } = row;
  const line = [
    span(row.line.padStart(gutter), 'faint'),
    blank(gutter > 0 ? 1 : 0),
    span(`${value.mark} `, MARKS[value.mark]),
    span(field),
  ];
  const below: Span[][] = [];
  for (const { tone, text } of row.notes.filter(isSentence)) {
    below.push(...hanging([blank(indent)], [span(text, PAINTS[tone])], width));
  }
  const notes = notesText(row.notes.filter((note) => !isSentence(note)));
  if (value.kind === 'lines') {
    for (const each of value.lines)
      below.push(...diffLines(each, indent, width));
  } else {
    const inLine = valueInLine(value);
    const gap = blank(Math.max(2, indent + fields - columnsOf(line)));
    if (columnsOf([...line, gap, ...inLine]) <= width) {
      line.push(gap, ...inLine);
    } else below.push(...hanging([blank(indent)], inLine, width));
  }
  return { line, notes, indent, below };
}

function valueInLine(value: Exclude<ShownValue, ValueInLines>): Span[] {
  if (value.kind === 'members') {
    const members: Span[] = [];
    for (const { mark, text } of value.members) {
      if (members.length > 0) members.push(blank(1));
      members.push(...spansOf([{ mark, text: `${mark}${text}` }]));
    }
    return members;
  }
  const after = spansOf(value.after);
  if (value.before === undefined) return after;
  return [...spansOf(value.before), span(' -> '), ...after];
}

/** How a line of a comparison looks, and the part of it that differs. */
const LINES = {
  '-': { paint: 'remove', part: 'removedPart' },
  '+': { paint: 'add', part: 'addedPart' },
  ' ': { paint: 'faint', part: 'faint' },
  ':': { paint: 'faint', part: 'faint' },
} as const;

function diffLines(
  { mark, runs }: DiffLine,
  indent: number,
  width: number,
): Span[][] {
  const { paint, part } = LINES[mark];
  // A side that differs as a whole needs no mark.
  const hasEqual = runs.some((run) => run.mark === ' ');
  const spans = runs.map((run) => {
    if (run.mark === '.') return span(run.text, 'faint');
    const isPart = hasEqual && run.mark !== ' ';
    return span(run.text, isPart ? part : paint);
  });
  const lead = [blank(indent), span(`${mark === ':' ? ' ' : mark} `, paint)];
  return hanging(lead, spans, width);
}

function notesText(notes: readonly Note[]): Span[] {
  const spans: Span[] = [];
  for (const { kind, tone, text } of notes) {
    if (spans.length > 0) spans.push(blank(2));
    spans.push(span(kind === 'risk' ? `! ${text}` : text, PAINTS[tone]));
  }
  return spans;
}

/**
 * A line with its notes: in their column, at the right edge if that is nearer,
 * or below the line.
 */
function withNotes(
  { line, notes, indent }: NotedLine,
  column: number,
  width: number,
): Span[][] {
  if (notes.length === 0) return [[...line]];
  const least = columnsOf(line) + 2;
  const at = Math.min(Math.max(column, least), width - columnsOf(notes));
  if (at >= least) return [[...line, blank(at - least + 2), ...notes]];
  return [[...line], ...hanging([blank(indent)], notes, width)];
}
