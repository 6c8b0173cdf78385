import { diffLines } from 'diff';

/** One line of a comparison; `context` counts equal lines that are left out, `open` says that a text ends without a newline. */
export type DiffLine =
  | { readonly kind: 'add' | 'remove'; readonly text: string; readonly counterpart?: string }
  | { readonly kind: 'context'; readonly count: number }
  | { readonly kind: 'open'; readonly side: 'add' | 'remove' };

/** Edits beyond this are not searched for; both texts are then shown whole. */
const MAX_EDITS = 2_000;

/**
 * The lines in which two texts differ; never none where the texts differ. JSON texts are laid out first, so that one changed
 * key is one changed line, but where their layout is the only difference. Lines that changed know their counterparts.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  const ends = endings(before, after);
  const laidOut = compare(layOut(before), layOut(after));
  if (laidOut.some(isDifference)) return [...laidOut, ...ends];
  const lines = compare(ended(before), ended(after));
  if (lines.some(isDifference)) return [...lines, ...ends];
  // Only the final newline differs: the last line stands for it.
  const last = ended(before).replace(/\n$/, '').split('\n').at(-1) ?? '';
  return [
    ...context(lines),
    { kind: 'remove', text: last },
    ...ends.filter(isOn('remove')),
    { kind: 'add', text: last },
    ...ends.filter(isOn('add')),
  ];
}

/** Whether a text is better compared by lines than shown in one. */
export function hasStructure(text: string): boolean {
  return text.includes('\n') || (text.length > 40 && layOut(text) !== `${text}\n`);
}

function compare(from: string, to: string): DiffLine[] {
  const parts = diffLines(from, to, { maxEditLength: MAX_EDITS }) ?? [
    { added: false, removed: true, value: from },
    { added: true, removed: false, value: to },
  ];
  return parts.flatMap(({ added, removed, value }, index): DiffLine[] => {
    const lines = linesOf(value);
    if (!added && !removed) return [{ kind: 'context', count: lines.length }];
    const other = added ? parts[index - 1] : parts[index + 1];
    const counterparts = (added ? other?.removed : other?.added) === true ? linesOf(other?.value ?? '') : [];
    return lines.map((text, at): DiffLine => {
      const counterpart = counterparts[at];
      const kind = added ? 'add' : 'remove';
      return counterpart === undefined ? { kind, text } : { kind, text, counterpart };
    });
  });
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

function isDifference({ kind }: DiffLine): boolean {
  return kind === 'add' || kind === 'remove';
}

function isOn(side: 'add' | 'remove'): (line: DiffLine) => boolean {
  return (line) => line.kind === 'open' && line.side === side;
}

/** All equal lines but the last. */
function context(lines: readonly DiffLine[]): DiffLine[] {
  const equal = lines.reduce((sum, line) => sum + (line.kind === 'context' ? line.count : 0), 0);
  return equal > 1 ? [{ kind: 'context', count: equal - 1 }] : [];
}

/** Which of the two ends without a newline, where only one does. */
function endings(before: string, after: string): DiffLine[] {
  const [was, is] = [before.endsWith('\n'), after.endsWith('\n')];
  if (was === is) return [];
  return [{ kind: 'open', side: was ? 'add' : 'remove' }];
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
