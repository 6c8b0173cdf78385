/** A part of a line: our own words, or foreign text. */
export type Inline = string | { readonly code: string };

type Line = readonly Inline[];

/** A line of a difference: what goes, what comes, a risk, a comment, a field, or anything else. */
export type DiffLine = Readonly<{ mark: '-' | '+' | '!' | '#' | '@' | ' '; text: string }>;

/** A page as data, which each format writes down; `details` hold changes. */
export type Node = Readonly<
  | { kind: 'heading'; level: 2 | 3 | 4; text: Line }
  | { kind: 'line'; text: Line }
  | { kind: 'table'; head: Line; rows: readonly Line[] }
  | { kind: 'details'; title: Line; summary: string; lines: readonly DiffLine[] }
>;

export function code(text: string): Inline {
  return { code: text };
}

/** The most names in a line. */
const MOST_NAMES = 40;

/** Names with commas; of many the first, and a count. */
export function names(all: readonly string[]): Inline[] {
  const shown = all.slice(0, MOST_NAMES).flatMap((name) => [', ', code(name)]);
  const more = all.length > MOST_NAMES ? [` and ${all.length - MOST_NAMES} more`] : [];
  return [...shown.slice(1), ...more];
}
