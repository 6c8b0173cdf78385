import { type Diagnostic, diagnostic, onServer } from '../findings/diagnostic.ts';
import { refusedRisks, refusedSize } from './guard.ts';
import type { ServerPlan } from './plan.ts';

/** What of that which is refused by default a person has agreed to. */
export interface Consent {
  /** The names of risks. */
  readonly allow?: readonly string[] | undefined;
  /** How many integrations may change at most, over all servers. */
  readonly allowChanges?: number | undefined;
}

/** What an apply of these plans refuses, by the policy that each holds. */
export function refusals(
  plans: readonly ServerPlan[],
  { allow = [], allowChanges }: Consent,
  command: 'plan' | 'apply',
): Diagnostic[] {
  const risks = plans.flatMap((plan) => {
    const found = refusedRisks(plan, plan.policy ?? {}, allow);
    return named(
      plans,
      plan.name,
      found.map((facts) => diagnostic('risk-refused', { ...facts, command })),
    );
  });
  const size = refusedSize(plans, allowChanges);
  return [...risks, ...(size === undefined ? [] : [diagnostic('many-changes', { ...size, command })])];
}

/** Findings with the name of their server if a run has several. */
export function named(
  planned: readonly unknown[],
  name: string,
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  return planned.length > 1 ? found.map((each) => onServer(each, name)) : found;
}
