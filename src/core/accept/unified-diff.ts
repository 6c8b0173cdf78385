import { diffArrays } from 'diff';
import { HIDDEN_PART } from '../model/hidden-line.ts';
import type { Span } from '../model/place.ts';
import { edited, lineStart, nextLine, type TextEdit } from './text-edit.ts';

/** A line of a unified diff, without the mark in front. */
export interface DiffLine {
  readonly kind: 'add' | 'remove' | 'context' | 'hunk' | 'open';
  readonly text: string;
}

/** A text, and the parts of it that a reader must not see. */
export interface ShownText {
  readonly text: string;
  readonly hidden: readonly Span[];
}

/** Equal lines around a change. */
const CONTEXT = 3;

/** Beyond this many differences in one stretch of lines, all of it is shown as changed. */
const MAX_EDITS = 2_000;

type Row = DiffLine & { readonly kind: 'add' | 'remove' | 'context' };

/** What edits change in a text, as `diff -u` shows it. Lines that no edit touches are never taken for changed ones. */
export function unifiedDiff(before: ShownText, after: ShownText, edits: readonly TextEdit[]): DiffLine[] {
  const rows = rowsOf(before, after, edits);
  const changed = rows.flatMap(({ kind }, index) => (kind === 'context' ? [] : [index]));
  const spans: { from: number; to: number }[] = [];
  for (const index of changed) {
    const last = spans.at(-1);
    if (last !== undefined && index - last.to < 2 * CONTEXT) last.to = index + 1;
    else spans.push({ from: index, to: index + 1 });
  }
  const lines = { old: 0, now: 0, at: 0 };
  const pass = (to: number) => {
    for (const { kind } of rows.slice(lines.at, to)) {
      if (kind !== 'add') lines.old += 1;
      if (kind !== 'remove') lines.now += 1;
    }
    lines.at = to;
  };
  return spans.flatMap(({ from, to }): DiffLine[] => {
    const start = Math.max(0, from - CONTEXT);
    pass(start);
    const [old, now] = [lines.old, lines.now];
    const shown = rows.slice(start, to + CONTEXT);
    pass(start + shown.length);
    const range = (first: number, last: number) => `${last > first ? first + 1 : first},${last - first}`;
    const head = `@@ -${range(old, lines.old)} +${range(now, lines.now)} @@`;
    return [
      { kind: 'hunk', text: head },
      ...withOpenEnds(shown, start + shown.length === rows.length, before, after),
    ];
  });
}

/** The rows of a hunk; at the end of the file with a note behind the last line of a text that has no line end. */
function withOpenEnds(
  rows: readonly Row[],
  isLast: boolean,
  before: ShownText,
  after: ShownText,
): DiffLine[] {
  const isOpen = ({ text }: ShownText) => isLast && text !== '' && !text.endsWith('\n');
  const lastOld = isOpen(before) ? rows.findLastIndex(({ kind }) => kind !== 'add') : -1;
  const lastNow = isOpen(after) ? rows.findLastIndex(({ kind }) => kind !== 'remove') : -1;
  return rows.flatMap((row, index): DiffLine[] =>
    index === lastOld || index === lastNow
      ? [row, { kind: 'open', text: 'No newline at end of file' }]
      : [row],
  );
}

/** All lines of both texts, in their order. */
function rowsOf(before: ShownText, after: ShownText, edits: readonly TextEdit[]): Row[] {
  const [old, now] = [shownLines(before), shownLines(after)];
  const rows: Row[] = [];
  const at = { old: 0, now: 0, offset: 0 };
  const add = (kind: Row['kind'], count: number) => {
    for (let left = count; left > 0; left -= 1) {
      rows.push({ kind, text: (kind === 'remove' ? old[at.old] : now[at.now]) ?? '' });
      if (kind !== 'add') at.old += 1;
      if (kind !== 'remove') at.now += 1;
    }
  };
  for (const { from, to, inner } of stretches(before.text, edits)) {
    add('context', linesIn(before.text.slice(at.offset, from)).length);
    const own = before.text.slice(from, to);
    const moved = inner.map((edit) => ({ ...edit, from: edit.from - from, to: edit.to - from }));
    for (const [kind, count] of differing(own, edited(own, moved) ?? own)) add(kind, count);
    at.offset = to;
  }
  add('context', linesIn(before.text.slice(at.offset)).length);
  return rows;
}

/** How many lines of each kind come one after the other. */
function differing(before: string, after: string): (readonly [Row['kind'], number])[] {
  const [was, is] = [linesIn(before), linesIn(after)];
  const parts = diffArrays(was, is, { maxEditLength: MAX_EDITS });
  if (parts === undefined)
    return [
      ['remove', was.length],
      ['add', is.length],
    ];
  return parts.map(({ added, removed, value }) => [
    added ? 'add' : removed ? 'remove' : 'context',
    value.length,
  ]);
}

/** Whole lines that edits touch, with these edits. */
function stretches(text: string, edits: readonly TextEdit[]) {
  const found: { from: number; to: number; inner: TextEdit[] }[] = [];
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    const from = lineStart(text, edit.from);
    // Lines that are only added touch none of those that are there.
    const isWhole = edit.to === from || (edit.to > from && text[edit.to - 1] === '\n');
    const to = isWhole ? edit.to : nextLine(text, edit.to);
    const last = found.at(-1);
    if (last !== undefined && from < last.to) {
      last.to = Math.max(last.to, to);
      last.inner.push(edit);
    } else found.push({ from, to, inner: [edit] });
  }
  return found;
}

/** The lines of a text with their ends. */
function linesIn(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The lines of a text without what must not be seen. */
function shownLines({ text, hidden }: ShownText): string[] {
  const ordered = [...hidden].sort((a, b) => a[0] - b[0]);
  const at = { start: 0, next: 0 };
  return text.split('\n').map((raw) => {
    const { start } = at;
    const end = start + raw.length;
    while ((ordered[at.next]?.[1] ?? end) < start) at.next += 1;
    const near: Span[] = [];
    for (let index = at.next; (ordered[index]?.[0] ?? end) < end; index += 1)
      near.push(...ordered.slice(index, index + 1));
    at.start = end + 1;
    const line = raw.replace(/\r$/, '');
    return blanked(
      line,
      near.map(([from, to]) => [from - start, to - start]),
    );
  });
}

function blanked(line: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let end = 0;
  for (const [first, last] of [...spans].sort((a, b) => a[0] - b[0])) {
    const [from, to] = [Math.max(first, end), Math.min(last, line.length)];
    const indent = line.slice(from, to).search(/\S/);
    if (indent < 0) continue;
    pieces.push(line.slice(end, from + indent), HIDDEN_PART);
    end = to;
  }
  return [...pieces, line.slice(end)].join('');
}
