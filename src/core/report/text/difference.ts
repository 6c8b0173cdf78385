import { cut } from '../../findings/words.ts';
import { forTerminal } from '../escape.ts';
import { lineDiff } from '../line-diff.ts';
import type { View } from '../report.ts';

/** Characters of the longest value that is shown whole. */
const LONGEST_VALUE = 200;

/** Equal characters shown before the first difference of two long values. */
const LEAD = 40;

/** Up to so many changed lines are marked where they differ. */
const MOST_MARKED = 4;

/** The most lines that a comparison shows. */
const LONGEST_DIFF = 40;

/** Both texts by their lines, changed lines between a few equal ones. */
export function diffLines(before: string, after: string, { paint, full = false }: View): string[] {
  const parts = lineDiff(before, after, full);
  const isMarked = parts.filter(({ mark }) => mark === '+').length <= MOST_MARKED;
  const lines = parts.flatMap(({ mark, text, counterpart }) => {
    if (mark === ' ') return paint.faint(`  ${fold(text, undefined, full)}`);
    const shown = showEnd(fold(text, counterpart, full));
    if (mark === '-') return paint.remove(`- ${shown}`);
    const marks = isMarked ? markOf(shown, counterpart, full) : [];
    return [`+ ${shown}`, ...marks].map(paint.add);
  });
  return full ? lines : limited(lines, LONGEST_DIFF, '  ');
}

/** The first lines of a long list, and a count of the others. */
export function limited(lines: string[], most: number, indent = ''): string[] {
  const rest = lines.length - most;
  return rest > 0 ? [...lines.slice(0, most), `${indent}(${rest} more lines)`] : lines;
}

/** Marks below a line where it differs from its counterpart; none if little is equal, or columns are unknown. */
export function markOf(shown: string, counterpart: string | undefined, full: boolean): string[] {
  if (counterpart === undefined || !/^[ -~]*$/.test(shown)) return [];
  const other = showEnd(fold(counterpart, undefined, full));
  if (shown === other) return [];
  const [own, others] = [[...shown], [...other]];
  const start = commonStart(own, others, others.length);
  const end = commonStart(own.toReversed(), others.toReversed(), Math.min(own.length, others.length) - start);
  const differs = own.length - start - end;
  return start + end < differs ? [] : [`  ${' '.repeat(start)}${'^'.repeat(Math.max(1, differs))}`];
}

/** How many characters two texts begin with in common. */
function commonStart(a: readonly string[], b: readonly string[], most: number): number {
  const differs = a.slice(0, most).findIndex((character, at) => character !== b[at]);
  return differs < 0 ? Math.min(a.length, most) : differs;
}

/** Marks a space at the end of a line, which cannot be seen. */
function showEnd(text: string): string {
  return text.endsWith(' ') ? `${text}⏎` : text;
}

/** A value for a terminal; of a long one its start, or the part where it differs from the other, and its length. */
export function fold(text: string, other: string | undefined, full: boolean): string {
  const { length } = [...text];
  if (full || length <= LONGEST_VALUE) return forTerminal(text);
  return `${forTerminal(cut(text, other, LONGEST_VALUE, LEAD))} (${length} characters)`;
}
