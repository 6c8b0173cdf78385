import type { planSchema } from '../../generated/plan-schema.ts';

type InChanges = (typeof planSchema.definitions.change.properties.label.enum)[number];
type InNotes = 'settled' | 'released';

/**
 * Where a field stands between the configuration at a base ref, the configuration of this branch, and the server. The first
 * four are what an apply writes, the others are only told.
 */
export const LABELS = {
  change: { isWritten: true, title: 'Changed by this branch', count: 'changed by this branch' },
  conflict: {
    isWritten: true,
    title: 'In conflict: changed by this branch, and on the server too',
    count: 'in conflict',
  },
  drift: { isWritten: true, title: 'Drift: changed on the server alone', count: 'drifted' },
  settled: { isWritten: false, title: 'Settled: changed by this branch, and live already', count: 'settled' },
  released: { isWritten: false, title: 'Released: no longer managed, and left as it is', count: 'released' },
} as const satisfies Record<InChanges, LabelRule & { isWritten: true }> &
  Record<InNotes, LabelRule & { isWritten: false }>;

interface LabelRule {
  readonly isWritten: boolean;
  /** The heading of such fields. */
  readonly title: string;
  /** What stands behind their number. */
  readonly count: string;
}

/** Where a field stands. */
export type Label = keyof typeof LABELS;

/** The label of a difference that an apply writes. */
export type ChangeLabel = InChanges;

/** The label of a field that is only told. */
export type NoteLabel = InNotes;

/** All labels, in the order in which a reviewer reads them. */
export const LABEL_NAMES: readonly Label[] = Object.keys(LABELS).filter(isLabel);

/** The labels of differences, in the order in which a reviewer reads them. */
export const CHANGE_LABELS: readonly ChangeLabel[] = LABEL_NAMES.filter(isChangeLabel);

/** Whether a text names a label. */
export function isLabel(text: string): text is Label {
  return Object.hasOwn(LABELS, text);
}

/** Whether an apply writes what has a label. */
export function isChangeLabel(label: Label): label is ChangeLabel {
  return LABELS[label].isWritten;
}

/**
 * The label of a field by its content at the base, in this branch, and on the server; undefined where it is not declared, or
 * as desired all along. `undefined` stands for a field that is not declared, or that the server does not have.
 *
 * | base    | head    | live         | label     |
 * |---------|---------|--------------|-----------|
 * | any     | none    | any          | released if base declares it |
 * | as head | x       | x            | none      |
 * | other   | x       | x            | settled   |
 * | as head | x       | not x        | drift     |
 * | none    | x       | not x        | change    |
 * | y       | x       | y            | change    |
 * | y       | x       | neither      | conflict  |
 */
export function labelOf<T>(base: T | undefined, head: T | undefined, live: T | undefined): Label | undefined {
  if (head === undefined) return base === undefined ? undefined : 'released';
  if (live === head) return base === head ? undefined : 'settled';
  if (base === head) return 'drift';
  return base === undefined || live === base ? 'change' : 'conflict';
}
