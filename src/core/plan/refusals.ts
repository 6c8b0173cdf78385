import { aboutFields } from '../findings/about.ts';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import type { IntegrationPlan, ServerPlan } from './plan.ts';
import type { Document } from './plan-document.ts';
import { RISK_NAMES, treatmentOf } from './risk.ts';

/**
 * From this number of selected integrations on, only a share may change without
 * confirmation.
 */
const GUARDED_FROM = 10;

/** The share, in percent. */
const LARGEST_SHARE = 30;

const REFUSALS: ReadonlySet<string> = new Set(['risk-refused', 'many-changes']);

/** Whether a document keeps a finding with the server that it is about. */
export function isRefusal({ code }: { code: string }): boolean {
  return REFUSALS.has(code);
}

/** What an apply refuses on all servers of a document. */
export function refusalsIn({ servers }: Document): Document['diagnostics'] {
  return servers.flatMap(({ refusals }) => refusals);
}

/** Whether a refusal concerns a server. */
export function isAbout(refusal: Diagnostic, { name }: ServerPlan): boolean {
  if (refusal.code === 'many-changes')
    return refusal.facts.large.includes(name);
  return (refusal.server ?? name) === name;
}

/**
 * Finds why an apply of these plans writes nothing: by the policy that each
 * holds, and as it waits for the servers in `unplanned`. `isFleet` is true if
 * the run is about several servers, and findings name theirs.
 */
export function refusals(
  plans: readonly ServerPlan[],
  isFleet = false,
  unplanned: readonly string[] = [],
): Diagnostic[] {
  const found = riskRefusals(plans, isFleet);
  const size = refusedSize(plans);
  if (size !== undefined) found.push(size);
  const differs = plans.some(({ summary }) => summary.changes > 0);
  if (differs && unplanned.length > 0)
    found.push(diagnostic('not-attempted', { integrations: [], unplanned }));
  return found;
}

/**
 * Finds the risks that an apply of these plans refuses, however many they
 * change.
 */
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

/**
 * Refuses a plan that changes more integrations than a person has agreed to.
 */
function refusedSize(plans: readonly ServerPlan[]): Diagnostic | undefined {
  const allowed = allowedBy(plans);
  const large: string[] = [];
  let total = 0;
  for (const { name, summary } of plans) {
    const { changed, managed } = summary;
    total += changed;
    const isOverShare =
      managed >= GUARDED_FROM && changed * 100 > managed * LARGEST_SHARE;
    const isLarge = allowed === undefined ? isOverShare : changed > 0;
    if (isLarge) large.push(name);
  }
  if (large.length === 0 || total <= (allowed ?? 0)) return undefined;
  return diagnostic('many-changes', { changed: total, allowed, large });
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

/**
 * The risks of a plan that stop an apply: what its policy makes an error, and
 * by default what no flag allows.
 */
function refusedRisks(plan: ServerPlan): Diagnostic[] {
  const { integrations, policy = {}, allowedRisks = [] } = plan;
  const found: Diagnostic[] = [];
  for (const risk of RISK_NAMES.toSorted()) {
    const treatment = treatmentOf(policy, risk);
    const isBarred = treatment === 'error';
    const isUnmet = treatment === 'refuse' && !allowedRisks.includes(risk);
    if (!isBarred && !isUnmet) continue;
    const risky = integrations
      .flatMap(fieldsIn)
      .filter(({ risks = [] }) => risks.includes(risk));
    if (risky.length === 0) continue;
    const subjects = risky.map(({ subject }) => subject);
    const facts = { ...aboutFields(subjects), risk, isBarred };
    const places = risky.flatMap(({ place }) => place ?? []);
    found.push(withPlaces(diagnostic('risk-refused', facts), places));
  }
  return found;
}

/** The fields of an integration that change, or are shown to differ. */
function fieldsIn({ changes, shown = [] }: IntegrationPlan) {
  const written = changes.map(({ comparison, risks }) => {
    const { subject, setting } = comparison;
    return { subject, risks, place: setting.place };
  });
  return [...shown, ...written];
}
