import { compareText, type Diagnostic } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import {
  type DesiredIntegration,
  fieldsOf,
  managedOptions,
  type Settings,
  settingOf,
} from '../model/desired.ts';
import { byId } from '../model/lists.ts';
import { isStopped, type LiveIntegration } from '../model/live.ts';
import type { DeclaredSecrecy } from '../model/secrecy.ts';
import { selectedBy } from '../model/selected.ts';
import { addressOf, optionOf, type Subject } from '../model/subject.ts';
import {
  type Comparison,
  compareIntegration,
  isShownAsSecret,
} from './compare.ts';
import {
  type Choices,
  decide,
  type OpenWaiver,
  type Reason,
  waiverOf,
} from './decide.ts';
import {
  type BranchBase,
  isChangedSince,
  keepSecrets,
  type Labelled,
  labelOf,
} from './label.ts';
import { notesOn } from './notes.ts';
import {
  type Change,
  type IntegrationPlan,
  type LeftField,
  NOTHING,
  type PlanHead,
  type Planned,
  type ServerPlan,
} from './plan.ts';
import type { ReviewedServer } from './plan-document.ts';
import {
  endByReview,
  type Review,
  reviewedAndGone,
  reviewOf,
  secrecyAtReview,
} from './review.ts';
import { type Decision, riskFinder } from './risk.ts';
import { summaryOf } from './summary.ts';
import { mistypedDefaults, withoutFlood } from './unknown-option.ts';

/** What a plan is made from. */
export interface PlanInput {
  server: PlanHead;
  desired: readonly DesiredIntegration[];
  live: readonly LiveIntegration[];
  /** Why an integration could not be read, by its id. */
  unread?: ReadonlyMap<string, Diagnostic> | undefined;
  /** How many installed integrations no entry matches. */
  unmatched?: number | undefined;
  /** How many requests it took to read `live`. */
  reads: number;
  /** What the base of the branch asks of the same live integrations. */
  branch?: PlanBranch | undefined;
  /**
   * The reviewed plan that the run applies: what is not in it is left out.
   * There is none beside a base.
   */
  reviewed?: ReviewedServer | undefined;
  /** The hidden fields to write: `all`, or addresses. */
  writeHidden?: readonly string[] | undefined;
  /** The waivers for the server that are not over. */
  waivers?: readonly OpenWaiver[] | undefined;
}

/** What the base of a branch asks, and which commit that is. */
interface PlanBranch extends BranchBase {
  revision: ServerPlan['base'];
}

/**
 * Compares what is desired of one server with what is live. The same input in
 * any order makes the same plan. An integration with an error is left out of
 * it, as are those of defaults that fit none of them.
 */
export function planServer(input: PlanInput): Planned {
  const { server, branch, reviewed, reads, desired, unread } = input;
  const { only } = server;
  const plans: IntegrationPlan[] = [];
  const found = new Set<Diagnostic>();
  // What defaults ask for, one that is not selected may have, and the server
  // need not list it.
  const mistyped = mistypedDefaults(
    only === undefined ? desired : [],
    input.live,
  );
  let unmanagedOptions = 0;
  // Of a part of the secrets, all may be new.
  let isSecretSeen = only !== undefined;
  for (const managed of managedBy(input)) {
    const { id, live, settings } = managed;
    const compared = compareIntegration(managed, live);
    const { comparisons } = compared;
    const error = unread?.get(id);
    const asked = [...settings.options.values()];
    const unknown = asked.flatMap(({ keyPlace }) => {
      return mistyped.get(keyPlace) ?? [];
    });
    const diagnostics =
      error === undefined ? [...unknown, ...compared.diagnostics] : [error];
    // Defaults may ask for nothing that it has.
    if (comparisons.length + diagnostics.length === 0) continue;
    for (const diagnostic of diagnostics) found.add(diagnostic);
    const keys = managedOptions(settings);
    const isListed = (key: string) => live.optionKeys.has(key);
    unmanagedOptions += live.optionKeys.size - keys.filter(isListed).length;
    isSecretSeen ||= comparisons.some(isSeenSecret);
    plans.push(
      hasErrors(diagnostics)
        ? unplanned(managed)
        : decided(managed, comparisons, input),
    );
  }
  const integrations = [...plans, ...goneFrom(plans, input)];
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
      ...notesOn(integrations, isSecretSeen),
    ],
  };
}

/**
 * Whether a server has a secret, or masks it: then it does not show all secrets
 * as empty.
 */
function isSeenSecret(comparison: Comparison): boolean {
  return isShownAsSecret(comparison) && comparison.before.kind !== 'unset';
}

/** Orders integrations by name, those of one name by id. */
export function byName(one: IntegrationPlan, other: IntegrationPlan): number {
  return compareText(one.name, other.name) || compareText(one.id, other.id);
}

/** An installed integration, and all that is known of it. */
interface Managed extends DesiredIntegration {
  live: LiveIntegration;
  /** What is asked of it, with what was a secret at the base or the review. */
  settings: Settings;
  /** What the base of the branch asks of it. */
  atBase: Settings | undefined;
  review: Review | undefined;
}

