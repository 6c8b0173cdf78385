import { diffLines } from 'diff';
import { count } from '../findings/words.ts';
import type { ChangeDocument } from '../plan/plan.ts';
import { membersOf, riskText, sentencesOf, sidesOf } from './change-words.ts';

/** A line about a change: what goes or comes, a risk, a remark, or what is equal. */
export interface ComparedLine {
  readonly mark: '-' | '+' | ' ' | '#' | '!';
  readonly text: string;
  /** The line on the other side that it replaces or is replaced by. */
  readonly counterpart?: string | undefined;
}

/** Beyond this many edits both texts are shown whole. */
const MAX_EDITS = 2_000;

/** Equal lines that are shown next to a change. */
const CONTEXT = 2;

/** A change as lines: its sides, what they mean, the risks, and the comment in the YAML. */
export function changeLines(change: ChangeDocument, full = false): ComparedLine[] {
  return [
    ...sideLines(change, full),
    ...marked('#', sentencesOf(change)),
    ...marked('!', change.risks.map(riskText)),
    ...marked('#', change.comment === undefined ? [] : [change.comment]),
  ];
}

/** Both sides of a change: the members of a list, the three values of a conflict, lines of text, or two values. */
function sideLines(change: ChangeDocument, full = false): ComparedLine[] {
  const { before, after, base } = sidesOf(change);
  const members = membersOf(change);
  if (members !== undefined) return [...marked('-', members.removed), ...marked('+', members.added)];
  if (base !== undefined)
    return [
      ...marked(' ', [`base: ${base}`]),
      ...marked('-', [`live: ${before}`]),
      ...marked('+', [`desired: ${after}`]),
    ];
  if (hasStructure(before) || hasStructure(after)) return lineDiff(before, after, full);
  return [
    { mark: '-', text: before, counterpart: after },
    { mark: '+', text: after, counterpart: before },
  ];
}

/** Texts of one line or several, each line with the mark. */
export function marked<Mark extends string>(mark: Mark, texts: readonly string[]) {
  return texts.flatMap((text) => text.split('\n').map((line) => ({ mark, text: line })));
}

/** The lines in which two texts differ, JSON with one member a line; `full` keeps all equal lines. */
export function lineDiff(before: string, after: string, full = false): ComparedLine[] {
  const context = full ? Number.POSITIVE_INFINITY : CONTEXT;
  const laidOut = compare(layOut(before), layOut(after), context);
  const lines = laidOut.some(({ mark }) => mark !== ' ') ? laidOut : compare(before, after, context);
  if (before.endsWith('\n') === after.endsWith('\n')) return lines;
  const which = before.endsWith('\n') ? 'now' : 'before';
  return [...lines, { mark: ' ', text: `(${which} without a newline at its end)` }];
}

/** Whether a text is better compared by lines than shown in one. */
export function hasStructure(text: string): boolean {
  return text.includes('\n') || (text.length > 40 && layOut(text) !== `${text}\n`);
}

function compare(from: string, to: string, context: number): ComparedLine[] {
  const parts = diffLines(from, to, { maxEditLength: MAX_EDITS }) ?? [
    { value: from, added: false, removed: true },
    { value: to, added: true, removed: false },
  ];
  return parts.flatMap(({ value, added, removed }, index): ComparedLine[] => {
    const lines = linesOf(value);
    const hasNext = index + 1 < parts.length;
    if (!added && !removed) return equalLines(lines, index > 0 ? context : 0, hasNext ? context : 0);
    const other = added ? parts[index - 1] : parts[index + 1];
    const counterparts = other?.added || other?.removed ? linesOf(other.value) : [];
    return lines.map((text, at) => ({ mark: added ? '+' : '-', text, counterpart: counterparts[at] }));
  });
}

/** The first and last of equal lines, and a count of the others. */
function equalLines(lines: readonly string[], first: number, last: number): ComparedLine[] {
  const left = lines.length - first - last;
  // A count takes a line as well.
  const shown = [...lines];
  if (left > 1) shown.splice(first, left, `(${count(left, 'equal line')})`);
  return shown.map((text) => ({ mark: ' ', text }));
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** JSON objects and lists with one member a line; other text as it is; a final newline in any case. */
function layOut(text: string): string {
  const ended = text.endsWith('\n') ? text : `${text}\n`;
  if (!/^\s*[[{]/.test(text)) return ended;
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  } catch {
    return ended;
  }
}
