import { count, cut } from '../../findings/words.ts';
import { forTerminal } from '../escape.ts';
import { differingPart, lineDiff, nearLines } from '../line-diff.ts';
import type { View } from '../report.ts';

type DiffView = Pick<View, 'paint' | 'full'>;

/** Characters of the longest value that is shown whole. */
const LONGEST_VALUE = 200;

/** Equal characters shown before the first difference of two long values. */
const LEAD = 40;

/** Up to so many changed lines are marked where they differ. */
const MOST_MARKED = 4;

/** The most lines that a comparison shows. */
const LONGEST_DIFF = 40;

/** Both texts by their lines: what goes and what comes, between a few equal lines. */
export function diffLines(before: string, after: string, { paint, full }: DiffView): string[] {
  const parts = lineDiff(before, after);
  const isMarked = parts.filter(({ kind }) => kind === 'add').length <= MOST_MARKED;
  const lines = parts.flatMap((part, index) => {
    if (part.kind === 'context') {
      const near = { isAfter: index > 0, isBefore: index + 1 < parts.length };
      return contextLines(part.lines, near, full).map(paint.faint);
    }
    if (part.kind === 'open')
      return paint.faint(`  (${part.side === 'add' ? 'now' : 'before'} without a newline at its end)`);
    const text = showEnd(fold(part.text, part.counterpart, full));
    if (part.kind === 'remove') return paint.remove(`- ${text}`);
    const marks = isMarked ? markOf(text, part.counterpart, full) : [];
    return [paint.add(`+ ${text}`), ...marks.map(paint.add)];
  });
  const rest = lines.length - LONGEST_DIFF;
  return rest > 0 && !full ? [...lines.slice(0, LONGEST_DIFF), `  (${rest} more lines)`] : lines;
}

/** Equal lines: those next to a change, and a count of the others. */
function contextLines(
  lines: readonly string[],
  near: { readonly isAfter: boolean; readonly isBefore: boolean },
  full = false,
): string[] {
  const { start, left, end } = full ? { start: lines, left: 0, end: [] } : nearLines(lines, near);
  const shown = (some: readonly string[]) => some.map((line) => `  ${fold(line)}`);
  return [...shown(start), ...(left === 0 ? [] : [`  (${count(left, 'equal line')})`]), ...shown(end)];
}

/** Marks below a line where it differs from its counterpart; none if little is equal, or columns are unknown. */
export function markOf(shown: string, counterpart: string | undefined, full = false): string[] {
  if (counterpart === undefined || !/^[ -~]*$/.test(shown)) return [];
  const other = showEnd(fold(counterpart, undefined, full));
  const parts = shown.includes('…') ? undefined : differingPart(shown, other);
  if (parts === undefined) return [];
  const [start, differing] = parts;
  return [`  ${' '.repeat(start.length)}${'^'.repeat(Math.max(1, differing.length))}`];
}

/** Marks a space at the end of a line, which cannot be seen. */
function showEnd(text: string): string {
  return text.endsWith(' ') ? `${text}⏎` : text;
}

/** A value for a terminal; of a long one its start, or the part where it differs from the other, and its length. */
export function fold(text: string, other?: string, full = false): string {
  const { length } = [...text];
  if (full || length <= LONGEST_VALUE) return forTerminal(text);
  return `${forTerminal(cut(text, other, LONGEST_VALUE, LEAD))} (${length} characters)`;
}
