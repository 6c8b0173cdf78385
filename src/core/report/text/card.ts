import { listed } from '../../findings/words.ts';
import { type Card, isSentence, type Note, type Row } from '../model/cards.ts';
import { type DiffLine, folded } from '../model/text-diff.ts';
import {
  blank,
  columnsOf,
  hanging,
  type Span,
  span,
  spansOf,
} from './spans.ts';

/** How cards are laid out. */
export interface Layout {
  /** Columns of line numbers; none without any. */
  gutter: number;
  /** Columns of a line. */
  width: number;
  /** Whether no value is cut. */
  isFull: boolean;
}

/** Values stand in a column behind fields of at most so many columns. */
const WIDEST_FIELD = 28;

/** The most names of a card with a title. */
const MOST_NAMES = 4;

/** The lines of a card: its names with its files, then its rows. */
export function cardLines(card: Card, layout: Layout): Span[][] {
  const { title, names, files } = card;
  const { gutter, width } = layout;
  const shown = listed(names, title === undefined ? names.length : MOST_NAMES);
  const head = [
    span(title ?? shown, 'strong'),
    blank(2),
    span(title === undefined ? listed(files, 1) : shown, 'dim'),
  ];
  const lines = hanging([], head, width, 4);
  const last = lines.pop() ?? [];
  const said = notesText(card.notes);
  lines.push(...withNotes(last, said, { column: 0, indent: 2, width }));
  const indent = gutter > 0 ? gutter + 5 : 4;
  let widest = 0;
  for (const { field } of card.rows) {
    const columns = columnsOf([span(field)]);
    if (columns <= WIDEST_FIELD) widest = Math.max(widest, columns);
  }
  const values = indent + widest;
  const rows = card.rows.map((row) => rowText(row, layout, indent, values));
  // Notes stand behind the widest line that has room for them.
  let column = 0;
  for (const { line, notes } of rows) {
    const columns = columnsOf(line) + 2;
    const fits = columns + columnsOf(notes) <= width;
    if (notes.length > 0 && fits) column = Math.max(column, columns);
  }
  for (const { line, notes, below } of rows) {
    lines.push(...withNotes(line, notes, { column, indent, width }), ...below);
  }
  return lines;
}

/** A row before its notes are placed. */
interface RowText {
  line: readonly Span[];
  notes: readonly Span[];
  /** What stands below it. */
  below: readonly Span[][];
}

const MARKS = { '+': 'good', '-': 'remove', '~': 'change' } as const;

/** Lines below a row begin at `indent`, values of other rows at `values`. */
function rowText(
  row: Row,
  { gutter, width, isFull }: Layout,
  indent: number,
  values: number,
): RowText {
  const { field, value } = row;
  const line = [
    span(row.line.padStart(gutter), 'dim'),
    blank(gutter > 0 ? 1 : 0),
    span(`${value.mark} `, MARKS[value.mark]),
    span(field),
  ];
  const below: Span[][] = [];
  for (const { tone, text } of row.notes.filter(isSentence)) {
    below.push(...hanging([blank(indent)], [span(text, tone)], width));
  }
  const notes = notesText(row.notes.filter((note) => !isSentence(note)));
  if (value.lines !== undefined) {
    for (const { mark, runs } of value.lines) {
      const shown = { mark, runs: isFull ? runs : folded(runs) };
      below.push(...diffLines(shown, indent, width));
    }
    return { line, notes, below };
  }
  const inLine = spansOf(value.after);
  if (value.before !== undefined) {
    inLine.unshift(...spansOf(value.before), span(' -> '));
  }
  const gap = blank(Math.max(2, values - columnsOf(line)));
  if (columnsOf([...line, gap, ...inLine]) > width) {
    below.push(...hanging([blank(indent)], inLine, width));
  } else line.push(gap, ...inLine);
  return { line, notes, below };
}

/** How a line of a comparison looks, and the part of it that differs. */
const LINES = {
  '-': { paint: 'remove', part: 'removedPart' },
  '+': { paint: 'good', part: 'addedPart' },
  ' ': { paint: 'dim', part: 'dim' },
  ':': { paint: 'dim', part: 'dim' },
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
    if (run.mark === '.') return span(run.text, 'dim');
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
    spans.push(span(kind === 'risk' ? `! ${text}` : text, tone));
  }
  return spans;
}

/** Where notes stand: in a column, or below their line behind an indent. */
interface NotesPlace {
  column: number;
  indent: number;
  width: number;
}

/**
 * A line with its notes: in their column, at the right edge if that is nearer,
 * or below the line.
 */
function withNotes(
  line: readonly Span[],
  notes: readonly Span[],
  { column, indent, width }: NotesPlace,
): Span[][] {
  if (notes.length === 0) return [[...line]];
  const least = columnsOf(line) + 2;
  const at = Math.min(Math.max(column, least), width - columnsOf(notes));
  if (at >= least) return [[...line, blank(at - least + 2), ...notes]];
  return [[...line], ...hanging([blank(indent)], notes, width)];
}
