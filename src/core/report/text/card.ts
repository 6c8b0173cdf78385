import widthOf from 'fast-string-width';
import { visible } from '../escape.ts';
import type { Card } from '../model/card.ts';
import { homeOf } from '../model/home.ts';
import type { View } from '../report.ts';
import { filled } from '../wrap.ts';
import {
  columnsOf,
  padded,
  paddedStart,
  remarkColumns,
  shortened,
  spaces,
  withRemarks,
} from './layout.ts';
import { type Remark, type RowText, rowText } from './row.ts';
import { onlyOn } from './servers.ts';
import { valueBelow, valueInLine } from './value.ts';

/** Values stand in a column behind fields of at most so many columns. */
const WIDEST_FIELD = 26;

/** The most columns that the state of an integration takes. */
const WIDEST_STATE = 40;

/** What all cards of a report have in common. */
export interface CardContext {
  readonly view: View;
  /** How many servers the document has. */
  readonly servers: number;
  /** Columns of the line numbers. */
  readonly gutter: number;
}

/** An integration, or several with equal changes: its name, then its rows. */
export function cardLines(card: Card, context: CardContext): string[] {
  const { servers, view } = context;
  const home = homeOf(card);
  const rows: RowText[] = [];
  for (const row of card.rows) {
    rows.push(rowText(row, { card, servers, isFull: view.full === true }));
  }
  let column = 0;
  for (const { field } of rows) {
    const width = widthOf(field);
    if (width <= WIDEST_FIELD) column = Math.max(column, width);
  }
  const lines = titleLines(card, home, context);
  for (const row of rows) lines.push(...rowLines(row, column, context));
  return lines;
}

/** The names of a card, its files, and what is special about it. */
function titleLines(
  card: Card,
  home: readonly string[],
  context: CardContext,
): string[] {
  const { paint } = context.view;
  const columns = columnsOf(context.view);
  const names = card.names.map(visible).join(', ');
  const files = pathText(home);
  const remarks = cardRemarks(card, context);
  const path = files === '' ? '' : `  ${paint.faint(files)}`;
  const title = `${paint.strong(names)}${path}`;
  if (widthOf(title) + remarkColumns(remarks) <= columns) {
    return withRemarks(title, remarks, columns);
  }
  const lines = filled(names, columns, 4, '').map(paint.strong);
  const last = lines.pop() ?? '';
  lines.push(...withRemarks(last, remarks, columns));
  if (files !== '') {
    lines.push(...filled(files, columns, 4, '  ').map(paint.faint));
  }
  return lines;
}

/** Where an integration does not run, and the servers that it is on. */
function cardRemarks(
  { stopped, servers: own }: Card,
  { view: { paint }, servers }: CardContext,
): string[] {
  const remarks: string[] = [];
  for (const state of stopped) {
    remarks.push(paint.risk(shortened(visible(state), WIDEST_STATE)));
  }
  if (own.length < servers) remarks.push(paint.faint(onlyOn(own, servers)));
  return remarks;
}

function pathText([first = '', ...others]: readonly string[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${visible(first)}${more}`;
}

/** A row with its value in a column, or below it; then what is noted. */
function rowLines(
  row: RowText,
  column: number,
  { view, gutter }: CardContext,
): string[] {
  const columns = columnsOf(view);
  const remarks = row.remarks.map((remark) => paintedRemark(remark, view));
  const lead = leadOf(row, gutter, view);
  const below = gutter + 5;
  const lines: string[] = [];
  const line = lineWithValue(row, lead, { column, gutter, view, remarks });
  if (line === undefined) {
    lines.push(...withRemarks(lead, remarks, columns));
    lines.push(...valueBelow(row.value, below, view));
  } else lines.push(...withRemarks(line, remarks, columns));
  for (const { text, tone } of row.notes) {
    lines.push(
      ...filled(text, columns, below + 2, spaces(below)).map(view.paint[tone]),
    );
  }
  return lines;
}

function paintedRemark({ text, tone }: Remark, { paint }: View): string {
  return paint[tone](text);
}

const MARK_TONES = { '+': 'add', '-': 'remove', '~': 'change' } as const;

function leadOf(
  { line, mark, field }: RowText,
  gutter: number,
  { paint }: View,
): string {
  const place = paint.faint(paddedStart(line, gutter));
  return `${place} ${paint[MARK_TONES[mark]](mark)} ${field}`;
}

/** What decides whether a value fits in the line of its field. */
interface LineRoom {
  readonly column: number;
  readonly gutter: number;
  readonly view: View;
  readonly remarks: readonly string[];
}

/**
 * A field and its value in one line; outside the column if only that leaves
 * room for the remarks. Undefined if the value needs lines of its own.
 */
function lineWithValue(
  { value }: RowText,
  lead: string,
  { column, gutter, view, remarks }: LineRoom,
): string | undefined {
  const columns = columnsOf(view);
  const text = valueInLine(value, view);
  if (text === undefined) return undefined;
  const inColumn = `${padded(lead, gutter + 3 + column)}  ${text}`;
  const close = `${lead}  ${text}`;
  const needed = remarkColumns(remarks);
  if (widthOf(inColumn) + needed <= columns) return inColumn;
  if (widthOf(close) + needed <= columns) return close;
  if (widthOf(inColumn) <= columns) return inColumn;
  return widthOf(close) <= columns ? close : undefined;
}
