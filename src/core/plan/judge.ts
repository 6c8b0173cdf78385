import type { Moved } from '../findings/apply.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Reached } from '../findings/entry.ts';
import { grouped, present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { type Compared, compareAgain, heldInstead, isOpen } from './compare.ts';
import { type IntegrationPlan, OUTCOMES, type Outcome, type ServerPlan } from './plan.ts';

/** One reason that a server gave for a refusal, and the place in the YAML that it points at. */
interface Reason {
  readonly text: string;
  readonly place?: Place;
}

/** How the writing of one integration ended. */
export type WriteEnd =
  | { readonly kind: 'acknowledged' }
  /** Nothing was left to write: it was already at its planned values. */
  | { readonly kind: 'done' }
  /** The server refused, or the request never left: nothing was written. */
  | {
      readonly kind: 'refused';
      readonly detail: string;
      readonly reasons?: readonly Reason[];
      /** True if the account lacks the permission. */
      readonly forbidden?: true;
      /** True if a good answer holds the refusal: a part may be written, and the rest not even be checked. */
      readonly accepted?: true;
    }
  /** No usable answer: it may or may not have been written. */
  | { readonly kind: 'unclear'; readonly detail: string }
  | { readonly kind: 'stale'; readonly moved: readonly Moved[] }
  | { readonly kind: 'not-attempted' };

/** By id, each integration that was sent as it was read afterwards, or why it was not; one that is gone is missing. */
export type ReadBack = ReadonlyMap<string, LiveIntegration | string>;

/** The plan with its outcomes, and a finding for each integration that is not as desired. */
export interface Applied {
  readonly plan: ServerPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/** An integration with its outcome, and what that was judged by. */
type Judged = ReturnType<typeof judgeOne>;

/** Judges each integration by how its writing ended and by what the server then holds. */
export function judge(plan: ServerPlan, written: ReadonlyMap<string, WriteEnd>, readBack: ReadBack): Applied {
  const judged = new Map<string, Judged>();
  for (const each of plan.integrations) {
    const ending = written.get(each.id);
    if (ending !== undefined) judged.set(each.id, judgeOne(each, ending, readBack.get(each.id)));
  }
  const all = [...judged.values()];
  const integrations = plan.integrations.map((each) => judged.get(each.id)?.integration ?? each);
  const addresses = all.flatMap(({ empty }) => empty);
  return {
    plan: { ...plan, integrations },
    diagnostics: [
      ...all.flatMap(findingsOf),
      ...failureFindings(all.flatMap(failuresOf)),
      ...(addresses.length === 0 ? [] : [diagnostic('hides-secrets', { addresses, isSent: true })]),
      ...notAttempted(integrations),
    ],
  };
}

function judgeOne(
  integration: IntegrationPlan,
  written: WriteEnd,
  read: LiveIntegration | string | undefined,
) {
  const compared = typeof read === 'string' ? undefined : compareAgain(integration, read);
  const isAcknowledged = written.kind === 'acknowledged';
  const empty = new Set(isAcknowledged ? compared?.filter(readsEmpty) : []);
  // A secret that was accepted and reads back empty is not shown.
  const states = compared?.map((each) => (empty.has(each) ? { ...each, state: 'hidden' as const } : each));
  const outcome = outcomeOf(integration, written, states);
  // One that is not shown does not make others of its integration unverified.
  const hidden = isAcknowledged ? 'sent' : outcome;
  const outcomes = { planned: 'verified', hidden, unmoved: outcome, other: outcome } as const;
  const changes = states?.map(({ change, state }) => ({ ...change, outcome: outcomes[state] }));
  const unread = typeof read === 'string' ? read : '';
  return {
    integration: { ...integration, outcome, changes: changes ?? integration.changes },
    ...{ outcome, written, states: states ?? [] },
    /** Why it could not be written or read. */
    detail: 'detail' in written ? written.detail : unread,
    empty: [...empty].map(({ change }) => change.address),
  };
}

function readsEmpty({ change, open }: Compared): boolean {
  return change.field === 'value' && change.sensitive && open?.before === null && !open.unreadable;
}

/** Whether another reading may tell more of an integration: it was not read, or does not show what may have been written. */
export function isUnsettled(
  integration: IntegrationPlan,
  written: WriteEnd | undefined,
  read: LiveIntegration | string | undefined,
): boolean {
  if (typeof read === 'string') return true;
  const mayHold = written?.kind === 'acknowledged' || written?.kind === 'unclear';
  return mayHold && compareAgain(integration, read).some(isOpen);
}

/** `states` is what was read afterwards; absent if that failed. */
function outcomeOf(
  { blocked }: IntegrationPlan,
  written: WriteEnd,
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

function findingsOf({ integration, written, outcome, states }: Judged): Diagnostic[] {
  if (written.kind === 'stale') return [staleFinding(integration, written.moved)];
  if (outcome !== 'not-converged') return [];
  const facts = { integration: integration.name, held: heldInstead(states) };
  return [diagnostic('not-converged', facts, states.find(isOpen)?.change.setting.place)];
}

/** The finding for an integration that is not written because it is no longer as reviewed. */
export function staleFinding(
  { name: integration, changes }: Pick<IntegrationPlan, 'name' | 'changes'>,
  moved: readonly Moved[],
): Diagnostic {
  const first = changes.find(({ address }) => moved.some((each) => each.address === address));
  return diagnostic('stale', { integration, moved }, first?.setting.place);
}

interface Failure {
  readonly name: string;
  readonly code: 'not-permitted' | 'apply-failed' | 'apply-unknown';
  readonly detail: string;
  /** What was changed in spite of it. */
  readonly taken: readonly string[];
  readonly place: Place | undefined;
}

/** Why an integration failed or is unknown: once for each reason that the server gave. */
function failuresOf({ integration, written, outcome, states, detail }: Judged): Failure[] {
  const { name, changes } = integration;
  const open = states.filter(isOpen).map(({ change }) => change);
  const place = (open[0] ?? changes[0])?.setting.place;
  if (outcome === 'unknown') return [{ name, code: 'apply-unknown', detail, taken: [], place }];
  if (outcome !== 'failed' && outcome !== 'blocked') return [];
  const taken = states.flatMap(({ change, state }) => (state === 'planned' ? [change.address] : []));
  const { reasons = [], forbidden = false } = written.kind === 'refused' ? written : {};
  const code = forbidden && taken.length === 0 ? 'not-permitted' : 'apply-failed';
  // Only one change can be the cause, or nobody knows which.
  const likely = changes.length === 1 || open.length === 1 ? place : undefined;
  const unsaid = [{ text: code === 'not-permitted' ? '' : detail, place: likely }];
  return (reasons.length > 0 ? reasons : unsaid).map((reason) => {
    return { name, code, detail: reason.text, taken, place: reason.place ?? likely };
  });
}

/** One finding for all integrations that failed for one reason; each that changed in part has its own. */
function failureFindings(all: readonly Failure[]): Diagnostic[] {
  const groups = grouped(all, ({ code, detail, taken, name }) =>
    JSON.stringify([code, detail, taken.length === 0 ? '' : name]),
  );
  return [...groups.values()].flatMap((failures) => {
    const integrations = [...new Set(failures.map(({ name }) => name))];
    return failures.slice(0, 1).map(({ code, detail, taken, place: first }) => {
      const place = integrations.length === 1 ? first : undefined;
      if (code === 'apply-failed') return diagnostic(code, { integrations, detail, taken }, place);
      if (code === 'apply-unknown') return diagnostic(code, { integrations, detail }, place);
      const said = present({ detail: detail || undefined });
      return diagnostic(code, { request: 'PATCH', integrations, ...said }, place);
    });
  });
}

/** One finding for all that was not attempted: after an interruption it can be nearly everything. */
function notAttempted(all: readonly IntegrationPlan[]): Diagnostic[] {
  const left = all.filter(({ unplanned, outcome }) => !unplanned && outcome === 'not-attempted');
  const integrations = left.map(({ name }) => name);
  return integrations.length === 0 ? [] : [diagnostic('not-attempted', { integrations })];
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

/** How far an apply came on all its servers; undefined if it wrote nothing. What is not as desired is not applied. */
export function reachedBy(plans: readonly ServerPlan[]): Reached | undefined {
  const reached: Record<keyof Reached, string[]> = { applied: [], notApplied: [], unknown: [] };
  const judged = plans.flatMap(({ name: server, integrations }) =>
    integrations.flatMap(({ name, outcome }) =>
      outcome === undefined ? [] : [{ name: plans.length > 1 ? `${name} on ${server}` : name, outcome }],
    ),
  );
  for (const { name, outcome } of judged) reached[OUTCOMES[outcome].countsAs].push(name);
  return judged.length === 0 ? undefined : reached;
}
