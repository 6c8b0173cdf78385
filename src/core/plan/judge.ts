import type { Moved } from '../findings/apply.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Reached } from '../findings/words.ts';
import { grouped, present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { afterText, type Compared, compareAgain, isOpen } from './compare.ts';
import { type Change, type IntegrationPlan, OUTCOMES, type Outcome, type ServerPlan } from './plan.ts';

/** By id, each integration that was sent as it was read afterwards, or why it was not; one that is gone is missing. */
export type ReadBack = ReadonlyMap<string, LiveIntegration | string>;

/** Judges each integration by how its writing ended and by what the server then holds. */
export function judge(plan: ServerPlan, written: ReadonlyMap<string, Written>, readBack: ReadBack): Applied {
  const judged = plan.integrations.map((integration) => {
    const result = written.get(integration.id);
    if (result === undefined) return { integration, failures: [], diagnostics: [], empty: [] };
    return judgeOne(integration, result, readBack.get(integration.id));
  });
  const integrations = judged.map(({ integration }) => integration);
  const addresses = judged.flatMap(({ empty }) => empty);
  return {
    plan: { ...plan, integrations },
    diagnostics: [
      ...judged.flatMap(({ diagnostics }) => diagnostics),
      ...failureFindings(judged.flatMap(({ failures }) => failures)),
      ...(addresses.length === 0 ? [] : [diagnostic('hides-secrets', { addresses, isSent: true })]),
      ...notAttempted(integrations),
    ],
  };
}

function judgeOne(
  integration: IntegrationPlan,
  written: Written,
  read: LiveIntegration | string | undefined,
) {
  const compared = typeof read === 'string' ? undefined : compareAgain(integration, read);
  const empty = written.kind === 'acknowledged' ? (compared?.filter(readsEmpty) ?? []) : [];
  // A secret that was accepted and reads back empty is not shown.
  const states = compared?.map((each) =>
    empty.includes(each) ? { ...each, state: 'hidden' as const } : each,
  );
  const outcome = outcomeOf(integration, written, states);
  const unread = typeof read === 'string' ? read : '';
  const detail = 'detail' in written ? written.detail : unread;
  return {
    integration: { ...integration, outcome, changes: changesWith(integration, written, outcome, states) },
    failures: failuresOf(integration, written, outcome, states ?? [], detail),
    diagnostics: findings(integration, written, outcome, states ?? []),
    empty: empty.map(({ change }) => change.address),
  };
}

/** The changes with what became of each: one that is not shown does not make others of its integration unverified. */
function changesWith(
  { changes }: IntegrationPlan,
  written: Written,
  outcome: Outcome,
  states: readonly Compared[] | undefined,
): readonly Change[] {
  const hidden = written.kind === 'acknowledged' ? 'sent' : outcome;
  const outcomes = { planned: 'verified', hidden, unmoved: outcome, other: outcome } as const;
  return states?.map(({ change, state }) => ({ ...change, outcome: outcomes[state] })) ?? changes;
}

function readsEmpty({ change, open }: Compared): boolean {
  return change.field === 'value' && change.sensitive && open?.before === null && !open.unreadable;
}

/** Whether another reading may tell more of an integration: it was not read, or does not show what may have been written. */
export function isUnsettled(
  integration: IntegrationPlan,
  written: Written | undefined,
  read: LiveIntegration | string | undefined,
): boolean {
  if (typeof read === 'string') return true;
  const mayHold = written?.kind === 'acknowledged' || written?.kind === 'unclear';
  return mayHold && compareAgain(integration, read).some(isOpen);
}

/** `states` is what was read afterwards; absent if that failed. */
function outcomeOf(
  { blocked }: IntegrationPlan,
  written: Written,
  states: readonly Compared[] | undefined,
): Outcome {
  if (written.kind === 'stale' || written.kind === 'not-attempted') return written.kind;
  if (written.kind === 'done') return 'verified';
  const refusal = blocked ? 'blocked' : 'failed';
  if (states === undefined) return written.kind === 'refused' ? refusal : 'unknown';
  const isAccepted = written.kind === 'refused' && written.accepted === true;
  if (!isAccepted && states.every(({ state }) => state === 'planned')) return 'verified';
  if (written.kind === 'acknowledged') return states.some(isOpen) ? 'not-converged' : 'sent';
  if (written.kind === 'refused') return refusal;
  return states.some(({ state }) => state === 'hidden') ? 'unknown' : 'failed';
}

function findings(
  integration: IntegrationPlan,
  written: Written,
  outcome: Outcome,
  states: readonly Compared[],
): Diagnostic[] {
  if (written.kind === 'stale') return [staleFinding(integration, written.moved)];
  if (outcome !== 'not-converged') return [];
  const open = states.filter(isOpen);
  const held = open.map(({ change, now }) => ({ address: change.address, before: afterText(change), now }));
  const place = (open[0]?.change ?? integration.changes[0])?.setting.place;
  return [diagnostic('not-converged', { integration: integration.name, held }, place)];
}

/** The finding for an integration that is not written because it is no longer as reviewed. */
export function staleFinding(
  { name: integration, changes }: Pick<IntegrationPlan, 'name' | 'changes'>,
  moved: readonly Moved[],
): Diagnostic {
  const addresses = new Set(moved.map(({ address }) => address));
  const first = changes.find(({ address }) => addresses.has(address));
  return diagnostic('stale', { integration, moved }, first?.setting.place);
}

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
function notAttempted(integrations: readonly IntegrationPlan[]): Diagnostic[] {
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

/** Why an integration was not changed, or may not have been. */
interface Failure {
  readonly integration: string;
  readonly kind: 'forbidden' | 'failed' | 'unknown';
  readonly detail: string;
  /** What was changed in spite of it. */
  readonly taken: readonly string[];
  readonly place: Place | undefined;
}

/** Why an integration failed or is unknown: once for each reason that the server gave. */
function failuresOf(
  { name: integration, changes }: IntegrationPlan,
  written: Written,
  outcome: Outcome,
  states: readonly Compared[],
  detail: string,
): Failure[] {
  const open = states.filter(isOpen);
  const taken = states.flatMap(({ change, state }) => (state === 'planned' ? [change.address] : []));
  const [first] = [...open.map(({ change }) => change), ...changes];
  if (outcome === 'unknown')
    return [{ integration, kind: 'unknown', detail, taken: [], place: first?.setting.place }];
  if (outcome !== 'failed' && outcome !== 'blocked') return [];
  const { reasons = [], forbidden = false } = written.kind === 'refused' ? written : {};
  const kind = forbidden && taken.length === 0 ? 'forbidden' : 'failed';
  const given: readonly Reason[] =
    reasons.length > 0 ? reasons : [{ text: kind === 'forbidden' ? '' : detail }];
  const likely = likelyPlace(changes, open);
  return given.map(({ text, place = likely }) => ({ integration, taken, kind, detail: text, place }));
}

/** One finding for all integrations that failed for one reason; each that changed in part has its own. */
function failureFindings(all: readonly Failure[]): Diagnostic[] {
  const groups = grouped(all, ({ kind, detail, taken, integration }) =>
    JSON.stringify([kind, detail, ...(taken.length === 0 ? [] : [integration])]),
  );
  return [...groups.values()].flatMap((failures) => {
    const [first] = failures;
    return first === undefined ? [] : [failureFinding(first, failures)];
  });
}

function failureFinding({ kind, detail, taken, place }: Failure, all: readonly Failure[]): Diagnostic {
  const integrations = [...new Set(all.map(({ integration }) => integration))];
  const at = integrations.length === 1 ? place : undefined;
  if (kind === 'forbidden')
    return diagnostic(
      'not-permitted',
      { request: 'PATCH', integrations, ...present({ detail: detail || undefined }) },
      at,
    );
  if (kind === 'failed') return diagnostic('apply-failed', { integrations, detail, taken }, at);
  return diagnostic('apply-unknown', { integrations, detail }, at);
}

/** The place of the only change that can be the cause; undefined among several. */
function likelyPlace(changes: readonly Change[], open: readonly Compared[]): Place | undefined {
  return changes.length === 1 || open.length === 1
    ? (open[0]?.change ?? changes[0])?.setting.place
    : undefined;
}
