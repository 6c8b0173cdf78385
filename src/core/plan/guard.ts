import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { PlanSummary, ServerPlan } from './plan.ts';
import { type Policy, RISK_NAMES, RISKS, type Risk } from './risk.ts';

/** The size of a plan, on one server. */
export interface Sized {
  readonly name: string;
  readonly summary: Pick<PlanSummary, 'managedInAll' | 'changed'>;
}

/** Of so many managed integrations and more, only a part may change without a word of its own. */
const GUARDED_FROM = 10;

/** The part, in percent. */
const LARGEST_SHARE = 30;

/** What a plan warns of: that an apply of it will be refused unless the number of integrations that change is named. */
export function manyChanges(plans: readonly Sized[]): Diagnostic[] {
  return plans.some(isLarge) ? [diagnostic('many-changes', sizeOf(plans))] : [];
}

/** Why an apply is refused for its size: it changes many of the integrations of a server, and `allowed` is not their number. */
export function refusedForSize(plans: readonly Sized[], allowed: number | undefined): Diagnostic[] {
  const size = sizeOf(plans);
  if (!plans.some(isLarge) || allowed === size.changed) return [];
  return [diagnostic('many-changes-refused', { ...size, ...(allowed === undefined ? {} : { allowed }) })];
}

function isLarge({ summary }: Sized): boolean {
  const { managedInAll, changed } = summary;
  return managedInAll >= GUARDED_FROM && changed * 100 > managedInAll * LARGEST_SHARE;
}

/** How many integrations change on all servers of the run, and on those where they are many. */
function sizeOf(plans: readonly Sized[]) {
  const large = plans.filter(isLarge).map(({ name, summary }) => ({
    server: name,
    changed: summary.changed,
    managed: summary.managedInAll,
  }));
  return { changed: plans.reduce((sum, { summary }) => sum + summary.changed, 0), large };
}

/** A risk that stops an apply, the changes that carry it, and whether a policy says so or only the default. */
export interface RefusedRisk {
  readonly risk: Risk;
  readonly addresses: readonly string[];
  readonly by: 'default' | 'policy';
}

/**
 * The risks of a plan that stop an apply. What is refused by default passes where it is accepted; what a policy calls an
 * error does not: the author of a command line need not be the one who may change the policy.
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
