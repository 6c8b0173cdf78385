import { aboutFields } from '../findings/about.ts';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { present } from '../model/json.ts';
import type { IntegrationPlan, ServerPlan, ShownChange } from './plan.ts';
import { RISK_NAMES, type Risk, treatmentOf } from './risk.ts';

/** From this number of selected integrations on, only a share may change without confirmation. */
const GUARDED_FROM = 10;

/** The share, in percent. */
const LARGEST_SHARE = 30;

const REFUSALS: ReadonlySet<string> = new Set(['risk-refused', 'many-changes']);

/** Tells the findings for which an apply writes nothing at all. */
export function isRefusal({ code }: { readonly code: string }): boolean {
  return REFUSALS.has(code);
}

/** Whether a refusal concerns a server. */
export function isAbout(
  refusal: Diagnostic,
  { name, summary }: ServerPlan,
): boolean {
  if (refusal.code !== 'many-changes') return (refusal.server ?? name) === name;
  const { allowed, large } = refusal.facts;
  if (allowed !== undefined) return summary.changed > 0;
  return large.some(({ server }) => server === name);
}

/**
 * Finds what an apply of these plans refuses, by the policy that each holds.
 * `isFleet` is true if the run is about several servers, and findings name
 * theirs.
 */
export function refusals(
  plans: readonly ServerPlan[],
  isFleet = false,
): Diagnostic[] {
  const found = riskRefusals(plans, isFleet);
  const size = refusedSize(plans);
  if (size !== undefined) found.push(size);
  return found;
}

/** Finds the risks that an apply of these plans refuses, however many they change. */
export function riskRefusals(
  plans: readonly ServerPlan[],
  isFleet: boolean,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const plan of plans) {
    for (const risk of refusedRisks(plan)) {
      found.push(isFleet ? { ...risk, server: plan.name } : risk);
    }
  }
  return found;
}

/** Refuses a plan that changes more integrations than a person has agreed to. */
function refusedSize(plans: readonly ServerPlan[]): Diagnostic | undefined {
  const allowed = allowedBy(plans);
  const sizes = plans.map(({ name, summary }) => {
    const { changed, managed } = summary;
    return { server: name, changed, managed };
  });
  const large = sizes.filter(
    ({ changed, managed }) =>
      managed >= GUARDED_FROM && changed * 100 > managed * LARGEST_SHARE,
  );
  const changed = sizes.reduce((sum, size) => sum + size.changed, 0);
  const isTooMany =
    allowed === undefined ? large.length > 0 : changed > allowed;
  if (!isTooMany) return undefined;
  const facts = present({ changed, large, allowed });
  return diagnostic('many-changes', facts);
}

/** The number that all plans carry; the least, should they differ. */
function allowedBy(plans: readonly ServerPlan[]): number | undefined {
  let least: number | undefined;
  for (const { allowedChanges } of plans) {
    if (allowedChanges === undefined) return undefined;
    least = Math.min(least ?? allowedChanges, allowedChanges);
  }
  return least;
}

/** The risks of a plan that stop an apply: what its policy makes an error, and by default what no flag allows. */
function refusedRisks(plan: ServerPlan): Diagnostic[] {
  const { integrations, policy = {}, allowedRisks = [] } = plan;
  const found: Diagnostic[] = [];
  for (const risk of RISK_NAMES.toSorted()) {
    const treatment = treatmentOf(policy, risk);
    const isByPolicy = treatment === 'error';
    const isRefused =
      isByPolicy || (treatment === 'refuse' && !allowedRisks.includes(risk));
    if (!isRefused) continue;
    const risky = integrations.flatMap((each) => riskyIn(each, risk));
    if (risky.length === 0) continue;
    const by = isByPolicy ? 'policy' : 'default';
    const subjects = risky.map(({ subject }) => subject);
    const facts = { ...aboutFields(subjects), risk, by } as const;
    const places = risky.flatMap(({ place }) => place ?? []);
    found.push(withPlaces(diagnostic('risk-refused', facts), places));
  }
  return found;
}

/** The fields of an integration whose changes have a risk, with their places. */
function riskyIn(
  { changes, shown = [] }: IntegrationPlan,
  risk: Risk,
): Pick<ShownChange, 'subject' | 'place'>[] {
  const risky = changes.filter(({ risks }) => risks.includes(risk));
  return [
    ...shown.filter(({ risks = [] }) => risks.includes(risk)),
    ...risky.map(({ comparison: { subject, setting } }) => {
      return { subject, place: setting.place };
    }),
  ];
}
