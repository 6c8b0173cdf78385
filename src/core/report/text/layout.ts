import widthOf from 'fast-string-width';
import type { View } from '../report.ts';

/** Wider lines are hard to read. */
const WIDEST = 120;

/** The columns that a report takes of a terminal. */
export function widthOfView({ width }: View): number {
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
function spaces(columns: number): string {
  return ' '.repeat(Math.max(0, columns));
}
