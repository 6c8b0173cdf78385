import widthOf from 'fast-string-width';
import { cut } from '../../findings/words.ts';
import type { ChangeDocument } from '../../plan/plan.ts';
import { type ComparedLine, changeLines } from '../change.ts';
import { visible } from '../escape.ts';
import type { View } from '../report.ts';
import { filled, padded } from '../wrap.ts';

/** Characters of the longest value that is shown whole. */
const LONGEST_VALUE = 200;

/** The most lines that a comparison shows. */
const LONGEST_DIFF = 40;

/** The lines of changes, each with its name; places stand in a column. */
export function renderChanges(
  changes: readonly { readonly change: ChangeDocument; readonly name: string; readonly place: string }[],
  view: View,
): string[] {
  const { paint, width } = view;
  const column = Math.max(...changes.map(({ name }) => widthOf(name)));
  const all = changes.map(({ change, name, place }) => ({
    place: visible(place),
    ...changeText(change, padded(visible(name), column), view),
  }));
  const fits = (columns: number, place: string) => columns + 2 + widthOf(place) <= width;
  const widest = Math.max(...all.map(({ head, place }) => (fits(widthOf(head), place) ? widthOf(head) : 0)));
  return all.flatMap(({ head, place, below }) => {
    const at = paint.faint(place);
    if (!fits(widthOf(head), place)) return [head.trimEnd(), `      ${at}`, ...below];
    return [`${fits(widest, place) ? padded(head, widest) : head}  ${at}`, ...below];
  });
}

/** How a change begins, with both sides if they fit, and what stands below. */
function changeText(change: ChangeDocument, name: string, view: View) {
  const { width, paint } = view;
  const { isUnset, isList, sides, notes } = changeLines(change, view.full);
  const lead = `    ${isUnset ? paint.add('+') : paint.change('~')} ${name}`;
  const beside = besideText(sides, isList, view);
  const head = beside === undefined ? lead : `${lead}  ${beside}`;
  const below = notes.flatMap(({ mark, text }) =>
    filled(visible(`${mark} ${text}`), width, 6).map(paintsOf(view)[mark]),
  );
  if (beside !== undefined && widthOf(head) <= width) return { head, below };
  return { head: lead, below: [...diffText(sides, view).map((line) => `        ${line}`), ...below] };
}

/** Both sides in one line: members of a list with their marks, or two values. Undefined for texts of several lines. */
function besideText(lines: readonly ComparedLine[], isList: boolean, view: View): string | undefined {
  const { paint, full } = view;
  if (isList)
    return lines.map(({ mark, text }) => paintsOf(view)[mark](`${mark}${fold(text, '', full)}`)).join(' ');
  const [from, to] = lines.map(({ text, counterpart }) => fold(text, counterpart, full));
  const isPair = lines.map(({ mark }) => mark).join('') === '-+';
  return isPair ? `${from} -> ${paint.add(to ?? '')}` : undefined;
}

function paintsOf({ paint }: View) {
  return { '-': paint.remove, '+': paint.add, ' ': paint.faint, '#': paint.faint, '!': paint.risk };
}

/** The lines of a comparison, with marks below the parts that changed. */
function diffText(lines: readonly ComparedLine[], view: View): string[] {
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
  if (full || length <= LONGEST_VALUE) return visible(text);
  return `${visible(cut(text, other, LONGEST_VALUE))} (${length} characters)`;
}
