import { type AboutField, aboutAll, aboutFields } from '../findings/about.ts';
import type { HeldField } from '../findings/apply.ts';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { toldApart } from '../model/look-alike.ts';
import type { Place } from '../model/place.ts';
import { contentOf, type Side } from '../model/side.ts';
import { addressOf } from '../model/subject.ts';
import { canonicalText, isEmpty } from '../model/value.ts';
import type { Comparison } from './compare.ts';
import {
  type Change,
  type ChangeDocument,
  type IntegrationPlan,
  type KeptField,
  OUTCOMES,
  type Outcome,
  type Planned,
  type ServerPlan,
  type StaleEnd,
  sourceOf,
  type WriteEnd,
} from './plan.ts';
import { endReason, failureReason, staleReason } from './reasons.ts';
import { readsEmpty, recheck, type Standing } from './recheck.ts';
import { isShownAsSecret } from './shown-sides.ts';

/** An integration with its outcome, and what that was judged by. */
interface Judged {
  readonly integration: IntegrationPlan;
  readonly states: readonly FieldState[];
  /** Why it could not be written or read. */
  readonly detail: string;
}

/** A change, how its request ended, and what a reading shows of it. */
interface FieldState {
  readonly change: Change;
  readonly end: RequestEnd;
  readonly state: FieldReading;
  /** The field as it is; undefined if it is gone, or was not read. */
  readonly now: Comparison | undefined;
}

/** How a request ended; `in-part` if it was refused, and a part of it took all the same. */
type RequestEnd = 'accepted' | 'refused' | 'in-part' | 'unclear';

/** What a reading shows; a secret that may have been written may be `empty`. */
type FieldReading = Standing | 'empty' | 'unread';

/**
 * What was read of integrations after writing, by their ids, or why it was not.
 * One that is gone is missing, as is one of which nothing was sent.
 */
export type ReadBack = ReadonlyMap<string, LiveIntegration | string>;

/**
 * Judges each integration by how its writing ended and by what the server then
 * holds. Finds what is not as desired.
 */
export function judge(plan: ServerPlan, readBack: ReadBack): Planned {
  const judged = plan.integrations.map((integration) =>
    judgeIntegration(integration, readBack),
  );
  const integrations = judged.map(({ integration }) => integration);
  return {
    plan: { ...plan, integrations },
    diagnostics: [
      ...judged.flatMap(movedIn),
      ...failureFindings(judged.flatMap(failuresOf)),
      ...emptySecrets(judged),
      ...notAttempted(integrations),
      ...keptFindings(integrations),
    ],
  };
}

/** One finding for each reason for which an undo leaves fields alone. */
function keptFindings(integrations: readonly IntegrationPlan[]): Diagnostic[] {
  const kept: (AboutField & KeptField)[] = [];
  for (const { name: integration, kept: own = [] } of integrations) {
    for (const field of own) {
      const { address } = field.change;
      kept.push({ ...field, address, integration });
    }
  }
  const byReason = grouped(kept, ({ because }) => because);
  const findings: Diagnostic[] = [];
  for (const [reason, fields] of byReason) {
    const now = fields.map(({ held }) => held);
    const about = { ...aboutAll(fields), now };
    const found =
      reason === 'moved' || reason === 'gone'
        ? diagnostic('stale', { ...about, kept: reason })
        : diagnostic('not-attempted', { ...about, kept: reason });
    const places = fields.map(({ change }) => sourceOf(change));
    findings.push(withPlaces(found, places));
  }
  return findings;
}

/** Warns of secrets that were accepted and read back empty. */
function emptySecrets(judged: readonly Judged[]): Diagnostic[] {
  const empty: Change[] = [];
  for (const { states } of judged) {
    for (const { change, end, state } of states) {
      if (end === 'accepted' && state === 'empty') empty.push(change);
    }
  }
  if (empty.length === 0) return [];
  const subjects = empty.map(({ comparison }) => comparison.subject);
  const facts = { ...aboutFields(subjects), isSent: true };
  return [withPlaces(diagnostic('hides-secrets', facts), empty.map(placeOf))];
}

/** One finding for all that was not attempted: after an interruption it can be nearly everything. */
function notAttempted(integrations: readonly IntegrationPlan[]): Diagnostic[] {
  const names: string[] = [];
  const places: Place[] = [];
  for (const { name, outcome, changes } of integrations) {
    if (outcome !== 'not-attempted') continue;
    names.push(name);
    places.push(...changes.map(placeOf));
  }
  if (names.length === 0) return [];
  const found = diagnostic('not-attempted', { integrations: names });
  return [withPlaces(found, places)];
}

