import type { Masker } from './mask.ts';

/** How much of a document is shown. */
export interface Detail {
  /** Each integration and value by itself, in full. */
  readonly full?: boolean | undefined;
  /** Only what became of the changes, which a person has seen before. */
  readonly outcomes?: boolean | undefined;
}

/** How text is shown. */
export interface View extends Detail {
  /**
   * Marks text by its meaning: in colours on a terminal, not at all elsewhere.
   */
  readonly paint: Readonly<typeof PLAIN>;
  /** Columns of a line. */
  readonly width: number;
  /** Whether request counts are shown. */
  readonly verbose?: boolean;
}

const bare = (text: string) => text;

/** No colours: for files, pipes, NO_COLOR and TERM=dumb. */
export const PLAIN = {
  ...{ add: bare, remove: bare, change: bare, strong: bare, faint: bare },
  ...{ risk: bare, error: bare, warning: bare, note: bare },
};

/** A report with a text of its own. */
export interface LinesReport {
  readonly kind: 'lines';
  readonly text: (mask: Masker, view: View) => string;
  /** Returns the fields of its JSON. */
  readonly fields: (mask: Masker) => object;
}

/**
 * Makes a report of data; `fields` selects what its JSON has, which is all by
 * default.
 */
export function linesReport<Data extends object>(
  data: Data,
  text: (data: Data, view: View) => string,
  fields: (data: Data) => object = (all) => all,
): LinesReport {
  return {
    kind: 'lines',
    text: (mask, view) => text(mask.data(data), view),
    fields: (mask) => fields(mask.data(data)),
  };
}
