import { count, cut } from '../findings/words.ts';
import { effectOf } from '../model/permission.ts';
import { isEmpty } from '../model/value.ts';
import type { Change } from '../plan/plan.ts';
import { RISKS, type Risk } from '../plan/risk.ts';
import { forTerminal } from './escape.ts';
import { differingPart, hasStructure, lineDiff, nearLines } from './line-diff.ts';
import type { PlanShown, View } from './report.ts';
import { membersOf, sidesOf } from './sides.ts';
import { wrapWords } from './wrap.ts';

interface ChangeView extends Pick<View, 'paint' | 'width'>, Pick<PlanShown, 'full'> {
  /** Whether lines are without marks below them where they differ. */
  readonly unmarked?: boolean;
}

/** Characters of the longest value that is shown whole. */
const LONGEST_VALUE = 200;

/** Equal characters shown before the first difference of two long values. */
const LEAD = 40;

/** Up to so many changed lines are marked where they differ. */
const MOST_MARKED = 4;

/** The most lines that a comparison shows. */
const LONGEST_DIFF = 40;

/** The most lines that show added members of a list, or removed ones. */
const LONGEST_LIST = 6;

/** The lines of one change: its name, on that line or below it how the value changes, then its risks. */
export function renderChange(change: Change, name: string, view: ChangeView): string[] {
  const { paint, width } = view;
  const isNew = change.field === 'value' && !change.sensitive && isEmpty(change.before);
  const lead = `    ${isNew ? paint.add('+') : paint.change('~')} ${forTerminal(name)}`;
  const { beside, below } = changeSides(change, view);
  const fits = beside !== undefined && 6 + name.length + 2 + beside.text.length <= width;
  return [
    ...(fits ? [`${lead}  ${beside.painted}`] : [lead.trimEnd(), ...below.map((line) => `        ${line}`)]),
    ...[...effectsOf(change), ...commentLines(change.comment, view)].map(
      (text) => `      ${paint.faint(text)}`,
    ),
    ...change.risks.map((risk) => `      ${paint.risk(riskText(risk))}`),
  ];
}

/** The comment at a declaration, on one line: its beginning where it is long. */
export function commentLines(
  comment: string | undefined,
  { width, full = false }: Pick<ChangeView, 'width' | 'full'>,
): string[] {
  if (comment === undefined) return [];
  return [`# ${forTerminal(full ? comment : cut(comment, '', Math.max(16, width - 9)))}`];
}

/** What a change of a permission means for people; nothing for any other. */
export function effectsOf(change: Change): string[] {
  return change.field === 'permission' ? [`(${effectOf(change.before)} -> ${effectOf(change.after)})`] : [];
}

/** A risk and what it means for people. */
export function riskText(risk: Risk): string {
  return `! ${risk}: ${RISKS[risk].words}`;
}

/** Both sides of a change: next to its name if there is room, or in lines below it. */
interface Sides {
  readonly beside?: { readonly text: string; readonly painted: string };
  readonly below: readonly string[];
}

/** Both sides of a change as text. */
export function changeSides(change: Change, view: ChangeView): Sides {
  return memberSides(change, view) ?? valueSides(change, view);
}

/** A multi-select by its removed and added members; undefined for anything else. Their order does not count. */
function memberSides(change: Change, { paint, width, full = false }: ChangeView): Sides | undefined {
  const members = membersOf(change);
  if (members === undefined) return undefined;
  const marked = (mark: string, values: readonly string[]) =>
    values.map((value) => `${mark}${fold(value, undefined, full)}`);
  const sides = [
    { words: marked('-', members.removed), painted: paint.remove },
    { words: marked('+', members.added), painted: paint.add },
  ].filter(({ words }) => words.length > 0);
  return {
    beside: {
      text: sides.flatMap(({ words }) => words).join(' '),
      painted: sides.map(({ words, painted }) => painted(words.join(' '))).join(' '),
    },
    below: sides.flatMap(({ words, painted }) => listLines(words, width - 8, full).map(painted)),
  };
}

/** Lines of words, with a count of those that are left out. */
function listLines(words: readonly string[], width: number, full: boolean): string[] {
  const lines = wrapWords(words, width);
  if (full || lines.length <= LONGEST_LIST) return lines;
  const shown = lines.slice(0, LONGEST_LIST);
  const { length } = shown.join(' ');
  const last = words.findIndex((_, index) => words.slice(0, index + 1).join(' ').length === length);
  return [...shown, `(${words.length - last - 1} more)`];
}

function valueSides(change: Change, view: ChangeView): Sides {
  const { before, after } = sidesOf(change);
  return twoSides(before, after, view);
}

/** Both sides of a difference as text; one of them alone where there is no other. */
export function textSides(
  { before, after }: { readonly before?: string | undefined; readonly after?: string | undefined },
  view: ChangeView,
): Sides {
  if (before !== undefined && after !== undefined) return twoSides(before, after, view);
  const { paint, full } = view;
  const [text = '', look] = before === undefined ? [after, paint.add] : [before, paint.remove];
  const shown = text.split('\n').map((line) => look(fold(line, undefined, full)));
  const only =
    shown.length === 1 ? { text: fold(text, undefined, full), painted: shown.join('') } : undefined;
  return { ...(only === undefined ? {} : { beside: only }), below: shown };
}

function twoSides(from: string, to: string, view: ChangeView): Sides {
  const { paint, full = false } = view;
  if (hasStructure(from) || hasStructure(to)) return { below: diffLines(from, to, view) };
  const [before, after] = [fold(from, to, full), fold(to, from, full)];
  return {
    beside: { text: `${before} -> ${after}`, painted: `${before} -> ${paint.add(after)}` },
    below: [
      paint.remove(`- ${before}`),
      paint.add(`+ ${after}`),
      ...(view.unmarked ? [] : markOf(after, from, full)).map(paint.add),
    ],
  };
}

/** Both texts by their lines: what goes and what comes, between a few equal lines. */
function diffLines(before: string, after: string, { paint, full, unmarked }: ChangeView): string[] {
  const parts = lineDiff(before, after);
  const isMarked = unmarked !== true && parts.filter(({ kind }) => kind === 'add').length <= MOST_MARKED;
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

/** Marks below a line where it differs from its counterpart; none where little is equal, or columns cannot be told. */
function markOf(shown: string, counterpart: string | undefined, full = false): string[] {
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
function fold(text: string, other?: string, full = false): string {
  const { length } = [...text];
  if (full || length <= LONGEST_VALUE) return forTerminal(text);
  return `${forTerminal(cut(text, other, LONGEST_VALUE, LEAD))} (${length} characters)`;
}
