import { type Diagnostic, diagnostic, onServer } from '../findings/diagnostic.ts';
import { present } from '../model/json.ts';
import type { ServerPlan } from './plan.ts';
import { type Policy, RISK_NAMES, type Risk, treatmentOf } from './risk.ts';

/** What of that which is refused by default a person has agreed to. */
interface Consent {
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

/** From this number of selected integrations on, only a share may change without confirmation. */
const GUARDED_FROM = 10;

/** The share, in percent. */
const LARGEST_SHARE = 30;

/** The size of plans, if they change many of the selected integrations of a server, or more than `allowed` in all. */
export function refusedSize(plans: readonly ServerPlan[], allowed: number | undefined) {
  const sizes = plans.map(({ name: server, summary: { changed, managed } }) => ({
    server,
    changed,
    managed,
  }));
  const large = sizes.filter(
    ({ changed, managed }) => managed >= GUARDED_FROM && changed * 100 > managed * LARGEST_SHARE,
  );
  const changed = sizes.reduce((sum, each) => sum + each.changed, 0);
  const isRefused = allowed === undefined ? large.length > 0 : changed > allowed;
  return isRefused ? { changed, large, ...present({ allowed }) } : undefined;
}

/** A risk that stops an apply, the changes that carry it, and whether a policy or the default refuses it. */
interface RefusedRisk {
  readonly risk: Risk;
  readonly addresses: readonly string[];
  readonly by: 'default' | 'policy';
}

/** The risks of a plan that stop an apply: what its policy makes an error, and by default what no flag allows. */
export function refusedRisks(plan: ServerPlan, policy: Policy, allowed: readonly string[]): RefusedRisk[] {
  const changes = plan.integrations.flatMap((integration) => integration.changes);
  return RISK_NAMES.toSorted().flatMap((risk): RefusedRisk[] => {
    const addresses = changes.filter(({ risks }) => risks.includes(risk)).map(({ address }) => address);
    if (addresses.length === 0) return [];
    const treatment = treatmentOf(policy, risk);
    if (treatment === 'error') return [{ risk, addresses, by: 'policy' }];
    return treatment === 'refuse' && !allowed.includes(risk) ? [{ risk, addresses, by: 'default' }] : [];
  });
}
