import widthOf from 'fast-string-width';
import type { Look } from '../report.ts';

/** Wider lines are hard to read. */
const WIDEST = 120;

/** The columns that a report takes of a terminal. */
export function columnsOf({ width }: Look): number {
  return Math.min(width, WIDEST);
}

/** A text with spaces up to so many columns. */
export function padded(text: string, columns: number): string {
  return `${text}${spaces(columns - widthOf(text))}`;
}

/** A text with spaces before it up to so many columns. */
export function paddedStart(text: string, columns: number): string {
  return `${spaces(columns - widthOf(text))}${text}`;
}

/** So many spaces; none for a negative number. */
export function spaces(columns: number): string {
  return ' '.repeat(Math.max(0, columns));
}

/** The start of a text that is wider than so many columns. */
export function shortened(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let start = '';
  for (const character of text) {
    if (widthOf(start + character) >= columns) break;
    start += character;
  }
  return `${start}…`;
}

/** Columns between a line and its remarks, and between remarks. */
const GAP = 2;

/** Columns that remarks take at the right edge, with the gap before them. */
export function remarkColumns(remarks: readonly string[]): number {
  let columns = 0;
  for (const remark of remarks) columns += GAP + widthOf(remark);
  return columns;
}

/** A line with remarks at the right edge; they stand below if they must. */
export function withRemarks(
  line: string,
  remarks: readonly string[],
  columns: number,
): string[] {
  if (remarks.length === 0) return [line.trimEnd()];
  const rows = remarkRows(remarks, columns);
  const [right = '', ...others] = rows;
  const gap = columns - widthOf(line) - widthOf(right);
  if (others.length === 0 && gap >= GAP) {
    return [`${line}${spaces(gap)}${right}`];
  }
  const below = rows.map((row) => paddedStart(row, columns));
  return [line.trimEnd(), ...below];
}

/** Remarks in lines that fit; a longer one has a line of its own. */
function remarkRows(remarks: readonly string[], columns: number): string[] {
  const [first = '', ...others] = remarks;
  const rows: string[] = [];
  let row = first;
  for (const remark of others) {
    const longer = `${row}${spaces(GAP)}${remark}`;
    if (widthOf(longer) <= columns) {
      row = longer;
      continue;
    }
    rows.push(row);
    row = remark;
  }
  rows.push(row);
  return rows;
}
