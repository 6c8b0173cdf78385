import { laidOut, type ShownSide, type Sides } from './sides.ts';
import { changedLines, type DiffLine } from './text-diff.ts';

/** Both sides of a change as lines: what goes, what comes, what stays. */
export function sideLines(sides: Sides, context?: number): DiffLine[] {
  const { before, after, isNew, isGone } = sides;
  if (isNew) return wholeSide('+', after);
  if (isGone) return wholeSide('-', before);
  if (before.isWords || after.isWords) {
    return [...wholeSide('-', before), ...wholeSide('+', after)];
  }
  const from = laidOut(before.text);
  const to = laidOut(after.text);
  if (from !== to) return changedLines(from, to, context);
  // They differ in blanks of JSON, or in a line end.
  return changedLines(before.text, after.text, context);
}

function wholeSide(mark: '-' | '+', { text, isWords }: ShownSide): DiffLine[] {
  const lines = isWords ? [text] : laidOut(text).split('\n');
  return lines.map((line) => ({ mark, text: line }));
}
