import type { masker } from './mask.ts';

type Mask = ReturnType<typeof masker>;

/** How text is shown. */
export interface View {
  /** Each integration and value by itself, in full. */
  readonly full?: boolean;
  /** Only what became of the changes, which a person has seen before. */
  readonly outcomes?: boolean;
  /** Marks text by its meaning: in colours on a terminal, not at all elsewhere. */
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

/** A report of data that has its own text; `fields` is what JSON has of it. */
export function linesReport<Data extends object>(
  data: Data,
  text: (data: Data, view: View) => string,
  fields: (data: Data) => object = (all) => all,
) {
  return {
    kind: 'lines' as const,
    text: (mask: Mask, view: View) => text(mask.data(data), view),
    fields: (mask: Mask) => fields(mask.data(data)),
  };
}
