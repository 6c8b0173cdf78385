import { listed } from '../../findings/words.ts';
import type { Card } from '../model/cards.ts';
import { isSentence, type Note, type Row } from '../model/rows.ts';
import type { DiffLine } from '../model/text-diff.ts';
import type { ShownValue } from '../model/value.ts';
import type { View } from '../report.ts';
import { widthOfView } from './layout.ts';
import {
  blank,
  columnsOf,
  hanging,
  PAINTS,
  painted,
  SPACE,
  type Span,
  span,
  spansOf,
} from './spans.ts';

/** Values stand in a column behind fields of at most so many columns. */
const WIDEST_FIELD = 28;

/** The most names of a card with a title. */
const MOST_NAMES = 4;

/** The lines of a card: its names, then its rows. `gutter` is for line numbers. */
export function cardLines(card: Card, gutter: number, view: View): string[] {
  const lines = headLines(card, view);
  let fields = 0;
  for (const { field } of card.rows) {
    const columns = columnsOf([span(field)]);
    if (columns <= WIDEST_FIELD) fields = Math.max(fields, columns);
  }
  const rows = card.rows.map((row) => rowText(row, { gutter, fields }, view));
  const column = notesColumn(rows, view);
  for (const row of rows) lines.push(...rowLines(row, column, view));
  return lines.map((line) => painted(line, view));
}

/** The names of a card, its files, and what is said of all its rows. */
function headLines(card: Card, view: View): Span[][] {
  const { title, names, files, notes } = card;
  const width = widthOfView(view);
  const shown = listed(names, title === undefined ? names.length : MOST_NAMES);
  const strong = span(title ?? shown, 'strong');
  const faint = span(title === undefined ? filesText(files) : shown, 'faint');
  const head = [strong, blank(2), faint];
  if (columnsOf(head) <= width) return withNotes(head, notes, 0, width);
  const lines = hanging([], [strong], width, 4);
  if (faint.text !== '') lines.push(...hanging([blank(2)], [faint], width));
  if (notes.length > 0)
    lines.push(...hanging([blank(2)], notesText(notes), width));
  return lines;
}

/** The first file; of several, how many more there are. */
function filesText([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** A row before its notes are placed. */
interface RowText {
  readonly line: Span[];
  /** What stands below it. */
  readonly below: readonly Span[][];
  readonly notes: readonly Note[];
  readonly indent: number;
}

const MARKS = { '+': 'add', '-': 'remove', '~': 'change' } as const;

interface Columns {
  readonly gutter: number;
  readonly fields: number;
}

function rowText(row: Row, { gutter, fields }: Columns, view: View): RowText {
  const { line, field, value } = row;
  const width = widthOfView(view);
  const lead = [
    span(line.padStart(gutter), 'faint'),
    ...(gutter > 0 ? [SPACE] : []),
    span(`${value.mark} `, MARKS[value.mark]),
    span(field),
  ];
  const start = gutter > 0 ? gutter + 3 : 2;
  const indent = start + 2;
  const below: Span[][] = [];
  for (const { tone, text } of row.notes.filter(isSentence)) {
    below.push(...hanging([blank(indent)], [span(text, PAINTS[tone])], width));
  }
  const notes = row.notes.filter((note) => !isSentence(note));
  const inLine = valueInLine(value);
  const gap = Math.max(2, indent + fields - columnsOf(lead));
  if (inLine !== undefined) {
    const whole = [...lead, blank(gap), ...inLine];
    if (columnsOf(whole) <= width) return { line: whole, below, notes, indent };
    below.push(...hanging([blank(indent)], inLine, width));
  }
  if (value.kind === 'lines') {
    for (const each of value.lines)
      below.push(...diffLines(each, indent, width));
  }
  return { line: lead, below, notes, indent };
}

/** A value in one line; undefined if it has lines of its own. */
function valueInLine(value: ShownValue): Span[] | undefined {
  if (value.kind === 'lines') return undefined;
  if (value.kind === 'members') {
    const members: Span[] = [];
    for (const { mark, text } of value.members) {
      if (members.length > 0) members.push(SPACE);
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

/** The column behind the widest line that has room for its notes. */
function notesColumn(rows: readonly RowText[], view: View): number {
  let column = 0;
  for (const { line, notes } of rows) {
    if (notes.length === 0) continue;
    const columns = columnsOf(line) + 2;
    const fits = columns + columnsOf(notesText(notes)) <= widthOfView(view);
    if (fits) column = Math.max(column, columns);
  }
  return column;
}

function rowLines(row: RowText, column: number, view: View): Span[][] {
  const { line, notes, indent, below } = row;
  const width = widthOfView(view);
  return [...withNotes(line, notes, column, width, indent), ...below];
}

/**
 * A line with its notes: in their column, at the right edge if that is nearer,
 * or below the line.
 */
function withNotes(
  line: readonly Span[],
  notes: readonly Note[],
  column: number,
  width: number,
  indent = 2,
): Span[][] {
  if (notes.length === 0) return [[...line]];
  const text = notesText(notes);
  const least = columnsOf(line) + 2;
  const at = Math.min(Math.max(column, least), width - columnsOf(text));
  if (at >= least) return [[...line, blank(at - least + 2), ...text]];
  return [[...line], ...hanging([blank(indent)], text, width)];
}
