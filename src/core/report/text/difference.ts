import { cut } from '../../findings/words.ts';
import { forTerminal } from '../escape.ts';
import type { ComparedLine } from '../line-diff.ts';
import type { View } from '../report.ts';

/** Characters of the longest value that is shown whole. */
const LONGEST_VALUE = 200;

/** Equal characters shown before the first difference of two long values. */
const LEAD = 40;

/** Up to so many changed lines are marked where they differ. */
const MOST_MARKED = 4;

/** The most lines that a comparison shows. */
const LONGEST_DIFF = 40;

/** The lines of a comparison, with marks below the parts that changed. */
export function diffText(lines: readonly ComparedLine[], { paint, full = false }: View): string[] {
  const paints = { '-': paint.remove, '+': paint.add, ' ': paint.faint };
  const isMarked = lines.filter(({ mark }) => mark === '+').length <= MOST_MARKED;
  const all = lines.flatMap(({ mark, text, counterpart }) => {
    const shown = fold(text, counterpart, full);
    const marks = isMarked && mark === '+' ? markOf(shown, counterpart, full) : [];
    return [`${mark} ${shown}`, ...marks].map(paints[mark]);
  });
  const rest = all.length - LONGEST_DIFF;
  return full || rest <= 0 ? all : [...all.slice(0, LONGEST_DIFF), `  (${rest} more lines)`];
}

/** Marks below a line where it differs from its counterpart; none if little is equal, or columns are unknown. */
function markOf(shown: string, counterpart: string | undefined, full: boolean): string[] {
  if (counterpart === undefined || !/^[ -~]*$/.test(shown)) return [];
  const other = fold(counterpart, undefined, full);
  const shorter = Math.min(shown.length, other.length);
  const start = equalAtStart([...shown], [...other], shorter);
  const end = equalAtStart([...shown].reverse(), [...other].reverse(), shorter - start);
  const differs = shown.length - start - end;
  if (shown === other || start + end < differs) return [];
  return [`  ${' '.repeat(start)}${'^'.repeat(Math.max(1, differs))}`];
}

function equalAtStart(a: readonly string[], b: readonly string[], most: number): number {
  const differs = a.slice(0, most).findIndex((character, at) => character !== b[at]);
  return differs < 0 ? most : differs;
}

/** A value for a terminal; of a long one its start, or the part where it differs from the other, and its length. */
export function fold(text: string, other: string | undefined, full = false): string {
  const { length } = [...text];
  if (full || length <= LONGEST_VALUE) return forTerminal(text);
  return `${forTerminal(cut(text, other, LONGEST_VALUE, LEAD))} (${length} characters)`;
}
