import type { Moved } from '../findings/apply.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Reached } from '../findings/words.ts';
import { grouped } from '../model/grouped.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';
import { afterWords, type FieldState, statesOf } from './field-state.ts';
import { OUTCOMES, type Outcome } from './outcome.ts';
import type { Change, IntegrationPlan, ServerPlan } from './plan.ts';
import type { Reason, Written } from './written.ts';

/** The plan with its outcomes, and a finding for each integration that is not as desired. */
export interface Applied {
  readonly plan: ServerPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/** By id, each integration that was sent as it was read afterwards, or why it was not; one that is gone is missing. */
export type ReadBack = ReadonlyMap<string, LiveIntegration | string>;

/** Judges each integration by how its writing ended and by what the server then holds. */
export function judge(plan: ServerPlan, written: ReadonlyMap<string, Written>, readBack: ReadBack): Applied {
  const judged = plan.integrations.map((integration) => {
    const result = written.get(integration.id);
    if (result === undefined) return { integration, failures: [], diagnostics: [] };
    return judgeOne(integration, result, readBack.get(integration.id));
  });
  const integrations = judged.map(({ integration }) => integration);
  return {
    plan: { ...plan, integrations },
    diagnostics: [
      ...judged.flatMap(({ diagnostics }) => diagnostics),
      ...failureFindings(judged.flatMap(({ failures }) => failures)),
      ...emptySecrets(integrations, readBack),
      ...notAttempted(integrations),
    ],
  };
}

function judgeOne(
  integration: IntegrationPlan,
  written: Written,
  read: LiveIntegration | string | undefined,
) {
  const unread = typeof read === 'string' ? read : undefined;
  const states = typeof read === 'string' ? undefined : statesAfter(integration, written, read);
  const outcome = outcomeOf(integration, written, states);
  const detail = 'detail' in written ? written.detail : (unread ?? '');
  const failures = failuresOf(integration, written, outcome, states ?? [], detail);
  const diagnostics = findings(integration, written, outcome, states ?? []);
  const changes = states?.map(judgedChange(written, outcome)) ?? integration.changes;
  return { integration: { ...integration, changes, outcome }, failures, diagnostics };
}

/** Each change with what became of it: one that is not shown does not make others of its integration unverified. */
function judgedChange(written: Written, outcome: Outcome): (state: FieldState) => Change {
  const untold = written.kind === 'acknowledged' ? 'sent' : outcome;
  const outcomes = { after: 'verified', untold, before: outcome, other: outcome } as const;
  return ({ change, state }) => ({ ...change, outcome: outcomes[state] });
}

/** Whether another reading may tell more of an integration: it was not read, or does not show what may have been written. */
export function isUnsettled(
  integration: IntegrationPlan,
  written: Written | undefined,
  read: LiveIntegration | string | undefined,
): boolean {
  if (typeof read === 'string') return true;
  const mayHold = written?.kind === 'acknowledged' || written?.kind === 'unclear';
  return mayHold && statesOf(integration, read).some(isOpen);
}

/** One finding for all secrets that the server took and that read back empty. */
function emptySecrets(integrations: readonly IntegrationPlan[], readBack: ReadBack): Diagnostic[] {
  const addresses = integrations.flatMap(({ id, changes }) =>
    changes
      .filter((change) => change.outcome === 'sent' && readsEmpty(change, readBack.get(id)))
      .map(({ address }) => address),
  );
  return addresses.length === 0 ? [] : [diagnostic('hides-secrets', { addresses, isSent: true })];
}

/** Whether a change of a secret reads back empty. */
function readsEmpty(change: Change, live: LiveIntegration | string | undefined): boolean {
  if (change.field !== 'value' || !change.sensitive || typeof live === 'string') return false;
  return live?.options.get(change.option)?.value.kind === 'empty';
}

/** The state of each change; a secret that was accepted and reads back empty cannot be told. */
function statesAfter(
  integration: IntegrationPlan,
  written: Written,
  read: LiveIntegration | undefined,
): readonly FieldState[] {
  const states = statesOf(integration, read);
  if (written.kind !== 'acknowledged') return states;
  return states.map((each) =>
    isOpen(each) && readsEmpty(each.change, read) ? { ...each, state: 'untold' } : each,
  );
}

/** The place of the only change that can be the cause; undefined among several. */
function likelyPlace(changes: readonly Change[], open: readonly FieldState[]): Place | undefined {
  return changes.length === 1 || open.length === 1 ? (open[0]?.change ?? changes[0])?.source : undefined;
}

/** One finding for all that was not attempted: after an interruption it can be nearly everything. */
function notAttempted(integrations: readonly IntegrationPlan[]): Diagnostic[] {
  const attempted = integrations.filter(({ unplanned }) => unplanned !== true);
  const names = attempted.filter(({ outcome }) => outcome === 'not-attempted').map(({ name }) => name);
  return names.length === 0 ? [] : [diagnostic('not-attempted', { integrations: names })];
}

/** The end of a plan that another server, or an interruption, kept from being written. */
export function unattempted(plan: ServerPlan, because: 'failed' | undefined): Applied {
  const integrations = plan.integrations.map((each) =>
    each.changes.length === 0 ? each : { ...each, outcome: 'not-attempted' as const },
  );
  const names = plan.integrations.filter(({ changes }) => changes.length > 0).map(({ name }) => name);
  const facts = { integrations: names, ...present({ because }) };
  return {
    plan: { ...plan, integrations },
    diagnostics: names.length === 0 ? [] : [diagnostic('not-attempted', facts)],
  };
}

/** Gives what errors left out of a plan its outcome, once an apply has attempted anything else. */
export function withLeftOut(plan: ServerPlan, names: readonly string[]): Applied {
  const integrations = plan.integrations.map((each) =>
    each.unplanned ? { ...each, outcome: 'not-attempted' as const } : each,
  );
  const found = diagnostic('not-attempted', { integrations: names, because: 'errors' });
  return { plan: { ...plan, integrations }, diagnostics: [found] };
}

/** `states` is what was read afterwards; absent where that failed. */
function outcomeOf(
  integration: IntegrationPlan,
  written: Written,
  states: readonly FieldState[] | undefined,
): Outcome {
  if (written.kind === 'stale' || written.kind === 'not-attempted') return written.kind;
  if (written.kind === 'done') return 'verified';
  if (states === undefined) return written.kind === 'refused' ? refusal(integration) : 'unknown';
  const isAccepted = written.kind === 'refused' && written.accepted === true;
  if (!isAccepted && states.every(({ state }) => state === 'after')) return 'verified';
  if (written.kind === 'acknowledged') return states.some(isOpen) ? 'not-converged' : 'sent';
  if (written.kind === 'refused') return refusal(integration);
  return states.some(({ state }) => state === 'untold') ? 'unknown' : 'failed';
}

function isOpen({ state }: FieldState): boolean {
  return state === 'before' || state === 'other';
}

function refusal(integration: IntegrationPlan): Outcome {
  return integration.blocked ? 'blocked' : 'failed';
}

function findings(
  { name: integration, changes }: IntegrationPlan,
  written: Written,
  outcome: Outcome,
  states: readonly FieldState[],
): Diagnostic[] {
  if (outcome === 'stale' && written.kind === 'stale')
    return [staleFinding({ name: integration, changes }, written.moved)];
  if (outcome !== 'not-converged') return [];
  const open = states.filter(isOpen);
  const place = (open[0]?.change ?? changes[0])?.source;
  return [diagnostic('not-converged', { integration, held: open.map(heldInstead) }, place)];
}

/** Why an integration was not changed, or may not have been. */
interface Failure {
  readonly integration: string;
  readonly kind: 'forbidden' | 'failed' | 'unread' | 'unclear';
  readonly detail: string;
  /** What was changed in spite of it. */
  readonly taken: readonly string[];
  readonly isStopped: boolean;
  readonly place: Place | undefined;
}

function failuresOf(
  { name: integration, changes, blocked }: IntegrationPlan,
  written: Written,
  outcome: Outcome,
  states: readonly FieldState[],
  detail: string,
): Failure[] {
  const open = states.filter(isOpen);
  const taken = states.flatMap(({ change, state }) => (state === 'after' ? [change.address] : []));
  const about = { integration, taken, isStopped: blocked };
  if (outcome === 'unknown') {
    const kind = written.kind === 'acknowledged' ? 'unread' : 'unclear';
    return [{ ...about, kind, detail, taken: [], place: (open[0]?.change ?? changes[0])?.source }];
  }
  if (outcome !== 'failed' && outcome !== 'blocked') return [];
  const { reasons = [], forbidden = false } = written.kind === 'refused' ? written : {};
  const kind = forbidden && taken.length === 0 ? 'forbidden' : 'failed';
  const given: readonly Reason[] = reasons.length > 0 ? reasons : [{ text: detail }];
  const likely = likelyPlace(changes, open);
  return given.map(({ text, place = likely }) => ({ ...about, kind, detail: text, place }));
}

/** One finding for all integrations that failed for one reason; what was changed in part stands alone. */
function failureFindings(all: readonly Failure[]): Diagnostic[] {
  const groups = grouped(all, ({ kind, detail, taken, isStopped, integration }) =>
    JSON.stringify([kind, detail, isStopped, ...(taken.length === 0 ? [] : [integration])]),
  );
  return [...groups.values()].flatMap((failures) => {
    const [first] = failures;
    return first === undefined ? [] : [failureFinding(first, failures)];
  });
}

function failureFinding(
  { kind, detail, taken, isStopped, place }: Failure,
  all: readonly Failure[],
): Diagnostic {
  const integrations = [...new Set(all.map(({ integration }) => integration))];
  const at = integrations.length === 1 ? place : undefined;
  if (kind === 'forbidden')
    return diagnostic(
      'not-permitted',
      { request: 'PATCH', integrations, ...present({ detail: detail || undefined }) },
      at,
    );
  if (kind === 'failed') {
    const facts = { integrations, detail, taken, ...present({ isStopped: isStopped || undefined }) };
    return diagnostic('apply-failed', facts, at);
  }
  return diagnostic('apply-unknown', { integrations, detail, acknowledged: kind === 'unread' }, at);
}

/** The finding for an integration that is not written because it is no longer as reviewed. */
export function staleFinding(
  { name: integration, changes }: Pick<IntegrationPlan, 'name' | 'changes'>,
  moved: readonly Moved[],
): Diagnostic {
  const addresses = new Set(moved.map(({ address }) => address));
  const first = changes.find(({ address }) => addresses.has(address));
  return diagnostic('stale', { integration, moved }, first?.source);
}

function heldInstead({ change, now, state }: FieldState) {
  return { address: change.address, before: afterWords(change), now, isStored: state === 'other' };
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