/** Joins by id what is known of each installed integration. */
function managedBy({ desired, live, branch, reviewed }: PlanInput): Managed[] {
  const installed = byId(live);
  const bases = byId(branch?.before ?? []);
  const tips = branch?.tip && byId(branch.tip);
  const documents = byId(reviewed?.integrations ?? []);
  const managed: Managed[] = [];
  for (const integration of desired) {
    const { name, id, place } = integration;
    const own = installed.get(id);
    if (own === undefined) continue;
    const atBase = bases.get(id)?.settings;
    const document = documents.get(id);
    const review = document && reviewOf(document);
    const tip = tips?.get(id)?.settings;
    let { settings } = integration;
    // What a commit did not declare, it did not call public.
    if (tip !== undefined) {
      settings = keepSecrets(settings, (key) => secrecyIn(tip, key));
    }
    if (branch !== undefined) {
      settings = keepSecrets(settings, (key) => secrecyIn(atBase, key));
    }
    if (review !== undefined) {
      settings = keepSecrets(settings, (key) => secrecyAtReview(review, key));
    }
    managed.push({ name, id, place, live: own, settings, atBase, review });
  }
  return managed;
}

function secrecyIn(then: Settings | undefined, key: string): DeclaredSecrecy {
  return then?.options.get(key)?.secrecy ?? {};
}

/** An integration that an error leaves out. */
function unplanned(managed: Managed): IntegrationPlan {
  const { name, id, place, live, review } = managed;
  const { status = null } = live;
  const reason = 'an error keeps it from being planned';
  const lost = review?.document.changes.map((change) => {
    return { ...change, reason };
  });
  return { ...NOTHING, name, id, place, status, unplanned: true, lost };
}

/**
 * Decides what becomes of each field of an integration; with a base, also who
 * moved what since.
 */
function decided(
  managed: Managed,
  comparisons: readonly Comparison[],
  input: PlanInput,
): IntegrationPlan {
  const { name, id, place, live, settings, atBase, review } = managed;
  const { branch, reviewed, writeHidden = [], waivers = [] } = input;
  const isOfBranch = (subject: Subject) =>
    isChangedSince(atBase, settings, subject);
  const isReviewed = (subject: Subject) =>
    review?.changes.has(addressOf(subject)) === true;
  const choices: Choices = {
    writeHidden,
    waivers,
    isOfBranch: branch && isOfBranch,
    isReviewed: reviewed && isReviewed,
  };
  const decisions = comparisons.map((comparison): Decision => {
    return { comparison, fate: decide(comparison, choices) };
  });
  const risksOf = riskFinder(decisions, live.options, input.server.policy);
  const changes: Change[] = [];
  const left: LeftField[] = [];
  for (const { comparison, fate } of decisions) {
    if (fate !== 'change') {
      left.push(...leftIn(comparison, fate, choices));
      continue;
    }
    // Without a base, whatever differs counts as a change of the YAML.
    const { label, base }: Labelled = branch
      ? labelOf(comparison, atBase, live.options)
      : { label: 'change' };
    changes.push({ comparison, risks: risksOf(comparison), label, base });
  }
  if (branch !== undefined && atBase !== undefined) {
    const base = { ...managed, settings: atBase };
    left.push(...releasedIn(base, live, branch, settings));
  }
  const { status = null } = live;
  const blocked = isStopped(status) && changes.length > 0;
  const plan = { name, id, place, status, blocked, settings, changes, left };
  return review === undefined ? plan : endByReview(plan, review, comparisons);
}

/**
 * A field that is not written, unless it is as desired and nobody changed or
 * reviewed it.
 */
function leftIn(
  comparison: Comparison,
  fate: 'none' | Reason,
  choices: Choices,
): LeftField[] {
  const { subject } = comparison;
  if (fate === 'waived') {
    const waiver = waiverOf(subject, choices);
    return [{ subject, because: fate, comparison, waiver }];
  }
  if (fate !== 'none') return [{ subject, because: fate, comparison }];
  const { isOfBranch, isReviewed } = choices;
  const isSettled = isOfBranch?.(subject) || isReviewed?.(subject);
  return isSettled ? [{ subject, because: 'settled', comparison }] : [];
}

/**
 * The plans of integrations that were managed at the base or in the review, and
 * are not planned any more.
 */
function goneFrom(
  plans: readonly IntegrationPlan[],
  { branch, reviewed, server, live }: PlanInput,
): IntegrationPlan[] {
  const planned = new Set(plans.map(({ id }) => id));
  const installed = byId(live);
  if (reviewed !== undefined) {
    return reviewedAndGone(reviewed, planned, installed);
  }
  if (branch === undefined) return [];
  const isSelected = selectedBy(server.only);
  const gone: IntegrationPlan[] = [];
  for (const base of branch.before) {
    const { id, name } = base;
    const own = installed.get(id);
    if (own === undefined || planned.has(id)) continue;
    if (!isSelected(id, name, own.name)) continue;
    const left = releasedIn(base, own, branch);
    if (left.length === 0) continue;
    const { status = null } = own;
    gone.push({ ...NOTHING, name, id, status, left });
  }
  return gone;
}

/**
 * The fields that a branch no longer declares of an integration, as far as it
 * has them. `now` is what is asked of it, if it is managed still.
 */
function releasedIn(
  { id, name, settings }: DesiredIntegration,
  { optionKeys }: LiveIntegration,
  { undecided }: PlanBranch,
  now?: Settings | undefined,
): LeftField[] {
  if (undecided?.has(id)) return [];
  const left: LeftField[] = [];
  for (const { subject } of fieldsOf(name, settings)) {
    if (now !== undefined && settingOf(now, subject) !== undefined) continue;
    const option = optionOf(subject);
    if (option !== undefined && !optionKeys.has(option)) continue;
    left.push({ subject, because: 'released' });
  }
  return left;
}
