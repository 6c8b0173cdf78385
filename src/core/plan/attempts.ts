import type { Moved } from '../findings/apply.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Reached } from '../findings/words.ts';
import type { Place } from '../model/place.ts';
import { OUTCOMES, type Outcome } from './outcome.ts';
import type { IntegrationPlan, ServerPlan } from './plan.ts';

/** How the writing of one integration ended. */
export type Written =
  | { readonly kind: 'acknowledged' }
  /** Nothing was left to write: it was already at its planned values. */
  | { readonly kind: 'done' }
  /** The server refused, or the request never left: nothing was written. */
  | {
      readonly kind: 'refused';
      readonly detail: string;
      readonly reasons?: readonly Reason[];
      /** True where the account lacks the permission. */
      readonly forbidden?: true;
      /** True where a good answer holds the refusal: a part may be written, and the rest not even be checked. */
      readonly accepted?: true;
    }
  /** No usable answer: it may or may not have been written. */
  | { readonly kind: 'unclear'; readonly detail: string }
  | { readonly kind: 'stale'; readonly moved: readonly Moved[] }
  | { readonly kind: 'not-attempted' };

/** One reason that a server gave for a refusal, and the place in the YAML that it points at. */
export interface Reason {
  readonly text: string;
  readonly place?: Place;
}

/** The plan with its outcomes, and a finding for each integration that is not as desired. */
export interface Applied {
  readonly plan: ServerPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/** One finding for all that was not attempted: after an interruption it can be nearly everything. */
export function notAttempted(integrations: readonly IntegrationPlan[]): Diagnostic[] {
  const left = integrations.filter(({ unplanned, outcome }) => !unplanned && outcome === 'not-attempted');
  const names = left.map(({ name }) => name);
  return names.length === 0 ? [] : [diagnostic('not-attempted', { integrations: names })];
}

/** The end of a plan that another server, or an interruption, kept from being written. */
export function unattempted(plan: ServerPlan): Applied {
  const integrations = plan.integrations.map((each) =>
    each.changes.length === 0 ? each : { ...each, outcome: 'not-attempted' as const },
  );
  return { plan: { ...plan, integrations }, diagnostics: notAttempted(integrations) };
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