function addressIn({ comparison }: Change): string {
  return addressOf(comparison.subject);
}

function placeOf({ comparison }: Change): Place {
  return comparison.setting.place;
}

function judgeIntegration(
  integration: IntegrationPlan,
  readBack: ReadBack,
): Judged {
  const { end } = integration;
  if (end === undefined) return judgeUntouched(integration);
  if (isUnsent(end)) return judgeUnsent(integration, end);
  return judgeSent(integration, end, readBack.get(integration.id));
}

/** Judges an integration of which nothing is to be written. */
function judgeUntouched(integration: IntegrationPlan): Judged {
  const isKept = integration.kept !== undefined;
  const judged = isKept
    ? { ...integration, outcome: 'stale' as const }
    : integration;
  return { integration: judged, states: [], detail: '' };
}

/** An end that says all of an integration, as nothing of it was sent. */
type UnsentEnd = Extract<
  WriteEnd,
  { readonly kind: 'stale' | 'not-attempted' | 'done' }
>;

/** An end after which only a reading shows what the server holds. */
type SentEnd = Exclude<WriteEnd, UnsentEnd>;

function isUnsent(end: WriteEnd): end is UnsentEnd {
  const { kind } = end;
  return kind === 'stale' || kind === 'not-attempted' || kind === 'done';
}

/** Judges an integration of which nothing was sent. */
function judgeUnsent(integration: IntegrationPlan, end: UnsentEnd): Judged {
  const outcome: Outcome = end.kind === 'done' ? 'verified' : end.kind;
  const detail = detailOf(end);
  const changes: Change[] = [];
  for (const change of integration.changes) {
    const reason = endReason(end, change);
    changes.push({ ...change, outcome, reason });
  }
  const lost = lostReasons(integration, end);
  const judged = { ...integration, changes, lost, outcome };
  return { integration: judged, states: [], detail };
}

/** Judges an integration by what was read of it: nothing if it is gone. */
function judgeSent(
  integration: IntegrationPlan,
  end: SentEnd,
  read: LiveIntegration | string | undefined,
): Judged {
  const states = statesOf(integration, end, read);
  const detail = detailOf(end) || (typeof read === 'string' ? read : '');
  const refused = integration.blocked ? 'blocked' : 'failed';
  const isUnwritten = states.every(isUnwrittenIn);
  const changes: Change[] = [];
  for (const field of states) {
    const outcome = outcomeOf(field, refused, isUnwritten);
    const reason = reasonOf(field, outcome, { end, detail });
    changes.push({ ...field.change, outcome, reason });
  }
  let outcome = worstOf(changes);
  // What the answer refused may be something that no field shows.
  if (hasErrorsInside(end) && outcome === 'verified') outcome = refused;
  return { integration: { ...integration, changes, outcome }, states, detail };
}

/** Finds how each change stands. */
function statesOf(
  integration: IntegrationPlan,
  end: SentEnd,
  read: LiveIntegration | string | undefined,
): FieldState[] {
  const states: FieldState[] = [];
  if (typeof read === 'string') {
    for (const change of integration.changes) {
      const ended = requestEnd(change, end);
      states.push({ change, end: ended, state: 'unread', now: undefined });
    }
    return states;
  }
  const all = recheck(integration, read);
  const isInPart = all.some(({ change, standing }) => {
    return standing === 'planned' && requestEnd(change, end) === 'refused';
  });
  for (const rechecked of all) {
    const { change, standing, now } = rechecked;
    const told = requestEnd(change, end);
    const ended = isInPart && told === 'refused' ? 'in-part' : told;
    const isEmpty = ended !== 'refused' && readsEmpty(rechecked);
    states.push({
      change,
      end: ended,
      state: isEmpty ? 'empty' : standing,
      now,
    });
  }
  return states;
}

/** Finds how the request ended that carried a change. */
function requestEnd(change: Change, end: SentEnd): RequestEnd {
  if (end.kind === 'acknowledged') return 'accepted';
  if (end.accepted?.includes(change)) return 'accepted';
  if (end.unsent?.includes(change)) return 'refused';
  return hasErrorsInside(end) ? 'unclear' : end.kind;
}

/** Whether a good answer held errors: they say nothing of the rest of it. */
function hasErrorsInside(end: SentEnd): boolean {
  return end.kind === 'refused' && end.mayBePart === true;
}

