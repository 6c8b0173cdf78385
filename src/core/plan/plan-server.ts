import { compareText, type Diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import {
  type DesiredIntegration,
  managedOptions,
  type Settings,
} from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import { byId } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { addressOf, optionOf, type Subject } from '../model/subject.ts';
import { type Comparison, compareIntegration } from './compare.ts';
import { type Choices, decide, type OpenWaiver, waiverOf } from './decide.ts';
import {
  type BranchBase,
  isChangedSince,
  keepSecrets,
  labelOf,
  placeOfDay,
  releasedSince,
} from './label.ts';
import { notesOn } from './notes.ts';
import {
  type Change,
  type IntegrationPlan,
  type LeftField,
  NOTHING,
  type Planned,
  type ReviewedServer,
  type ServerPlan,
  summaryOf,
} from './plan.ts';
import {
  endByReview,
  type Review,
  reviewedAndGone,
  reviewOf,
  secrecyAtReview,
} from './review.ts';
import { type Decision, type Policy, type Risk, riskFinder } from './risk.ts';
import { isShownAsSecret } from './shown-sides.ts';
import { mistypedDefaults, withoutFlood } from './unknown-option.ts';

/** What a plan is made from. */
export interface PlanInput {
  readonly server: PlannedServer;
  readonly desired: readonly DesiredIntegration[];
  readonly live: readonly LiveIntegration[];
  /** Why an integration could not be read, by its id. */
  readonly unread?: ReadonlyMap<string, Diagnostic> | undefined;
  /** How many installed integrations no entry matches. */
  readonly unmatched?: number | undefined;
  /** How many requests it took to read `live`. */
  readonly reads: number;
  /** What the base of the branch asks of the same live integrations. */
  readonly branch?: PlanBranch | undefined;
  /**
   * The reviewed plan that the run applies: what is not in it is left out.
   * There is none beside a base.
   */
  readonly reviewed?: ReviewedServer | undefined;
  /** The hidden fields to write: `all`, or addresses. */
  readonly writeHidden?: readonly string[] | undefined;
  /** The waivers for the server that are not over. */
  readonly waivers?: readonly OpenWaiver[] | undefined;
}

/** The server of a plan, and how it is planned. */
interface PlannedServer {
  readonly name: string;
  readonly url: string;
  readonly snapshot?: NonNullable<ServerPlan['snapshot']>;
  readonly only?: string;
  readonly policy?: Policy | undefined;
  readonly allowedChanges?: number | undefined;
  readonly allowedRisks?: readonly Risk[] | undefined;
}

/** What the base of a branch asks, and which commit that is. */
interface PlanBranch extends BranchBase {
  readonly revision: ServerPlan['base'];
}

/**
 * Compares what is desired of one server with what is live. The same input in
 * any order makes the same plan. An integration with an error is left out of
 * it, as are those of defaults that fit none of them.
 */
export function planServer(input: PlanInput): Planned {
  const { server, branch, reviewed, reads, desired, unread } = input;
  const { only } = server;
  const known = knownOf(input);
  // What defaults ask for, one that is not selected may have, and the server need not list it.
  const mistyped =
    only === undefined ? mistypedDefaults(desired, input.live) : undefined;
  const plans: IntegrationPlan[] = [];
  const found = new Set<Diagnostic>();
  let unmanagedOptions = 0;
  let holdsSecret = false;
  for (const managed of managedBy(input, known)) {
    const { id, live, settings } = managed;
    const compared = compareIntegration(managed, live, mistyped);
    const { comparisons } = compared;
    const error = unread?.get(id);
    const diagnostics = error === undefined ? compared.diagnostics : [error];
    // Defaults may ask for nothing that it has.
    if (comparisons.length + diagnostics.length === 0) continue;
    for (const diagnostic of diagnostics) found.add(diagnostic);
    unmanagedOptions += unmanagedIn(settings, live);
    holdsSecret ||= comparisons.some(isHeldSecret);
    holdsSecret ||= isSomeMasked(settings, live);
    const plan = hasErrors(diagnostics)
      ? unplanned(managed)
      : decided(managed, comparisons, input);
    plans.push(plan);
  }
  const integrations = [...plans, ...goneFrom(plans, input, known)];
  integrations.sort(byName);
  const summary = summaryOf(integrations, {
    managed: plans.length,
    unmanagedOptions,
    unmanagedIntegrations: input.unmatched,
    reads,
  });
  const base = branch?.revision ?? reviewed?.base;
  return {
    plan: { ...server, base, summary, integrations },
    diagnostics: [
      ...withoutFlood([...found], desired),
      ...notesOn({ plans, integrations, holdsSecret, only }),
    ],
  };
}

/** Orders integrations by name, those of one name by id. */
export function byName(one: IntegrationPlan, other: IntegrationPlan): number {
  return compareText(one.name, other.name) || compareText(one.id, other.id);
}

/** What is known of the integrations of a server, by their ids. */
interface Known {
  readonly live: ReadonlyMap<string, LiveIntegration>;
  readonly bases: ReadonlyMap<string, DesiredIntegration>;
  readonly tips: ReadonlyMap<string, DesiredIntegration>;
  readonly reviews: ReadonlyMap<string, Review>;
}

function knownOf({ live, branch, reviewed }: PlanInput): Known {
  const reviews = new Map<string, Review>();
  for (const document of reviewed?.integrations ?? []) {
    reviews.set(document.id, reviewOf(document));
  }
  return {
    live: byId(live),
    bases: byId(branch?.before ?? []),
    tips: byId(branch?.tip ?? []),
    reviews,
  };
}

/** An installed integration, and all that is known of it. */
interface Managed {
  readonly name: string;
  readonly id: string;
  /** The place of its entry. */
  readonly place: Place;
  readonly live: LiveIntegration;
  /** What is asked of it, with what was a secret at the base or the review. */
  readonly settings: Settings;
  /** What the base of the branch asks of it. */
  readonly atBase: Settings | undefined;
  readonly review: Review | undefined;
}

/** Joins by id what is known of each installed integration. */
function managedBy(input: PlanInput, known: Known): Managed[] {
  const managed: Managed[] = [];
  for (const desired of input.desired) {
    const { name, id, place } = desired;
    const live = known.live.get(id);
    if (live === undefined) continue;
    const atBase = known.bases.get(id)?.settings;
    const review = known.reviews.get(id);
    const settings = settingsKept(desired, input, known);
    managed.push({ name, id, place, live, settings, atBase, review });
  }
  return managed;
}

/** What is asked of an integration, with what was a secret at the base or when the plan was reviewed. */
function settingsKept(
  { id, settings }: DesiredIntegration,
  { branch, reviewed }: PlanInput,
  { bases, tips, reviews }: Known,
): Settings {
  if (branch !== undefined) {
    const tip = tips.get(id);
    const atTip = tip === undefined ? settings : keepSecretsOf(settings, tip);
    return keepSecretsOf(atTip, bases.get(id));
  }
  const review = reviewed && reviews.get(id);
  if (review === undefined) return settings;
  return keepSecrets(settings, (option) => secrecyAtReview(review, option));
}

/** Keeps secret what was one at a commit. What it did not declare, it did not call public. */
function keepSecretsOf(
  settings: Settings,
  then: DesiredIntegration | undefined,
): Settings {
  const options = then?.settings.options;
  return keepSecrets(settings, (option) => options?.get(option)?.secrecy ?? {});
}

/** An integration that an error leaves out. */
function unplanned(managed: Managed): IntegrationPlan {
  const { name, id, place, live, review } = managed;
  const { status = null } = live;
  const lost = review?.document.changes;
  return { ...NOTHING, name, id, place, status, unplanned: true, lost };
}

/** Decides what becomes of each field of an integration; with a base, also who moved what since. */
function decided(
  managed: Managed,
  comparisons: readonly Comparison[],
  input: PlanInput,
): IntegrationPlan {
  const { name, id, place, live, settings, review } = managed;
  const { branch } = input;
  const choices = choicesFor(managed, input);
  const decisions: Decision[] = [];
  for (const comparison of comparisons) {
    decisions.push({ comparison, fate: decide(comparison, choices) });
  }
  const risksOf = riskFinder(decisions, live.options, input.server.policy);
  const changes: Change[] = [];
  const left: LeftField[] = [];
  for (const { comparison, fate } of decisions) {
    const { subject } = comparison;
    if (fate === 'change') {
      const labelled = labelledBy(branch, comparison, managed);
      changes.push({ comparison, risks: risksOf(comparison), ...labelled });
    } else if (fate !== 'none') {
      const waiver = fate === 'waived' ? waiverOf(subject, choices) : undefined;
      left.push({ subject, because: fate, comparison, waiver });
    }
  }
  const { status = null } = live;
  // A status that is not served says nothing; any other than `running` is likely to refuse.
  const isStopped = status !== null && status !== 'running';
  const blocked = isStopped && changes.length > 0;
  const plan = { name, id, place, status, blocked, settings, changes, left };
  if (branch !== undefined) {
    left.push(...leftSinceBase(managed, decisions, branch));
    return plan;
  }
  return review === undefined ? plan : endByReview(plan, review, comparisons);
}

/** Who moved a field since the base of a branch. Without one, whatever differs counts as a change of the YAML. */
function labelledBy(
  branch: PlanBranch | undefined,
  comparison: Comparison,
  { live, atBase }: Managed,
): Pick<Change, 'label' | 'base' | 'place'> {
  if (branch === undefined) return { label: 'change' };
  const key = optionOf(comparison.subject);
  const option = key === undefined ? undefined : live.options.get(key);
  const place = placeOfDay(comparison, atBase);
  return { ...labelOf(comparison, atBase, option), place };
}

/** The fields that hold already what a branch changed, and those that it no longer declares. */
function leftSinceBase(
  { name, id, live, settings, atBase }: Managed,
  decisions: readonly Decision[],
  { undecided }: PlanBranch,
): LeftField[] {
  const left: LeftField[] = [];
  for (const { comparison, fate } of decisions) {
    const { subject } = comparison;
    const isNew = isChangedSince(atBase, settings, subject);
    if (fate !== 'none' || !isNew) continue;
    left.push({ subject, because: 'settled', comparison });
  }
  if (atBase === undefined || undecided?.has(id)) return left;
  const released = releasedSince({ name, settings: atBase }, live, settings);
  return [...left, ...released.map(leftReleased)];
}

function leftReleased(subject: Subject): LeftField {
  return { subject, because: 'released' };
}

function choicesFor(
  { settings, atBase, review }: Managed,
  input: PlanInput,
): Choices {
  const { writeHidden = [], waivers = [], reviewed } = input;
  const isOfBranch = (subject: Subject) =>
    isChangedSince(atBase, settings, subject);
  const isReviewed = (subject: Subject) =>
    review?.changes.has(addressOf(subject)) === true;
  return {
    writeHidden,
    waivers,
    isOfBranch: input.branch === undefined ? undefined : isOfBranch,
    isReviewed: reviewed === undefined ? undefined : isReviewed,
  };
}

/** The plans of integrations that were managed at the base or in the review, and are not planned any more. */
function goneFrom(
  plans: readonly IntegrationPlan[],
  input: PlanInput,
  { live }: Known,
): IntegrationPlan[] {
  const planned = new Map(plans.map(({ id, name }) => [id, name]));
  const { branch, reviewed, server } = input;
  if (branch !== undefined) {
    return releasedFrom(branch, planned, live, server.only);
  }
  return reviewed === undefined ? [] : reviewedAndGone(reviewed, planned, live);
}

/** The plans of integrations that a branch no longer manages. */
function releasedFrom(
  { before, undecided }: PlanBranch,
  planned: ReadonlyMap<string, string>,
  live: ReadonlyMap<string, LiveIntegration>,
  only = '*',
): IntegrationPlan[] {
  const isSelected = globMatcher(only);
  const gone: IntegrationPlan[] = [];
  for (const { id, name, settings } of before) {
    const installed = live.get(id);
    if (installed === undefined || planned.has(id)) continue;
    if (undecided?.has(id) === true) continue;
    if (!isSelected(id) && !isSelected(name)) continue;
    const released = releasedSince({ name, settings }, installed);
    if (released.length === 0) continue;
    const { status = null } = installed;
    const left = released.map(leftReleased);
    gone.push({ ...NOTHING, name, id, status, left });
  }
  return gone;
}

function unmanagedIn(
  settings: Settings,
  { optionKeys }: LiveIntegration,
): number {
  const managed = managedOptions(settings).filter((key) => optionKeys.has(key));
  return optionKeys.size - managed.length;
}

/** Whether a server has a secret, shown or not. */
function isHeldSecret(comparison: Comparison): boolean {
  return isShownAsSecret(comparison) && comparison.before.kind !== 'unset';
}

/** Whether a server masks an option of which anything is managed: then it does not show secrets as empty. */
function isSomeMasked(
  settings: Settings,
  { options }: LiveIntegration,
): boolean {
  return managedOptions(settings).some((key) => {
    const held = options.get(key)?.value;
    return held?.kind === 'hidden' && held.reason === 'masked';
  });
}
