import type { Reached } from '../findings/diagnostic.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { grouped, present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { type Compared, compareAgain, heldInstead, isOpen } from './compare.ts';
import {
  type IntegrationPlan,
  OUTCOMES,
  type Outcome,
  type Planned,
  type ServerPlan,
  type WriteEnd,
} from './plan.ts';

/** An integration with its outcome, and what that was judged by. */
type Judged = ReturnType<typeof judgeOne>;

/**
 * Judges each integration by how its writing ended and by what the server then holds: `readBack` has by id each one that was sent
 * as it was read afterwards, or why it was not; one that is gone is missing. Finds what is not as desired.
 */
export function judge(
  plan: ServerPlan,
  written: ReadonlyMap<string, WriteEnd>,
  readBack: ReadonlyMap<string, LiveIntegration | string>,
): Planned {
  const judged = new Map<string, Judged>();
  for (const each of plan.integrations) {
    const ending = written.get(each.id);
    if (ending !== undefined) judged.set(each.id, judgeOne(each, ending, readBack.get(each.id)));
  }
  const all = [...judged.values()];
  const integrations = plan.integrations.map((each) => judged.get(each.id)?.integration ?? each);
  const addresses = all.flatMap(({ empty }) => empty);
  // After an interruption it can be nearly everything.
  const left = all.filter(({ outcome }) => outcome === 'not-attempted');
  const names = left.map(({ integration }) => integration.name);
  return {
    plan: { ...plan, integrations },
    diagnostics: [
      ...all.flatMap(findingsOf),
      ...failureFindings(all.flatMap(failuresOf)),
      ...(addresses.length === 0 ? [] : [diagnostic('hides-secrets', { addresses, isSent: true })]),
      ...(names.length === 0 ? [] : [diagnostic('not-attempted', { integrations: names })]),
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

function readsEmpty(compared: Compared): boolean {
  const { change, now } = compared;
  return isOpen(compared) && change.setting.field === 'value' && change.sensitive && now?.before === null;
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
  if (written.kind === 'stale') return staleFindings({ ...integration, left: written });
  if (outcome !== 'not-converged') return [];
  const facts = { integration: integration.name, held: heldInstead(states) };
  return [diagnostic('not-converged', facts, states.find(isOpen)?.change.setting.place)];
}

/** The finding for an integration of which nothing is written because it is no longer as planned. */
export function staleFindings({ name: integration, changes, left }: IntegrationPlan): Diagnostic[] {
  if (left?.kind !== 'stale') return [];
  const { moved } = left;
  const first = changes.find(({ address }) => moved.some((each) => each.address === address));
  return [diagnostic('stale', { integration, moved }, first?.setting.place)];
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
  return [...groups.values()].map((failures) => {
    const [{ code, detail, taken, place: first }] = failures;
    const integrations = [...new Set(failures.map(({ name }) => name))];
    const place = integrations.length === 1 ? first : undefined;
    if (code === 'apply-failed') return diagnostic(code, { integrations, detail, taken }, place);
    if (code === 'apply-unknown') return diagnostic(code, { integrations, detail }, place);
    const said = present({ detail: detail || undefined });
    return diagnostic(code, { request: 'PATCH', integrations, ...said }, place);
  });
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
