import widthOf from 'fast-string-width';
import { count } from '../../findings/words.ts';
import {
  changedWords,
  type DiffLine,
  type Run,
  runsOn,
} from '../model/text-diff.ts';
import type { Tone, View } from '../report.ts';
import { filled, fold } from '../wrap.ts';
import { columnsOf, spaces } from './layout.ts';
import type { ValueText } from './row.ts';

/** The most lines that a comparison shows. */
const LONGEST_DIFF = 40;

/** A value in the line of its field; undefined if it has several lines. */
export function valueInLine(
  value: ValueText,
  { paint }: View,
): string | undefined {
  if (value.kind === 'lines') return undefined;
  if (value.kind === 'members') {
    const members: string[] = [];
    for (const member of value.members) members.push(painted(member, paint));
    return members.join(' ');
  }
  const { before, after } = value;
  if (before === undefined) return paint.add(after);
  return `${paint.remove(before)} -> ${paint.add(after)}`;
}

/** A member of a list with its mark. */
function painted(member: string, paint: View['paint']): string {
  return member.startsWith('-') ? paint.remove(member) : paint.add(member);
}

/** A value in lines below its field, behind so many spaces. */
export function valueBelow(
  value: ValueText,
  indent: number,
  view: View,
): string[] {
  if (value.kind === 'members') return memberLines(value.members, indent, view);
  const lines = value.kind === 'lines' ? value.lines : linesOf(value);
  const most = view.full === true ? lines.length : LONGEST_DIFF;
  const shown: string[] = [];
  for (const line of lines.slice(0, most)) {
    shown.push(...diffLine(line, indent, view));
  }
  const left = lines.length - most;
  if (left > 0) {
    const text = `${spaces(indent + 2)}(${count(left, 'more line')})`;
    shown.push(view.paint.faint(text));
  }
  return shown;
}

function memberLines(
  members: readonly string[],
  indent: number,
  view: View,
): string[] {
  const lines: string[] = [];
  for (const mark of ['-', '+']) {
    const own = members.filter((member) => member.startsWith(mark));
    if (own.length === 0) continue;
    const paint = mark === '-' ? view.paint.remove : view.paint.add;
    lines.push(...filled(own.join(' '), columnsOf(view), indent).map(paint));
  }
  return lines;
}

/** Two texts of one line as lines of a comparison. */
function linesOf({
  before,
  after,
}: Extract<ValueText, { kind: 'sides' }>): DiffLine[] {
  if (before === undefined) return [{ mark: '+', text: after }];
  return [
    { mark: '-', text: before, counterpart: after },
    { mark: '+', text: after, counterpart: before },
  ];
}

const TONES = {
  '-': { line: 'remove', part: 'removedPart' },
  '+': { line: 'add', part: 'addedPart' },
  ' ': { line: 'faint', part: 'faint' },
} as const satisfies Record<Run['mark'], { line: Tone; part: Tone }>;

function diffLine(line: DiffLine, indent: number, view: View): string[] {
  const { paint, full } = view;
  if (line.mark === ':') {
    const text = `(${count(line.count, 'equal line')})`;
    return [paint.faint(`${spaces(indent + 2)}${text}`)];
  }
  const { mark, text, counterpart } = line;
  const shown = fold(text, counterpart, full);
  const lead = `${spaces(indent)}${mark} `;
  const columns = columnsOf(view);
  const tone = paint[TONES[mark].line];
  const isWhole = widthOf(lead + shown) <= columns;
  if (!isWhole || mark === ' ' || counterpart === undefined) {
    return filled(shown, columns, indent + 2, lead).map(tone);
  }
  const other = fold(counterpart, text, full);
  return [tone(lead) + markedParts(mark, shown, other, view)];
}

/** One side of a comparison, with its changed parts marked. */
function markedParts(
  mark: '-' | '+',
  shown: string,
  other: string,
  { paint }: View,
): string {
  const [before, after] = mark === '-' ? [shown, other] : [other, shown];
  const parts: string[] = [];
  const runs = runsOn(mark, changedWords(before, after));
  // A side that differs as a whole needs no mark.
  const isPart = runs.length > 1;
  for (const run of runs) {
    const isChanged = isPart && run.mark !== ' ';
    const { line, part } = TONES[mark];
    parts.push(paint[isChanged ? part : line](run.text));
  }
  return parts.join('');
}
