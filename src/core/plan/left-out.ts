import { type Diagnostic, diagnostic, onServer } from '../findings/diagnostic.ts';
import type { ServerPlan } from './plan.ts';

/** Whether errors keep all integrations of all servers from being planned: then there is nothing to show. */
export function isNothingPlanned(plans: readonly ServerPlan[]): boolean {
  const all = plans.flatMap(({ integrations }) => integrations);
  return all.length > 0 && all.every(({ unplanned }) => unplanned === true);
}

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
  if (all.every(({ outcome }) => outcome === undefined)) return { plans, diagnostics: [] };
  const judged = plans.map((plan) => ({
    ...plan,
    integrations: plan.integrations.map((each) =>
      each.unplanned ? { ...each, outcome: 'not-attempted' as const } : each,
    ),
  }));
  const diagnostics = plans.flatMap(({ name, integrations }) => {
    const names = integrations.filter(({ unplanned }) => unplanned).map((each) => each.name);
    if (names.length === 0) return [];
    const found = diagnostic('left-out', { integrations: names });
    return [plans.length > 1 ? onServer(found, name) : found];
  });
  return { plans: judged, diagnostics };
}