/** True unless a change was written by a request with an unclear end. */
function isUnwrittenIn({ end, state }: FieldState): boolean {
  return end !== 'unclear' || state === 'unmoved';
}

/**
 * The outcome of a change, by how its request ended and what a reading shows.
 * After an unclear end only a reading proves that nothing was written.
 */
function outcomeOf(
  { end, state }: FieldState,
  refused: 'failed' | 'blocked',
  isUnwritten: boolean,
): Outcome {
  if (state === 'planned') return 'verified';
  if (end === 'refused') return refused;
  if (end === 'in-part') return isOffPlan(state) ? refused : 'unknown';
  if (end === 'unclear') return isUnwritten ? 'failed' : 'unknown';
  if (state === 'unread') return 'unknown';
  return isOffPlan(state) ? 'not-converged' : 'sent';
}

/** Outcomes of changes, the one that counts for their integration first. */
const WORST: readonly Outcome[] = [
  'unknown',
  'failed',
  'blocked',
  'not-converged',
  'sent',
];

function worstOf(changes: readonly Change[]): Outcome {
  const outcomes = new Set(changes.map(({ outcome }) => outcome));
  return WORST.find((outcome) => outcomes.has(outcome)) ?? 'verified';
}

/** Why an integration was not written; empty if its end has no words. */
function detailOf(end: WriteEnd): string {
  return 'detail' in end ? end.detail : '';
}

/** The reviewed changes that an integration has no more, each with the reason. */
function lostReasons(
  { lost }: IntegrationPlan,
  end: UnsentEnd,
): readonly ChangeDocument[] | undefined {
  if (end.kind !== 'stale') return lost;
  return lost?.map((change) => {
    return { ...change, reason: staleReason(end, change.address) };
  });
}

/** Why an integration is not as planned. */
interface Trouble {
  readonly end: SentEnd;
  readonly detail: string;
}

/** Why a change is not as planned; undefined if it is. */
function reasonOf(
  field: FieldState,
  outcome: Outcome,
  { end, detail }: Trouble,
): string | undefined {
  if (OUTCOMES[outcome] === 'applied') return undefined;
  if (outcome !== 'not-converged')
    return failureReason(field.change, end, detail);
  if (field.now === undefined) return 'the server has it no more';
  const texts = [heldText(field), plannedText(field)];
  return `the server holds ${toldApart(texts)[0]}`;
}

/** Whether another reading may tell more of an integration: it was not read, or does not show what may have been written. */
export function isUnsettled(
  integration: IntegrationPlan,
  read: LiveIntegration | string | undefined,
): boolean {
  if (typeof read === 'string') return true;
  const { end } = integration;
  const mayHold = end?.kind === 'acknowledged' || end?.kind === 'unclear';
  if (!mayHold) return false;
  return recheck(integration, read).some(({ standing }) => isOffPlan(standing));
}

/** Whether a field is not at its planned value, as far as the server shows. */
function isOffPlan(state: FieldReading): boolean {
  return state === 'unmoved' || state === 'other';
}

/** Finds what is no longer as planned, or does not hold what was written. */
function movedIn({ integration, states }: Judged): Diagnostic[] {
  const { end, outcome } = integration;
  if (end?.kind === 'stale') return [staleFinding(integration, end)];
  return outcome === 'not-converged'
    ? [notConverged(integration.name, states)]
    : [];
}

function staleFinding(
  { name: integration, changes }: IntegrationPlan,
  { moved, became }: StaleEnd,
): Diagnostic {
  const addresses = new Set(moved.map(({ address }) => address));
  const places: Place[] = [];
  for (const change of changes) {
    if (addresses.has(addressIn(change))) places.push(placeOf(change));
  }
  const facts = { integration, moved, became };
  return withPlaces(diagnostic('stale', facts, places[0]), places);
}

function notConverged(
  integration: string,
  states: readonly FieldState[],
): Diagnostic {
  const held: HeldField[] = [];
  const places: Place[] = [];
  for (const field of states) {
    if (!isOffPlan(field.state)) continue;
    const { change } = field;
    const planned = plannedText(field);
    held.push({ address: addressIn(change), planned, held: heldText(field) });
    places.push(placeOf(change));
  }
  const found = diagnostic('not-converged', { integration, held }, places[0]);
  return withPlaces(found, places);
}

