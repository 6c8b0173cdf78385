import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { ServerPlan } from './plan.ts';

/** The plans of an apply with the outcome of what they leave out. */
interface LeftOut {
  readonly plans: readonly ServerPlan[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Says of each integration without a plan that it was not attempted, once an apply has attempted any other. Where it has not,
 * nothing was sent, and the errors say why.
 */
export function leftOut(plans: readonly ServerPlan[]): LeftOut {
  const all = plans.flatMap(({ integrations }) => integrations);
  const names = all.filter(({ unplanned }) => unplanned).map(({ name }) => name);
  if (names.length === 0 || all.every(({ outcome }) => outcome === undefined))
    return { plans, diagnostics: [] };
  const judged = plans.map((plan) => ({
    ...plan,
    integrations: plan.integrations.map((each) =>
      each.unplanned ? { ...each, outcome: 'not-attempted' as const } : each,
    ),
  }));
  return { plans: judged, diagnostics: [diagnostic('left-out', { integrations: names })] };
}
