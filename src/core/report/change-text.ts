import { count, cut } from '../findings/words.ts';
import { effectOf } from '../model/permission.ts';
import { type Choice, isChoiceList, isEmpty } from '../model/value.ts';
import type { Change } from '../plan/plan.ts';
import { RISKS } from '../plan/risk.ts';
import { forTerminal } from './escape.ts';
import { hasStructure, lineDiff } from './line-diff.ts';
import type { PlanShown, View } from './report.ts';
import { sidesOf } from './sides.ts';
import { wrapWords } from './wrap.ts';

type ChangeView = Pick<View, 'paint' | 'width'> & Pick<PlanShown, 'full'>;

/** Characters of the longest value that is shown whole. */
const LONGEST_VALUE = 200;

/** Equal characters shown before the first difference of two long values. */
const LEAD = 40;

/** Up to so many changed lines are marked where they differ. */
const MOST_MARKED = 4;

/** Equal lines that are shown next to a change. */
const CONTEXT = 2;

/** The most lines that a comparison shows. */
const LONGEST_DIFF = 40;

/** The most lines that show added members of a list, or removed ones. */
const LONGEST_LIST = 6;

/** The lines of one change: its name, on that line or below it how the value changes, then its risks. */
export function renderChange(change: Change, name: string, view: ChangeView): string[] {
  const { paint, width } = view;
  const effect =
    change.field === 'permission' ? [`(${effectOf(change.before)} -> ${effectOf(change.after)})`] : [];
  const isNew = change.field === 'value' && !change.sensitive && isEmpty(change.before);
  const lead = `    ${isNew ? paint.add('+') : paint.change('~')} ${forTerminal(name)}`;
  const { beside, below } = memberSides(change, view) ?? valueSides(change, view);
  const fits = beside !== undefined && 6 + name.length + 2 + beside.text.length <= width;
  return [
    ...(fits ? [`${lead}  ${beside.painted}`] : [lead.trimEnd(), ...below.map((line) => `        ${line}`)]),
    ...effect.map((text) => `      ${paint.faint(text)}`),
    ...change.risks.map((risk) => `      ${paint.risk(`! ${risk}: ${RISKS[risk].words}`)}`),
  ];
}

/** Both sides of a change: next to its name if there is room, or in lines below it. */
interface Sides {
  readonly beside?: { readonly text: string; readonly painted: string };
  readonly below: readonly string[];
}

/** A multi-select by its removed and added members; undefined for anything else. Their order does not count. */
function memberSides(change: Change, { paint, width, full = false }: ChangeView): Sides | undefined {
  if (change.field !== 'value' || change.sensitive) return undefined;
  const { before, after } = change;
  if (before === null || !isChoiceList(before) || !isChoiceList(after)) return undefined;
  const marked = (mark: string, values: readonly string[]) =>
    values.map((value) => `${mark}${fold(value, undefined, full)}`);
  const sides = [
    { words: marked('-', missingIn(after, before)), painted: paint.remove },
    { words: marked('+', missingIn(before, after)), painted: paint.add },
  ].filter(({ words }) => words.length > 0);
  return {
    beside: {
      text: sides.flatMap(({ words }) => words).join(' '),
      painted: sides.map(({ words, painted }) => painted(words.join(' '))).join(' '),
    },
    below: sides.flatMap(({ words, painted }) => listLines(words, width - 8, full).map(painted)),
  };
}

/** The values of choices that another list lacks, each once. */
function missingIn(other: readonly Choice[], choices: readonly Choice[]): string[] {
  const known = new Set(other.map(({ value }) => value));
  return [...new Set(choices.map(({ value }) => value))].filter((value) => !known.has(value));
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
  const { paint, full = false } = view;
  const { before: from, after: to } = sidesOf(change);
  if (hasStructure(from) || hasStructure(to)) return { below: diffLines(from, to, view) };
  const [before, after] = [fold(from, to, full), fold(to, from, full)];
  return {
    beside: { text: `${before} -> ${after}`, painted: `${before} -> ${paint.add(after)}` },
    below: [
      paint.remove(`- ${before}`),
      paint.add(`+ ${after}`),
      ...markOf(after, from, full).map(paint.add),
    ],
  };
}

/** Both texts by their lines: what goes and what comes, between a few equal lines. */
function diffLines(before: string, after: string, { paint, full }: ChangeView): string[] {
  const parts = lineDiff(before, after);
  const isMarked = parts.filter(({ kind }) => kind === 'add').length <= MOST_MARKED;
  const lines = parts.flatMap((part, index) => {
    if (part.kind === 'context')
      return contextLines(part.lines, index > 0, index + 1 < parts.length, full).map(paint.faint);
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
function contextLines(lines: readonly string[], isAfter: boolean, isBefore: boolean, full = false): string[] {
  const start = full ? lines.length : isAfter ? CONTEXT : 0;
  const end = Math.max(start, lines.length - (isBefore ? CONTEXT : 0));
  const shown = (some: readonly string[]) => some.map((line) => `  ${fold(line)}`);
  const left = end - start;
  // A count takes a line as well.
  if (left <= 1) return shown(lines);
  return [...shown(lines.slice(0, start)), `  (${count(left, 'equal line')})`, ...shown(lines.slice(end))];
}

/** Marks below a line where it differs from its counterpart; none where little is equal, or columns cannot be told. */
function markOf(shown: string, counterpart: string | undefined, full = false): string[] {
  if (counterpart === undefined || !/^[ -~]*$/.test(shown)) return [];
  const other = showEnd(fold(counterpart, undefined, full));
  if (shown === other) return [];
  const start = commonLength(shown, other);
  const most = Math.min(shown.length, other.length) - start;
  const end = commonLength([...shown].reverse().join(''), [...other].reverse().join(''), most);
  const width = shown.length - start - end;
  return start + end < width || shown.includes('…')
    ? []
    : [`  ${' '.repeat(start)}${'^'.repeat(Math.max(1, width))}`];
}

/** How many characters two texts begin with in common. */
function commonLength(a: string, b: string, most = Math.min(a.length, b.length)): number {
  const differs = [...Array(most).keys()].find((at) => a[at] !== b[at]);
  return differs ?? most;
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
