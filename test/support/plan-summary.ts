import type { ServerPlan } from '../../src/core/plan/plan.ts';

/** Counts of fields that are left as they are. */
export const NOTHING_LEFT = {
  hidden: 0,
  unread: 0,
  waived: 0,
  settled: 0,
  released: 0,
};

/** The summary of a plan with one managed integration and no changes. */
export const SUMMARY: ServerPlan['summary'] = {
  managed: 1,
  changed: 0,
  changes: 0,
  left: NOTHING_LEFT,
  unmanagedOptions: 0,
  unmanagedIntegrations: 0,
  reads: 1,
  writes: 0,
};
