/** A part of a line: our own words, or foreign text. */
export type Inline = string | { readonly code: string };

/** A line of a difference: what goes, what comes, a risk, a comment, a field, or anything else. */
export interface DiffLine {
  readonly mark: '-' | '+' | '!' | '#' | '@' | ' ';
  readonly text: string;
}

type Line = readonly Inline[];

/** A page as data, which each format writes down; a `wide` table is only on a page of its own, below this title. */
export type Node =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly text: Line }
  | { readonly kind: 'paragraph'; readonly text: Line }
  | { readonly kind: 'list'; readonly items: readonly Line[] }
  | { readonly kind: 'table'; readonly head: Line; readonly rows: readonly Line[]; readonly wide?: string }
  | DetailsNode;

export interface DetailsNode {
  readonly kind: 'details';
  readonly title: Line;
  readonly summary: string;
  readonly lines: readonly DiffLine[];
  /** Whether a filter finds it: it holds changes. */
  readonly isItem?: boolean;
}

export function code(text: string): Inline {
  return { code: text };
}
