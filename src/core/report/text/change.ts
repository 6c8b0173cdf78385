import { cut } from '../../findings/words.ts';
import type { ChangeDocument } from '../../plan/document.ts';
import { membersOf, riskText, type Sides, sentencesOf, sidesOf } from '../change-words.ts';
import { forTerminal } from '../escape.ts';
import type { GroupedChange } from '../groups.ts';
import { hasStructure } from '../line-diff.ts';
import type { View } from '../report.ts';
import { padded, widthOf, wrapWords } from '../wrap.ts';
import { diffLines, fold, markOf } from './difference.ts';

/** A text and how it is painted. */
interface Painted {
  readonly text: string;
  readonly paint: (text: string) => string;
}

/** A change as lines of its own: how it begins, where it is declared, and what stands below. */
interface ChangeLines {
  readonly head: readonly Painted[];
  readonly place: string;
  readonly below: readonly string[];
}

const bare = (text: string) => text;

/** The lines of the changes of one integration, or of several with equal changes; places stand in a column. */
export function renderChanges(
  changes: readonly GroupedChange[],
  nameOf: (change: ChangeDocument) => string,
  view: View,
): string[] {
  const column = Math.max(...changes.map(({ change }) => widthOf(nameOf(change))));
  const all = changes.map((each) =>
    changeLines(each, padded(forTerminal(nameOf(each.change)), column), view),
  );
  const widths = all.map(({ head }) => widthIn(head));
  const fits = all.map(({ place }, at) => (widths[at] ?? 0) + 2 + widthOf(place) <= view.width);
  const widest = Math.max(...widths.filter((_, at) => fits[at]));
  return all.flatMap(({ head, place, below }, at) => {
    const width = widths[at] ?? 0;
    const start = head.map(({ text, paint }) => paint(text)).join('');
    const pad = widest + 2 + widthOf(place) <= view.width ? widest - width : 0;
    return fits[at]
      ? [`${start}${' '.repeat(pad + 2)}${view.paint.faint(place)}`, ...below]
      : [start.trimEnd(), `      ${view.paint.faint(place)}`, ...below];
  });
}

function widthIn(parts: readonly Painted[]): number {
  return widthOf(parts.map(({ text }) => text).join(''));
}

function changeLines({ change, places }: GroupedChange, name: string, view: View): ChangeLines {
  const { paint, width } = view;
  const [first = '', ...others] = places;
  const place = forTerminal(others.length === 0 ? first : `${first} and ${others.length} more`);
  const isNew = change.before === null && change.secret !== true && change.hidden !== true;
  const mark = isNew ? { text: '+', paint: paint.add } : { text: '~', paint: paint.change };
  const lead: Painted[] = [{ text: '    ', paint: bare }, mark, { text: ` ${name}`, paint: bare }];
  const { beside, below } = sidesBelow(change, view);
  const head = beside === undefined ? lead : [...lead, { text: '  ', paint: bare }, ...beside];
  const notes = notesOf(change, view);
  if (widthIn(head) <= width) return { head, place, below: [...below, ...notes] };
  return {
    head: lead,
    place,
    below: [...(beside === undefined ? below : longBelow(change, view)), ...notes],
  };
}

/** What a change comes to: next to its name, or below it if it has several lines. */
function sidesBelow(change: ChangeDocument, view: View) {
  const { paint, full = false } = view;
  const sides = sidesOf(change);
  const members = membersOf(change);
  if (members !== undefined) return { beside: memberParts(members, view), below: [] };
  if (sides.base !== undefined) return { below: conflictLines(sides, view) };
  const [sentence] = change.address.endsWith('.permission') ? [] : sentencesOf(change, sides);
  if (sentence !== undefined) return { beside: [{ text: forTerminal(sentence), paint: bare }], below: [] };
  if (hasStructure(sides.before) || hasStructure(sides.after))
    return { below: indented(diffLines(sides.before, sides.after, view)) };
  const [before, after] = [fold(sides.before, sides.after, full), fold(sides.after, sides.before, full)];
  const beside = [
    { text: `${before} -> `, paint: bare },
    { text: after, paint: paint.add },
  ];
  return { beside, below: [] };
}

/** The same in lines, as it is too long to stand next to a name. */
function longBelow(change: ChangeDocument, view: View): string[] {
  const { paint, width, full = false } = view;
  const members = membersOf(change);
  if (members !== undefined)
    return memberParts(members, view).flatMap(({ text, paint: painted }) =>
      indented(limited(wrapWords(text.trim().split(' '), width - 8), full).map(painted)),
    );
  const sides = sidesOf(change);
  const [sentence] = change.address.endsWith('.permission') ? [] : sentencesOf(change, sides);
  if (sentence !== undefined) return indented(wrapWords(forTerminal(sentence).split(' '), width - 8));
  const [before, after] = [fold(sides.before, sides.after, full), fold(sides.after, sides.before, full)];
  const marks = markOf(after, sides.before, full).map(paint.add);
  return indented([paint.remove(`- ${before}`), paint.add(`+ ${after}`), ...marks]);
}

/** The three values of a conflict. */
function conflictLines({ base = '', before, after }: Sides, view: View): string[] {
  const values = [
    ['base', base],
    ['live', before],
    ['desired', after],
  ] as const;
  return values.flatMap(([name, text]) => {
    const [first = '', ...rest] = text.split('\n').map((line) => fold(line, undefined, view.full));
    const indent = ' '.repeat(16);
    return [`        ${name.padEnd(8)}${first}`, ...rest.map((line) => `${indent}${line}`)];
  });
}

function memberParts(
  { removed, added }: NonNullable<ReturnType<typeof membersOf>>,
  { paint, full }: View,
): Painted[] {
  const marked = (mark: string, values: readonly string[]) =>
    values.map((value) => `${mark}${fold(value, undefined, full)}`).join(' ');
  return [
    { text: marked('-', removed), paint: paint.remove },
    { text: removed.length > 0 && added.length > 0 ? ' ' : '', paint: bare },
    { text: marked('+', added), paint: paint.add },
  ].filter(({ text }) => text !== '');
}

/** The most lines that show added members of a list, or removed ones. */
const LONGEST_LIST = 6;

function limited(lines: readonly string[], full: boolean): readonly string[] {
  const rest = lines.length - LONGEST_LIST;
  return full || rest <= 0 ? lines : [...lines.slice(0, LONGEST_LIST), `(${rest} more lines)`];
}

/** Effects, the comment in the YAML, and risks. */
function notesOf(change: ChangeDocument, { paint, width, full = false }: View): string[] {
  const { comment, risks } = change;
  const effects = change.address.endsWith('.permission') ? sentencesOf(change, sidesOf(change)) : [];
  const told =
    comment === undefined ? [] : [`# ${forTerminal(full ? comment : cut(comment, '', width - 9))}`];
  return [
    ...[...effects, ...told].flatMap((text) => wrapWords(text.split(' '), width - 6)).map(paint.faint),
    ...risks.map((risk) => paint.risk(riskText(risk))),
  ].map((text) => `      ${text}`);
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `        ${line}`);
}
