import { diffLines } from 'diff';

/** A part of a comparison: a line, equal lines around it, or `open` for a text without a final newline. */
type DiffLine =
  | { readonly kind: 'add' | 'remove'; readonly text: string; readonly counterpart?: string | undefined }
  | { readonly kind: 'context'; readonly lines: readonly string[] }
  | { readonly kind: 'open'; readonly side: 'add' | 'remove' };

/** Beyond this many edits both texts are shown whole. */
const MAX_EDITS = 2_000;

/**
 * The lines in which two texts differ, with their counterparts. Lays JSON out first, so that one changed key is one changed
 * line, unless only the layout or the final newline differs.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  const laidOut = compare(layOut(before), layOut(after));
  const lines = laidOut.some(({ kind }) => kind !== 'context') ? laidOut : compare(before, after);
  return [...lines, ...endings(before, after)];
}

/** Whether a text is better compared by lines than shown in one. */
export function hasStructure(text: string): boolean {
  return text.includes('\n') || (text.length > 40 && layOut(text) !== `${text}\n`);
}

/** Equal lines that are shown next to a change. */
const CONTEXT = 2;

/** Of equal lines those next to a change, which is before them, behind them or both, and how many are left out between. */
export function nearLines(
  lines: readonly string[],
  { isAfter, isBefore }: { readonly isAfter: boolean; readonly isBefore: boolean },
): { readonly start: readonly string[]; readonly left: number; readonly end: readonly string[] } {
  const start = isAfter ? CONTEXT : 0;
  const end = Math.max(start, lines.length - (isBefore ? CONTEXT : 0));
  // A count takes a line as well.
  if (end - start <= 1) return { start: lines, left: 0, end: [] };
  return { start: lines.slice(0, start), left: end - start, end: lines.slice(end) };
}

/**
 * A line in three: what it begins with like its counterpart, what differs, and what it ends with like it. Undefined where
 * they are equal, or little of them is.
 */
export function differingPart(
  line: string,
  counterpart: string,
): readonly [start: string, differing: string, end: string] | undefined {
  if (line === counterpart) return undefined;
  const [own, other] = [[...line], [...counterpart]];
  const start = commonLength(own, other);
  const most = Math.min(own.length, other.length) - start;
  const end = commonLength(own.toReversed(), other.toReversed(), most);
  if (start + end < own.length - start - end) return undefined;
  const part = (from: number, to: number) => own.slice(from, to).join('');
  return [part(0, start), part(start, own.length - end), part(own.length - end, own.length)];
}

/** How many characters two texts begin with in common. */
function commonLength(
  a: readonly string[],
  b: readonly string[],
  most = Math.min(a.length, b.length),
): number {
  const differs = [...Array(most).keys()].find((at) => a[at] !== b[at]);
  return differs ?? most;
}

function compare(from: string, to: string): DiffLine[] {
  const parts = diffLines(from, to, { maxEditLength: MAX_EDITS }) ?? [
    { added: false, removed: true, value: from },
    { added: true, removed: false, value: to },
  ];
  return parts.flatMap(({ added, removed, value }, index): DiffLine[] => {
    const lines = linesOf(value);
    if (!added && !removed) return [{ kind: 'context', lines }];
    const other = added ? parts[index - 1] : parts[index + 1];
    const isChanged = other !== undefined && (added ? other.removed : other.added);
    const counterparts = isChanged ? linesOf(other.value) : [];
    return lines.map((text, at) => ({ kind: added ? 'add' : 'remove', text, counterpart: counterparts[at] }));
  });
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** Which of the two ends without a newline, where only one does. */
function endings(before: string, after: string): DiffLine[] {
  const wasEnded = before.endsWith('\n');
  return wasEnded === after.endsWith('\n') ? [] : [{ kind: 'open', side: wasEnded ? 'add' : 'remove' }];
}

/** JSON objects and lists with one member a line; other text as it is; a final newline in any case. */
function layOut(text: string): string {
  if (!/^\s*[[{]/.test(text)) return ended(text);
  try {
    return ended(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return ended(text);
  }
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
