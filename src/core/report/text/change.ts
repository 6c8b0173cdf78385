import { cut } from '../../findings/words.ts';
import type { ChangeDocument } from '../../plan/document.ts';
import {
  isUnset,
  membersOf,
  placesText,
  riskText,
  type Sides,
  sentencesOf,
  sidesOf,
} from '../change-words.ts';
import { forTerminal } from '../escape.ts';
import type { GroupedChange } from '../groups.ts';
import { hasStructure } from '../line-diff.ts';
import type { View } from '../report.ts';
import { filled, padded, widthOf, wrapWords } from '../wrap.ts';
import { diffLines, fold, limited, markOf } from './difference.ts';

/** A change as lines of its own: how it begins, where it is declared, and what stands below. */
interface ChangeLines {
  readonly head: string;
  readonly place: string;
  readonly below: readonly string[];
}

/** The sides of a change: next to its name, or below it if they are absent or do not fit. */
interface Content {
  readonly beside?: string;
  readonly below: readonly string[];
}

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
  const fits = (width: number, place: string) => width + 2 + widthOf(place) <= view.width;
  const widest = Math.max(...all.map(({ head, place }) => (fits(widthOf(head), place) ? widthOf(head) : 0)));
  return all.flatMap(({ head, place, below }) => {
    const at = view.paint.faint(place);
    if (!fits(widthOf(head), place)) return [head.trimEnd(), `      ${at}`, ...below];
    return [`${fits(widest, place) ? padded(head, widest) : head}  ${at}`, ...below];
  });
}

function changeLines({ change, places }: GroupedChange, name: string, view: View): ChangeLines {
  const { paint, width } = view;
  const isNew = isUnset(change);
  const lead = `    ${isNew ? paint.add('+') : paint.change('~')} ${name}`;
  const { beside, below } = contentOf(change, view);
  const head = beside === undefined ? lead : `${lead}  ${beside}`;
  const isBeside = beside !== undefined && widthOf(head) <= width;
  return {
    head: isBeside ? head : lead,
    place: forTerminal(placesText(places)),
    below: [...(isBeside ? [] : below.map((line) => `        ${line}`)), ...notesOf(change, view)],
  };
}

function contentOf(change: ChangeDocument, view: View): Content {
  const { paint, width, full = false } = view;
  const sides = sidesOf(change);
  const members = membersOf(change);
  if (members !== undefined) return memberContent(members, view);
  if (sides.base !== undefined) return { below: conflictLines(sides, full) };
  const [sentence] = isOfPermission(change) ? [] : sentencesOf(change, sides).map(forTerminal);
  if (sentence !== undefined) return { beside: sentence, below: filled(sentence, width - 8) };
  if (hasStructure(sides.before) || hasStructure(sides.after))
    return { below: diffLines(sides.before, sides.after, view) };
  const [before, after] = [fold(sides.before, sides.after, full), fold(sides.after, sides.before, full)];
  const marks = markOf(after, sides.before, full).map(paint.add);
  const below = [paint.remove(`- ${before}`), paint.add(`+ ${after}`), ...marks];
  return { beside: `${before} -> ${paint.add(after)}`, below };
}

function isOfPermission({ address }: ChangeDocument): boolean {
  return address.endsWith('.permission');
}

/** The three values of a conflict. */
function conflictLines({ base = '', before, after }: Sides, full: boolean): string[] {
  const values = Object.entries({ base, live: before, desired: after });
  return values.flatMap(([name, text]) =>
    text.split('\n').map((line, at) => `${(at === 0 ? name : '').padEnd(8)}${fold(line, undefined, full)}`),
  );
}

/** The most lines that show added members of a list, or removed ones. */
const LONGEST_LIST = 6;

function memberContent(
  { removed, added }: NonNullable<ReturnType<typeof membersOf>>,
  { paint, width, full = false }: View,
): Content {
  const words = (mark: string, values: readonly string[]) =>
    values.map((value) => `${mark}${fold(value, undefined, full)}`);
  const parts = [
    { all: words('-', removed), painted: paint.remove },
    { all: words('+', added), painted: paint.add },
  ].filter(({ all }) => all.length > 0);
  const below = parts.flatMap(({ all, painted }) => {
    const lines = wrapWords(all.join(' ').split(' '), width - 8);
    return (full ? lines : limited(lines, LONGEST_LIST)).map(painted);
  });
  return { beside: parts.map(({ all, painted }) => painted(all.join(' '))).join(' '), below };
}

/** Effects, the comment in the YAML, and risks. */
function notesOf(change: ChangeDocument, { paint, width, full = false }: View): string[] {
  const { comment, risks } = change;
  const effects = isOfPermission(change) ? sentencesOf(change, sidesOf(change)) : [];
  const comments =
    comment === undefined ? [] : [`# ${forTerminal(full ? comment : cut(comment, '', width - 9))}`];
  return [
    ...[...effects, ...comments].flatMap((text) => filled(text, width - 6)).map(paint.faint),
    ...risks.map((risk) => paint.risk(riskText(risk))),
  ].map((text) => `      ${text}`);
}
