import { cut } from '../../findings/words.ts';
import { forTerminal } from '../escape.ts';
import type { ComparedLine } from '../line-diff.ts';
import type { View } from '../report.ts';

/** Characters of the longest value that is shown whole. */
const LONGEST_VALUE = 200;

/** The most lines that a comparison shows. */
const LONGEST_DIFF = 40;

/** How lines are painted, by their marks. */
export function paintsOf({ paint }: View) {
  return { '-': paint.remove, '+': paint.add, ' ': paint.faint, '#': paint.faint, '!': paint.risk };
}

/** The lines of a comparison, with marks below the parts that changed. */
export function diffText(lines: readonly ComparedLine[], view: View): string[] {
  const { full = false } = view;
  const all = lines.flatMap(({ mark, text, counterpart }) => {
    const shown = fold(text, counterpart, full);
    const marks =
      mark === '+' && counterpart !== undefined ? markOf(shown, fold(counterpart, text, full)) : [];
    return [`${mark} ${shown}`, ...marks].map(paintsOf(view)[mark]);
  });
  const rest = all.length - LONGEST_DIFF;
  return full || rest <= 0 ? all : [...all.slice(0, LONGEST_DIFF), `  (${rest} more lines)`];
}

/** Marks below a line where it differs from another; none if little is equal, or columns are unknown. */
function markOf(shown: string, other: string): string[] {
  const start = equalAtStart(shown, other);
  const end = equalAtStart(reversed(shown.slice(start)), reversed(other.slice(start)));
  const differs = shown.length - start - end;
  if (!/^[ -~]*$/.test(shown) || shown === other || start + end < differs) return [];
  return [`  ${' '.repeat(start)}${'^'.repeat(Math.max(1, differs))}`];
}

function equalAtStart(a: string, b: string): number {
  const differs = a.split('').findIndex((character, at) => character !== b[at]);
  return differs < 0 ? a.length : differs;
}

function reversed(text: string): string {
  return text.split('').reverse().join('');
}

/** A value for a terminal; of a long one its start, or the part where it differs from the other, and its length. */
export function fold(text: string, other: string | undefined, full = false): string {
  const { length } = [...text];
  if (full || length <= LONGEST_VALUE) return forTerminal(text);
  return `${forTerminal(cut(text, other, LONGEST_VALUE))} (${length} characters)`;
}
