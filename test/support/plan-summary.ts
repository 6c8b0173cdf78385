import type { PlanSummary } from '../../src/core/plan/plan.ts';

/** The summary of a plan with one managed integration and no changes. */
export const SUMMARY: PlanSummary = {
  managed: 1,
  managedInAll: 1,
  changed: 0,
  changes: 0,
  blocked: 0,
  cannotTell: 0,
  asDesired: 1,
  unmanagedOptions: 0,
  unmanagedIntegrations: 0,
  reads: 1,
  writes: 0,
};
