import { laidOut, type ShownSide, type Sides } from './sides.ts';
import { changedLines, type DiffLine } from './text-diff.ts';

/**
 * Both sides of a change in lines: those that differ with `context` equal ones
 * around, or all of both if one of them is no value.
 */
export function sideLines(
  { before, after, isNew, isGone }: Sides,
  context?: number,
): DiffLine[] {
  if (isNew) return linesOf('+', after);
  if (isGone) return linesOf('-', before);
  if (before.isWords || after.isWords) {
    return [...linesOf('-', before), ...linesOf('+', after)];
  }
  return valueLines(before.text, after.text, context);
}

function linesOf(mark: '-' | '+', { text, isWords }: ShownSide): DiffLine[] {
  const lines = isWords ? [text] : laidOut(text).split('\n');
  return lines.map((line) => ({ mark, text: line }));
}

function valueLines(
  before: string,
  after: string,
  context?: number,
): DiffLine[] {
  const lines = changedLines(laidOut(before), laidOut(after), context);
  const isEqual = lines.every(({ mark }) => mark === ' ' || mark === ':');
  const ending = endingLine(before, after);
  if (ending !== undefined) return [...lines, ending];
  // What differs in blanks alone is equal once it is laid out.
  return isEqual ? changedLines(before, after, context) : lines;
}

/** Says that only one of two texts ends with a line end. */
function endingLine(before: string, after: string): DiffLine | undefined {
  if (before.endsWith('\n') === after.endsWith('\n')) return undefined;
  const side = before.endsWith('\n') ? 'now' : 'before';
  return { mark: ' ', text: `(${side} without a newline at its end)` };
}
