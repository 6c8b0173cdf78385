import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Reached } from '../findings/words.ts';
import { OUTCOMES, type Outcome } from './outcome.ts';
import type { IntegrationPlan, ServerPlan } from './plan.ts';

/** The plan with its outcomes, and a finding for each integration that is not as desired. */
export interface Applied {
  readonly plan: ServerPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/** One finding for all that was not attempted: after an interruption it can be nearly everything. */
export function notAttempted(integrations: readonly IntegrationPlan[]): Diagnostic[] {
  const attempted = integrations.filter(({ unplanned }) => unplanned !== true);
  const names = attempted.filter(({ outcome }) => outcome === 'not-attempted').map(({ name }) => name);
  return names.length === 0 ? [] : [diagnostic('not-attempted', { integrations: names })];
}

/** The end of a plan that another server, or an interruption, kept from being written. */
export function unattempted(plan: ServerPlan): Applied {
  const integrations = plan.integrations.map((each) =>
    each.changes.length === 0 ? each : { ...each, outcome: 'not-attempted' as const },
  );
  const names = plan.integrations.filter(({ changes }) => changes.length > 0).map(({ name }) => name);
  return {
    plan: { ...plan, integrations },
    diagnostics: names.length === 0 ? [] : [diagnostic('not-attempted', { integrations: names })],
  };
}

/** Gives what errors left out of a plan its outcome, once an apply has attempted anything else. */
export function withLeftOut(plan: ServerPlan, names: readonly string[]): Applied {
  const integrations = plan.integrations.map((each) =>
    each.unplanned ? { ...each, outcome: 'not-attempted' as const } : each,
  );
  const found = diagnostic('not-attempted', { integrations: names });
  return { plan: { ...plan, integrations }, diagnostics: [found] };
}

/** How far an apply came on all its servers; undefined where it wrote nothing. What is not as desired is not applied. */
export function reachedBy(plans: readonly ServerPlan[]): Reached | undefined {
  const judged = plans.flatMap(({ name: server, integrations }) =>
    integrations.flatMap(({ name, outcome }) =>
      outcome === undefined ? [] : [{ name: plans.length > 1 ? `${name} on ${server}` : name, outcome }],
    ),
  );
  if (judged.length === 0) return undefined;
  const counted = (heading: (typeof OUTCOMES)[Outcome]['countsAs']) =>
    judged.filter(({ outcome }) => OUTCOMES[outcome].countsAs === heading).map(({ name }) => name);
  return {
    applied: counted('applied'),
    notApplied: counted('notApplied'),
    unknown: counted('unknown'),
  };
}
