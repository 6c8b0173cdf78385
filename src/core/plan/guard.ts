import { present } from '../model/present.ts';
import type { PlanSummary, ServerPlan } from './plan.ts';
import { type Policy, RISK_NAMES, RISKS, type Risk } from './risk.ts';

/** The size of a plan, on one server. */
export interface Sized {
  readonly name: string;
  readonly summary: Pick<PlanSummary, 'managedInAll' | 'changed'>;
}

/** From this number of managed integrations on, only a share may change without confirmation. */
const GUARDED_FROM = 10;

/** The share, in percent. */
const LARGEST_SHARE = 30;

/** The size of plans that change many of the integrations of a server, unless `allowed` is the number they change. */
export function refusedSize(plans: readonly Sized[], allowed: number | undefined) {
  const size = sizeOf(plans);
  return !plans.some((each) => isLarge(each)) || allowed === size.changed
    ? undefined
    : { ...size, ...present({ allowed }) };
}

/** Whether a plan may change many: of the integrations that it counts as managed, `unsure` may not be. */
export function isLarge({ summary }: Sized, unsure = 0): boolean {
  const { managedInAll, changed } = summary;
  return managedInAll >= GUARDED_FROM && changed * 100 > (managedInAll - unsure) * LARGEST_SHARE;
}

/** How many integrations change on all servers of the run, and on those where they are many. */
function sizeOf(plans: readonly Sized[]) {
  const large = plans
    .filter((each) => isLarge(each))
    .map(({ name: server, summary: { changed, managedInAll: managed } }) => ({ server, changed, managed }));
  return { changed: plans.reduce((sum, { summary }) => sum + summary.changed, 0), large };
}

/** A risk that stops an apply, the changes that carry it, and whether a policy or the default refuses it. */
interface RefusedRisk {
  readonly risk: Risk;
  readonly addresses: readonly string[];
  readonly by: 'default' | 'policy';
}

/**
 * The risks of a plan that stop an apply. What is refused by default passes where it is accepted; what a policy makes an
 * error does not: whoever runs the command may not be allowed to change the policy.
 */
export function refusedRisks(plan: ServerPlan, policy: Policy, accepted: readonly string[]): RefusedRisk[] {
  const changes = plan.integrations.flatMap((integration) => integration.changes);
  return RISK_NAMES.toSorted().flatMap((risk): RefusedRisk[] => {
    const addresses = changes.filter(({ risks }) => risks.includes(risk)).map(({ address }) => address);
    if (addresses.length === 0) return [];
    if (policy[risk] === 'error') return [{ risk, addresses, by: 'policy' }];
    const isRefused = RISKS[risk].treatment === 'error' && !accepted.includes(risk);
    return isRefused ? [{ risk, addresses, by: 'default' }] : [];
  });
}
