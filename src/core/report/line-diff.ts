import { diffLines } from 'diff';

/** One line of a comparison; `context` counts equal lines that are left out. */
export type DiffLine =
  | { readonly kind: 'add' | 'remove'; readonly text: string }
  | { readonly kind: 'context'; readonly count: number };

/** Edits beyond this are not searched for; both texts are then shown whole. */
const MAX_EDITS = 2_000;

/** The lines in which two texts differ. JSON texts are laid out first, so that one changed key is one changed line. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [from, to] = [layOut(before), layOut(after)];
  const parts = diffLines(from, to, { maxEditLength: MAX_EDITS }) ?? [
    { added: false, removed: true, value: from },
    { added: true, removed: false, value: to },
  ];
  return parts.flatMap(({ added, removed, value }): DiffLine[] => {
    const lines = value.replace(/\n$/, '').split('\n');
    if (!added && !removed) return [{ kind: 'context', count: lines.length }];
    return lines.map((text) => ({ kind: added ? 'add' : 'remove', text }));
  });
}

/** Whether a text is better compared by lines than shown in one. */
export function hasStructure(text: string): boolean {
  return text.includes('\n') || (text.length > 40 && layOut(text) !== `${text}\n`);
}

/** JSON objects and lists with one member a line; other text as it is; a final newline in any case. */
function layOut(text: string): string {
  const end = (whole: string) => (whole.endsWith('\n') ? whole : `${whole}\n`);
  if (!/^\s*[[{]/.test(text)) return end(text);
  try {
    return end(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return end(text);
  }
}
