import type { Document, ServerDocument, ServerPlan } from '../plan/plan.ts';
import type { Mask } from './mask.ts';

/** The result of a command: servers with changes, a document that was made before, or lines. */
export type Report =
  | {
      readonly kind: 'changes';
      readonly servers: readonly (ServerPlan | ServerDocument)[];
      /** Whether all servers could be planned. */
      readonly isComplete?: boolean;
      /** What setpoint.yaml loosens, in a diff. */
      readonly loosened?: readonly string[];
      readonly shown: Shown;
    }
  | { readonly kind: 'document'; readonly document: Document; readonly shown: Shown }
  | LinesReport;

/** What has no changes: text for a person, and the fields of its JSON. */
export interface LinesReport {
  readonly kind: 'lines';
  readonly text: (mask: Mask, view: View) => string;
  readonly fields: (mask: Mask) => object;
}

/** What the text of changes shows. */
interface Shown {
  /** Each integration and value by itself, in full. */
  readonly full?: boolean;
  /** Only what became of the changes, which a person has seen before. */
  readonly outcomes?: boolean;
}

/** How text is shown. */
export interface View extends Shown {
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
): LinesReport {
  return {
    kind: 'lines',
    text: (mask, view) => text(mask.data(data), view),
    fields: (mask) => fields(mask.data(data)),
  };
}
