import { diffArrays } from 'diff';
import { count } from '../../findings/words.ts';
import { toldApart } from '../../model/look-alike.ts';

/**
 * A part of a text: equal on both sides, only before, only after, or words of
 * ours.
 */
export interface Run {
  mark: ' ' | '-' | '+' | '.';
  text: string;
}

export function textOf(runs: readonly { text: string }[]): string {
  return runs.map(({ text }) => text).join('');
}

/** A line of a comparison; `:` stands for equal lines that are left out. */
export interface DiffLine {
  mark: ' ' | '-' | '+' | ':';
  runs: readonly Run[];
}

/** Beyond this many edits both sides are shown whole. */
const MOST_EDITS = 2_000;

/** Equal lines that are shown on both sides of a change. */
const CONTEXT = 2;

/** What two texts of one line have in common; unlike ones are marked whole. */
export function changedWords(before: string, after: string): Run[] {
  const parts = runsOf(wordsIn(before), wordsIn(after));
  const runs = parts.map(({ mark, items }) => ({ mark, text: items.join('') }));
  const equal = textOf(runs.filter(({ mark }) => mark === ' ')).length;
  const isAlike = equal * 3 >= Math.max(before.length, after.length);
  return isAlike ? runs : outerRuns(before, after);
}

/** The parts of one side of a comparison. */
export function runsOn(side: '-' | '+', runs: readonly Run[]): Run[] {
  return runs.filter(({ mark }) => mark === ' ' || mark === side);
}

/** A long word is equal at its ends, a short one is another word. */
const LONG_WORD = 40;

/** Two unlike texts, with what is equal at the ends of long ones. */
function outerRuns(before: string, after: string): Run[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  let end = 0;
  if (shorter > LONG_WORD) {
    while (start < shorter && before[start] === after[start]) start += 1;
    const most = shorter - start;
    while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  }
  const runs: Run[] = [
    { mark: ' ', text: before.slice(0, start) },
    { mark: '-', text: before.slice(start, before.length - end) },
    { mark: '+', text: after.slice(start, after.length - end) },
    { mark: ' ', text: before.slice(before.length - end) },
  ];
  return runs.filter(({ text }) => text !== '');
}

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

interface ItemRun {
  mark: ' ' | '-' | '+';
  items: readonly string[];
}

/** Runs of equal and different items; what differs goes before it comes. */
function runsOf(
  before: readonly string[],
  after: readonly string[],
): readonly ItemRun[] {
  const options = { maxEditLength: MOST_EDITS };
  const parts = diffArrays([...before], [...after], options);
  if (parts === undefined) {
    return [
      { mark: '-', items: before },
      { mark: '+', items: after },
    ];
  }
  const runs: ItemRun[] = [];
  for (const { added, removed, value } of parts) {
    const mark = added ? '+' : '-';
    runs.push({ mark: added || removed ? mark : ' ', items: value });
  }
  return runs;
}

/**
 * The lines in which two texts differ, with equal ones around. Lines that
 * replace each other have their changed words marked.
 */
export function changedLines(before: string, after: string): DiffLine[] {
  const runs = runsOf(before.split('\n'), after.split('\n'));
  const lines: DiffLine[] = [];
  for (const [at, { mark, items }] of runs.entries()) {
    if (mark === ' ') {
      const first = at === 0 ? 0 : CONTEXT;
      const last = at === runs.length - 1 ? 0 : CONTEXT;
      lines.push(...equalLines(items, first, last));
      continue;
    }
    // Lines that replace each other stand in neighbouring runs.
    const other = runs[mark === '-' ? at + 1 : at - 1];
    const twins = other?.mark === ' ' ? undefined : other?.items;
    const changed = items.map((text, line): DiffLine => {
      return { mark, runs: markedWords(mark, text, twins?.[line]) };
    });
    lines.push(...changed);
  }
  return lines;
}

function markedWords(
  mark: '-' | '+',
  text: string,
  other: string | undefined,
): Run[] {
  if (other === undefined) return [{ mark, text }];
  const sides = mark === '-' ? [text, other] : [other, text];
  const [before = '', after = ''] = toldApart(sides);
  return runsOn(mark, changedWords(before, after));
}

/** The first and last of equal lines, and a count of those between. */
function equalLines(
  lines: readonly string[],
  first: number,
  last: number,
): DiffLine[] {
  const shown = lines.map((text): DiffLine => {
    return { mark: ' ', runs: [{ mark: ' ', text }] };
  });
  const left = lines.length - first - last;
  // A count takes a line as well.
  if (left > 1) {
    const text = `(${count(left, 'equal line')})`;
    shown.splice(first, left, { mark: ':', runs: [{ mark: '.', text }] });
  }
  return shown;
}

/** Characters that are shown of one run, and of an end of what is equal. */
const SHOWN = 160;
const END = 40;

/**
 * Long runs of one side in short: of what is equal both ends, of what differs
 * the beginning, then how long all of it is.
 */
export function folded(runs: readonly Run[]): Run[] {
  const short: Run[] = [];
  for (const [at, { mark, text }] of runs.entries()) {
    const isLast = at === runs.length - 1;
    const start = at === 0 ? '' : text.slice(0, END);
    const end = isLast ? '' : text.slice(-END);
    // A few more characters take no more room than to say that they are left.
    const most = mark === ' ' ? SHOWN : SHOWN + END;
    const cut = mark === ' ' ? `${start}…${end}` : `${text.slice(0, SHOWN)}…`;
    short.push({ mark, text: text.length <= most ? text : cut });
  }
  const whole = textOf(runs);
  if (textOf(short) === whole) return short;
  const characters = `${whole.length.toLocaleString('en-US')} characters`;
  return [...short, { mark: '.', text: ` (${characters})` }];
}
