import { type AboutField, aboutAll, aboutField } from '../findings/about.ts';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { present } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { addressOf } from '../model/subject.ts';
import type {
  Change,
  ChangeDocument,
  ServerPlan,
  ShownChange,
} from './plan.ts';
import { type Policy, RISK_NAMES, type Risk, treatmentOf } from './risk.ts';

/** A change of a plan, or of its document. */
type ProposedChange = Change | ChangeDocument;

/** An integration of a plan, or of its document. */
interface ProposedIntegration {
  readonly name: string;
  readonly changes: readonly ProposedChange[];
  /** Those of a diff. */
  readonly shown?: readonly ShownChange[] | undefined;
}

/** What of a plan decides. */
interface Proposed {
  readonly name: string;
  readonly policy?: Policy | undefined;
  /** How many integrations may change at most, over all servers. */
  readonly allowedChanges?: number | undefined;
  /** The risks that a person has agreed to. */
  readonly allowedRisks?: readonly Risk[] | undefined;
  readonly summary: ServerPlan['summary'];
  readonly integrations: readonly ProposedIntegration[];
}

/** A change that has a risk. */
interface RiskyChange extends AboutField {
  readonly place: Place | undefined;
}

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
  { name, summary }: Pick<Proposed, 'name' | 'summary'>,
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
  plans: readonly Proposed[],
  isFleet = false,
): Diagnostic[] {
  const found = riskRefusals(plans, isFleet);
  const size = refusedSize(plans);
  if (size !== undefined) found.push(size);
  return found;
}

/** Finds the risks that an apply of these plans refuses, however many they change. */
export function riskRefusals(
  plans: readonly Proposed[],
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
function refusedSize(plans: readonly Proposed[]): Diagnostic | undefined {
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
  const facts = { changed, large, ...present({ allowed }) };
  return diagnostic('many-changes', facts);
}

/** The number that all plans carry; the least, should they differ. */
function allowedBy(plans: readonly Proposed[]): number | undefined {
  let least: number | undefined;
  for (const { allowedChanges } of plans) {
    if (allowedChanges === undefined) return undefined;
    least = Math.min(least ?? allowedChanges, allowedChanges);
  }
  return least;
}

/** The risks of a plan that stop an apply: what its policy makes an error, and by default what no flag allows. */
function refusedRisks(plan: Proposed): Diagnostic[] {
  const { integrations, policy = {}, allowedRisks = [] } = plan;
  const found: Diagnostic[] = [];
  for (const risk of RISK_NAMES.toSorted()) {
    const treatment = treatmentOf(policy, risk);
    const isByPolicy = treatment === 'error';
    const isRefused =
      isByPolicy || (treatment === 'refuse' && !allowedRisks.includes(risk));
    if (!isRefused) continue;
    const risky = riskyIn(integrations, risk);
    if (risky.length === 0) continue;
    const by = isByPolicy ? 'policy' : 'default';
    const facts = { ...aboutAll(risky), risk, by } as const;
    const places: Place[] = [];
    for (const { place } of risky) if (place !== undefined) places.push(place);
    found.push(withPlaces(diagnostic('risk-refused', facts), places));
  }
  return found;
}

function riskyIn(
  integrations: readonly ProposedIntegration[],
  risk: Risk,
): RiskyChange[] {
  const risky: RiskyChange[] = [];
  for (const { name: integration, changes, shown = [] } of integrations) {
    for (const change of [...changes, ...shown]) {
      if (!change.risks?.includes(risk)) continue;
      if ('address' in change) {
        const { address, source: place } = change;
        risky.push({ integration, address, place });
      } else if ('subject' in change) {
        const address = addressOf(change.subject);
        risky.push({ integration, address, place: change.place });
      } else {
        const { subject, setting } = change.comparison;
        risky.push({ ...aboutField(subject), place: setting.place });
      }
    }
  }
  return risky;
}
