import type { planSchema } from '../../generated/plan-schema.ts';

interface OutcomeRule {
  /** The heading under which a run that ended early lists it. */
  readonly countsAs: 'applied' | 'notApplied' | 'unknown';
  /** How a report marks it. */
  readonly look: 'good' | 'doubtful' | 'bad';
}

type InSchema = (typeof planSchema.definitions.change.properties.outcome.enum)[number];

/** What can become of an integration that an apply is to change. */
export const OUTCOMES = {
  /** The server shows what was planned. */
  verified: { countsAs: 'applied', look: 'good' },
  /** The server accepted it, but does not show all of it. */
  sent: { countsAs: 'applied', look: 'doubtful' },
  'not-converged': { countsAs: 'notApplied', look: 'bad' },
  failed: { countsAs: 'notApplied', look: 'bad' },
  stale: { countsAs: 'notApplied', look: 'bad' },
  blocked: { countsAs: 'notApplied', look: 'bad' },
  'not-attempted': { countsAs: 'notApplied', look: 'bad' },
  unknown: { countsAs: 'unknown', look: 'bad' },
} as const satisfies Record<InSchema, OutcomeRule>;

/** The name of an outcome. */
export type Outcome = keyof typeof OUTCOMES;
