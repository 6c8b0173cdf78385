import widthOf from 'fast-string-width';
import { visible } from '../escape.ts';
import type { Tone } from '../model/facts.ts';
import type { Run } from '../model/text-diff.ts';
import type { Tone as Paint, View } from '../report.ts';

/** A part of a line, painted last, so that wrapping keeps its look. */
export interface Span {
  /** Nothing in it moves the cursor. */
  readonly text: string;
  readonly paint?: Paint | undefined;
}

/** How tones look on a terminal. */
export const PAINTS = {
  bad: 'error',
  conflict: 'conflict',
  risk: 'risk',
  dim: 'faint',
  good: 'add',
  change: 'change',
  drift: 'drift',
} as const satisfies Record<Tone, Paint>;

/** Foreign text, or ours, as a part of a line. */
export function span(text: string, paint?: Paint): Span {
  return { text: visible(text), paint };
}

/** So many spaces; none for a negative number. */
export function blank(columns: number): Span {
  return { text: ' '.repeat(Math.max(0, columns)) };
}

/** How the parts of a value look in one line. */
const IN_LINE = {
  ' ': undefined,
  '-': 'remove',
  '+': 'add',
  '.': 'faint',
} as const satisfies Record<Run['mark'], Paint | undefined>;

/** A value in one line. */
export function spansOf(runs: readonly Run[]): Span[] {
  return runs.map(({ mark, text }) => span(text, IN_LINE[mark]));
}

/** The columns that parts of a line take. */
export function columnsOf(spans: readonly Span[]): number {
  let columns = 0;
  for (const { text } of spans) columns += widthOf(text);
  return columns;
}

/** Paints a line; spaces at its end go. */
export function painted(spans: readonly Span[], { paint }: View): string {
  const shown = [...spans];
  while (shown.at(-1)?.text.trim() === '') shown.pop();
  let line = '';
  for (const [at, { text, paint: look }] of shown.entries()) {
    const own = at === shown.length - 1 ? text.trimEnd() : text;
    line += look === undefined || own === '' ? own : paint[look](own);
  }
  return line;
}

/**
 * Breaks a line that is too wide: at its last blank, or within a word that is
 * longer than a line.
 */
export function wrapped(spans: readonly Span[], columns: number): Span[][] {
  if (columnsOf(spans) <= columns) return [[...spans]];
  const characters = spans.flatMap(({ text, paint }) => {
    return [...text].map((character): Span => ({ text: character, paint }));
  });
  const lines: Span[][] = [];
  let start = 0;
  while (start < characters.length) {
    const end = lineEnd(characters, start, columns);
    lines.push(joined(characters.slice(start, end)));
    start = characters[end]?.text === ' ' ? end + 1 : end;
  }
  return lines;
}

/** Where a line ends that begins at a character. */
function lineEnd(
  characters: readonly Span[],
  start: number,
  columns: number,
): number {
  let end = start;
  let taken = 0;
  let lastBlank = -1;
  for (; end < characters.length; end += 1) {
    const { text = '' } = characters[end] ?? {};
    if (text === ' ') lastBlank = end;
    taken += widthOf(text);
    if (taken > columns)
      return lastBlank > start ? lastBlank : Math.max(end, start + 1);
  }
  return end;
}

/** Neighbours that look alike as one part. */
function joined(characters: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const { text, paint } of characters) {
    const last = spans.at(-1);
    if (last?.paint !== paint || last === undefined)
      spans.push({ text, paint });
    else spans.splice(-1, 1, { text: last.text + text, paint });
  }
  return spans;
}

/** A text behind a lead; its further lines begin below the text. */
export function hanging(
  lead: readonly Span[],
  spans: readonly Span[],
  columns: number,
  indent = columnsOf(lead),
): Span[][] {
  const lines = wrapped(spans, Math.max(20, columns - indent));
  return lines.map((line, at) => {
    return at === 0 ? [...lead, ...line] : [blank(indent), ...line];
  });
}
