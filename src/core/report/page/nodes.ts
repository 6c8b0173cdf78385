/** A part of a line: our own words, or foreign text. */
export type Inline = string | { readonly code: string };

/** A line of a difference: what goes, what comes, what should not be missed, or anything else. */
export interface DiffLine {
  readonly mark: '-' | '+' | '!' | '#' | '@' | ' ';
  readonly text: string;
}

/** A page as data: what it says is decided once, and each format writes it down. */
export type Node =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly text: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly text: readonly Inline[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Inline[])[] }
  | TableNode
  | DetailsNode;

interface TableNode {
  readonly kind: 'table';
  readonly head: readonly Inline[];
  readonly rows: readonly (readonly Inline[])[];
  /** A title of a table that only a page of its own has room for. */
  readonly wide?: string;
}

export interface DetailsNode {
  readonly kind: 'details';
  readonly title: readonly Inline[];
  readonly summary: string;
  readonly lines: readonly DiffLine[];
  /** Whether a filter finds it: it holds changes. */
  readonly isItem?: boolean;
}

export function code(text: string): Inline {
  return { code: text };
}