/** One reason why an integration failed, is unknown, or may not be changed. */
interface FailureCause {
  readonly name: string;
  readonly code: 'apply-failed' | 'apply-unknown' | 'not-permitted';
  readonly detail: string;
  /** The addresses that changed in spite of it. */
  readonly taken: readonly string[];
  /** The line that caused it, if that is certain. */
  readonly place?: Place | undefined;
  /** All lines that may have caused it. */
  readonly places: readonly Place[];
}

/** Why an integration failed or is unknown, and what was changed in spite of it: once for each reason that the server gave. */
function failuresOf({ integration, states, detail }: Judged): FailureCause[] {
  const { name, changes, outcome, end } = integration;
  if (!isFailure(outcome)) return [];
  const isUnknown = outcome === 'unknown';
  const open = states.filter(isOpen).map(({ change }) => change);
  const done = states.filter(({ state }) => state === 'planned');
  const taken = isUnknown ? [] : done.map(({ change }) => addressIn(change));
  const refusal = end?.kind === 'refused' ? end : undefined;
  const isForbidden = refusal?.forbidden === true && taken.length === 0;
  const code = failureCode(isUnknown, isForbidden);
  const causes = open.length > 0 ? open : changes;
  const places = causes.map(placeOf);
  // Only one change can be the cause, or nobody knows which.
  const isCertain = isUnknown || changes.length === 1 || open.length === 1;
  const place = isCertain ? places[0] : undefined;
  const reasons = refusal?.reasons ?? [];
  if (reasons.length === 0) {
    const text = code === 'not-permitted' ? '' : detail;
    return [{ name, code, taken, detail: text, place, places }];
  }
  return reasons.map((reason) => ({
    name,
    code,
    taken,
    detail: reason.text,
    place: reason.place ?? place,
    places: reason.place === undefined ? places : [reason.place],
  }));
}

/** Whether a request that failed left a change open. */
function isOpen({ end, state }: FieldState): boolean {
  return end !== 'accepted' && isOffPlan(state);
}

function isFailure(outcome: Outcome | undefined): boolean {
  return outcome === 'unknown' || outcome === 'failed' || outcome === 'blocked';
}

function failureCode(
  isUnknown: boolean,
  isForbidden: boolean,
): FailureCause['code'] {
  if (isUnknown) return 'apply-unknown';
  return isForbidden ? 'not-permitted' : 'apply-failed';
}

/** One finding for all integrations that failed for one reason; each that changed in part has its own. */
function failureFindings(all: readonly FailureCause[]): Diagnostic[] {
  // What was taken names its integration.
  const groups = grouped(all, ({ code, detail, taken }) =>
    JSON.stringify([code, detail, taken]),
  );
  return [...groups.values()].map((failures) => {
    const places = failures.flatMap((failure) => failure.places);
    return withPlaces(failureFinding(failures), places);
  });
}

/** The finding for integrations that failed for one reason, at the first place. */
function failureFinding(
  failures: readonly [FailureCause, ...FailureCause[]],
): Diagnostic {
  const [{ code, detail, taken, place }] = failures;
  const integrations = [...new Set(failures.map(({ name }) => name))];
  if (code === 'apply-unknown')
    return diagnostic(code, { integrations, detail }, place);
  if (code === 'apply-failed')
    return diagnostic(code, { integrations, detail, taken }, place);
  return diagnostic(code, { request: 'PATCH', integrations, detail }, place);
}

function plannedText({ change: { comparison } }: FieldState): string {
  return sideText(comparison.after, comparison);
}

/** What the server holds of a field instead of what was planned, in words; of a secret only whether it is another one. */
function heldText({ change, now }: FieldState): string {
  if (now === undefined) return 'gone';
  // Once a secret, always a secret.
  const planned = change.comparison;
  const isSecret = isShownAsSecret(planned) || isShownAsSecret(now);
  const isSet = !isEmpty(contentOf(now.before));
  if (!isSecret || !isSet) return sideText(now.before, now);
  const wasHeld = contentOf(planned.before) !== undefined;
  return wasHeld ? 'a different secret' : 'a secret';
}

/** One side of a field in words, in full: it is cut when it is shown, after known secrets are removed. */
function sideText(side: Side, { setting }: Comparison): string {
  if (side.kind === 'secret') return 'a secret';
  const value = contentOf(side);
  if (isEmpty(value)) return 'nothing';
  const isText = setting.kind === 'value' && typeof value === 'string';
  return isText ? JSON.stringify(value) : canonicalText(value);
}
