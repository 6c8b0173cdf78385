import { count, cut } from '../findings/words.ts';
import { effectOf } from '../model/permission.ts';
import { type Choice, isChoiceList, isEmpty } from '../model/value.ts';
import type { Change } from '../plan/plan.ts';
import { RISKS } from '../plan/risk.ts';
import { forTerminal } from './escape.ts';
import { hasStructure, lineDiff } from './line-diff.ts';
import type { View } from './report.ts';
import { sidesOf } from './sides.ts';
import { wrapWords } from './wrap.ts';

type ChangeView = Pick<View, 'paint' | 'width'>;

/** Characters of the longest value that is shown whole. */
const LONGEST_VALUE = 200;

/** Equal characters shown before the first difference of two long values. */
const LEAD = 40;

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
function memberSides(change: Change, { paint, width }: ChangeView): Sides | undefined {
  if (change.field !== 'value' || change.sensitive) return undefined;
  const { before, after } = change;
  if (before === null || !isChoiceList(before) || !isChoiceList(after)) return undefined;
  const marked = (mark: string, values: readonly string[]) => values.map((value) => `${mark}${fold(value)}`);
  const sides = [
    { words: marked('-', missingIn(after, before)), painted: paint.remove },
    { words: marked('+', missingIn(before, after)), painted: paint.add },
  ].filter(({ words }) => words.length > 0);
  return {
    beside: {
      text: sides.flatMap(({ words }) => words).join(' '),
      painted: sides.map(({ words, painted }) => painted(words.join(' '))).join(' '),
    },
    below: sides.flatMap(({ words, painted }) => listLines(words, width - 8).map(painted)),
  };
}

/** The values of choices that another list lacks, each once. */
function missingIn(other: readonly Choice[], choices: readonly Choice[]): string[] {
  const known = new Set(other.map(({ value }) => value));
  return [...new Set(choices.map(({ value }) => value))].filter((value) => !known.has(value));
}

/** Lines of words, with a count of those that are left out. */
function listLines(words: readonly string[], width: number): string[] {
  const lines = wrapWords(words, width);
  if (lines.length <= LONGEST_LIST) return lines;
  const shown = lines.slice(0, LONGEST_LIST);
  const { length } = shown.join(' ');
  const last = words.findIndex((_, index) => words.slice(0, index + 1).join(' ').length === length);
  return [...shown, `(${words.length - last - 1} more)`];
}

function valueSides(change: Change, { paint }: ChangeView): Sides {
  const { before: from, after: to } = sidesOf(change);
  if (hasStructure(from) || hasStructure(to)) return { below: diffLines(from, to, paint) };
  const [before, after] = [fold(from, to), fold(to, from)];
  return {
    beside: { text: `${before} -> ${after}`, painted: `${before} -> ${paint.add(after)}` },
    below: [paint.remove(`- ${before}`), paint.add(`+ ${after}`)],
  };
}

function diffLines(before: string, after: string, paint: View['paint']): string[] {
  const lines = lineDiff(before, after).map((line) => {
    if (line.kind === 'context') return paint.faint(`  (${count(line.count, 'equal line')})`);
    if (line.kind === 'open')
      return paint.faint(`  (${line.side === 'add' ? 'now' : 'before'} without a newline at its end)`);
    const text = showEnd(fold(line.text, line.counterpart));
    return line.kind === 'add' ? paint.add(`+ ${text}`) : paint.remove(`- ${text}`);
  });
  const rest = lines.length - LONGEST_DIFF;
  return rest > 0 ? [...lines.slice(0, LONGEST_DIFF), `  (${rest} more lines)`] : lines;
}

/** Marks a space at the end of a line, which cannot be seen. */
function showEnd(text: string): string {
  return text.endsWith(' ') ? `${text}⏎` : text;
}

/** A value for a terminal; of a long one its start, or the part where it differs from the other, and its length. */
function fold(text: string, other?: string): string {
  const { length } = [...text];
  const shown = forTerminal(cut(text, other, LONGEST_VALUE, LEAD));
  return length <= LONGEST_VALUE ? shown : `${shown} (${length} characters)`;
}
