import type { Masker } from './mask.ts';

/** How much of a document is shown, and what was typed for it. */
export interface Detail {
  /** Each integration and value by itself, in full. */
  full?: boolean | undefined;
  /** Only what became of the changes, which a person has seen before. */
  outcomes?: boolean | undefined;
  typed?: Typed | undefined;
}

/** What was typed, as far as the next command needs it again. */
export interface Typed {
  /** Flags, with a blank before each. */
  flags: string;
  /** Those that a saved plan holds already. */
  choices: string;
  /** The snapshots in place of servers. */
  live?: string | undefined;
  /** The file of the JSON report, as a shell takes it. */
  json?: string | undefined;
}

/** How a report is shown as text. */
export interface View extends Detail {
  /**
   * Marks text by its meaning: in colours on a terminal, not at all elsewhere.
   */
  paint: Readonly<typeof PLAIN>;
  /** Columns of a line. */
  width: number;
  /** Whether request counts and all notes are shown. */
  verbose?: boolean | undefined;
  /** Whether only what asks for something is shown. */
  quiet?: boolean | undefined;
  /** Whether it is shown before anything is written. */
  isPreview?: boolean | undefined;
  /** Whether a program may read the lines: then a list folds none. */
  isPiped?: boolean | undefined;
}

/** What a part of a text means to its reader. */
export type Tone = keyof typeof PLAIN;

const bare = (text: string): string => text;

/** No colours: for files, pipes, NO_COLOR and TERM=dumb. */
export const PLAIN = {
  good: bare,
  remove: bare,
  /** A part that only one side of a comparison has. */
  addedPart: bare,
  removedPart: bare,
  change: bare,
  strong: bare,
  dim: bare,
  risk: bare,
  conflict: bare,
  drift: bare,
  bad: bare,
  error: bare,
  warning: bare,
  note: bare,
};

/** A report with a text of its own. */
export interface LinesReport {
  kind: 'lines';
  text: (mask: Masker, view: View) => string;
  /** Returns the fields of its JSON. */
  fields: (mask: Masker) => object;
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
