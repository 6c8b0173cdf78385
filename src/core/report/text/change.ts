import type { ChangeDocument } from '../../plan/plan.ts';
import { isUnset, membersOf, placesText } from '../change-words.ts';
import { forTerminal } from '../escape.ts';
import type { GroupedChange } from '../groups.ts';
import { type ComparedLine, changeLines } from '../line-diff.ts';
import type { View } from '../report.ts';
import { filled, padded, widthOf } from '../wrap.ts';
import { diffText, fold, paintsOf } from './difference.ts';

/** The lines of the changes of one integration, or of several with equal changes; places stand in a column. */
export function renderChanges(
  changes: readonly GroupedChange[],
  nameOf: (change: ChangeDocument) => string,
  view: View,
): string[] {
  const { paint, width } = view;
  const column = Math.max(...changes.map(({ change }) => widthOf(nameOf(change))));
  const all = changes.map(({ change, places }) => {
    const lead = `    ${isUnset(change) ? paint.add('+') : paint.change('~')} `;
    const name = padded(forTerminal(nameOf(change)), column);
    return { place: forTerminal(placesText(places)), ...changeText(change, `${lead}${name}`, view) };
  });
  const fits = (columns: number, place: string) => columns + 2 + widthOf(place) <= width;
  const widest = Math.max(...all.map(({ head, place }) => (fits(widthOf(head), place) ? widthOf(head) : 0)));
  return all.flatMap(({ head, place, below }) => {
    const at = paint.faint(place);
    if (!fits(widthOf(head), place)) return [head.trimEnd(), `      ${at}`, ...below];
    return [`${fits(widest, place) ? padded(head, widest) : head}  ${at}`, ...below];
  });
}

/** How a change begins, with both sides if they fit, and what stands below. */
function changeText(change: ChangeDocument, lead: string, view: View) {
  const { width } = view;
  const lines = changeLines(change, view.full);
  const notes = lines.filter(({ mark }) => mark === '#' || mark === '!');
  const sides = lines.filter((line) => !notes.includes(line));
  const beside = besideText(sides, membersOf(change) !== undefined, view);
  const head = beside === undefined ? lead : `${lead}  ${beside}`;
  const isBeside = beside !== undefined && widthOf(head) <= width;
  const below = notes.flatMap(({ mark, text }) =>
    filled(forTerminal(`${mark} ${text}`), width, 6).map(paintsOf(view)[mark]),
  );
  if (isBeside) return { head, below };
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
