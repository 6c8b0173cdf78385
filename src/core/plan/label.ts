import type { planSchema } from '../../generated/plan-schema.ts';

/** Who moved a field: this branch, the server alone, or both. */
export type ChangeLabel = (typeof planSchema.definitions.change.properties.label.enum)[number];

/** The label of a field that differs: whether the branch touched it, and whether the server holds what the base declares. */
export function labelOf(isTouched: boolean, isAsAtBase: boolean): ChangeLabel {
  if (!isTouched) return 'drift';
  return isAsAtBase ? 'change' : 'conflict';
}
