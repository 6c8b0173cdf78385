import type { planSchema } from '../../generated/plan-schema.ts';

/** The label of a difference that an apply writes. */
export type ChangeLabel = (typeof planSchema.definitions.change.properties.label.enum)[number];

/** The label of a field that is only counted. */
export type NoteLabel = 'settled' | 'released';

/** Where a field stands. */
export type Label = ChangeLabel | NoteLabel;

/** Whether an apply writes what has a label. */
export function isChangeLabel(label: Label): label is ChangeLabel {
  return label !== 'settled' && label !== 'released';
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
