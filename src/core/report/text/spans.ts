import widthOf from 'fast-string-width';
import { visible } from '../escape.ts';
import { type Run, textOf } from '../model/text-diff.ts';
import type { Tone, View } from '../report.ts';

/** A part of a line, painted last, so that wrapping keeps its look. */
export interface Span {
  /** Nothing in it moves the cursor. */
  text: string;
  paint?: Tone | undefined;
}

/** Foreign text, or ours, as a part of a line. */
export function span(text: string, paint?: Tone): Span {
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
  '+': 'good',
  '.': 'dim',
} as const satisfies Record<Run['mark'], Tone | undefined>;

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

/** Tones a line; spaces at its end go. */
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
 * longer than a line. The first may have more room.
 */
export function wrapped(
  spans: readonly Span[],
  columns: number,
  first = columns,
): Span[][] {
  if (columnsOf(spans) <= first) return [[...spans]];
  const characters = spans.flatMap(({ text, paint }) => {
    return [...text].map((character): Span => ({ text: character, paint }));
  });
  const lines: Span[][] = [];
  let start = 0;
  while (start < characters.length) {
    const room = start === 0 ? first : columns;
    const end = lineEnd(characters, start, room);
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

/** Parts behind a lead; their further lines begin below them. */
export function hanging(
  lead: readonly Span[],
  spans: readonly Span[],
  columns: number,
  indent = columnsOf(lead),
): Span[][] {
  const least = Math.max(20, columns - indent);
  const first = Math.max(least, columns - columnsOf(lead));
  const lines = wrapped(spans, least, first);
  return lines.map((line, at) => {
    return at === 0 ? [...lead, ...line] : [blank(indent), ...line];
  });
}

/** A text behind a lead, in lines of a width. */
export function filled(
  text: string,
  columns: number,
  indent = 0,
  lead = ' '.repeat(indent),
): string[] {
  const lines = hanging([{ text: lead }], [{ text }], columns, indent);
  return lines.map((line) => textOf(line).trimEnd());
}

/** Blocks of lines with an empty line between them; ends with a newline. */
export function paragraphs(blocks: readonly (readonly string[])[]): string {
  const texts = blocks
    .filter(({ length }) => length > 0)
    .map((lines) => `${lines.join('\n')}\n`);
  return texts.join('\n');
}

/** Wider lines are hard to read. */
const WIDEST = 120;

/** The columns that a report takes of a terminal. */
export function widthOfView({ width }: View): number {
  return Math.min(width, WIDEST);
}
