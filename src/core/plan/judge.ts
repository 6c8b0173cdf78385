import { aboutAll } from '../findings/about.ts';
import { becameText } from '../findings/apply.ts';
import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { grouped, present } from '../model/json.ts';
import { toldApart } from '../model/look-alike.ts';
import type { Place } from '../model/place.ts';
import { contentOf, type Side } from '../model/side.ts';
import { addressOf } from '../model/subject.ts';
import { canonicalText, isEmpty } from '../model/value.ts';
import {
  aboutCompared,
  type Comparison,
  isShownAsSecret,
  placesOf,
} from './compare.ts';
import {
  type Change,
  type IntegrationPlan,
  isSent,
  OUTCOMES,
  type Outcome,
  type Planned,
  type SentEnd,
  type ServerPlan,
  sourceOf,
  type UnsentEnd,
} from './plan.ts';
import { isOffPlan, type Rechecked, readsEmpty } from './recheck.ts';

/** What was read of an integration after writing: its changes compared again, or why it was not read. */
export type Reading = readonly Rechecked[] | string;

/** How the request of a change ended, by its answer and by what a reading shows of all changes. */
type RequestEnd =
  | 'accepted'
  | 'refused'
  /** It was refused, and a part of it took all the same. */
  | 'in-part'
  | 'unclear'
  /** Nobody answered clearly, and the server holds what it held. */
  | 'not-taken';

/** What a reading shows of a field. A secret that reads empty is `hidden`, unless it was surely not written. */
type Shown = 'planned' | 'off-plan' | 'hidden' | 'unread';

/** What became of a change, by how its request ended and what a reading shows. */
const OUTCOME_OF: Readonly<
  Record<RequestEnd, Readonly<Record<Shown, Outcome>>>
> = {
  accepted: {
    planned: 'verified',
    'off-plan': 'not-converged',
    hidden: 'sent',
    unread: 'unknown',
  },
  refused: {
    planned: 'verified',
    'off-plan': 'failed',
    hidden: 'failed',
    unread: 'failed',
  },
  'in-part': {
    planned: 'verified',
    'off-plan': 'failed',
    hidden: 'unknown',
    unread: 'unknown',
  },
  unclear: {
    planned: 'verified',
    'off-plan': 'unknown',
    hidden: 'unknown',
    unread: 'unknown',
  },
  'not-taken': {
    planned: 'verified',
    'off-plan': 'failed',
    hidden: 'failed',
    unread: 'failed',
  },
};

/** Outcomes of changes, the one that counts for their integration first. */
const WORST: readonly Outcome[] = [
  'unknown',
  'failed',
  'blocked',
  'not-converged',
  'sent',
];

/** An integration with its outcome, and what that was judged by. */
interface Judged {
  readonly integration: IntegrationPlan;
  readonly fields: readonly WrittenField[];
  /** Why it could not be written or read. */
  readonly detail: string;
}

/** A change, how its request ended, and what a reading shows of it. */
interface WrittenField {
  readonly change: Change;
  readonly end: RequestEnd;
  readonly shown: Shown;
  /** The field as it is; undefined if it is gone, or was not read. */
  readonly now: Comparison | undefined;
}

/**
 * Judges each integration by how its writing ended and by what the server then
 * holds. Finds what is not as desired. `readBack` has the reading of each of
 * which something was sent, by its id.
 */
export function judge(
  plan: ServerPlan,
  readBack: ReadonlyMap<string, Reading>,
): Planned {
  const judged: Judged[] = [];
  for (const integration of plan.integrations) {
    const reading = readBack.get(integration.id) ?? [];
    judged.push(judgeIntegration(integration, reading));
  }
  const integrations = judged.map(({ integration }) => integration);
  return {
    plan: { ...plan, integrations },
    diagnostics: [
      ...judged.flatMap(movedIn),
      ...failureFindings(judged.flatMap(failuresOf)),
      ...emptySecrets(judged.flatMap(({ fields }) => fields)),
      ...notAttempted(integrations),
      ...keptFindings(integrations),
    ],
  };
}

/** Whether another reading may tell more of an integration: it was not read, or does not show what may have been written. */
export function isUnsettled(
  { end }: IntegrationPlan,
  reading: Reading | undefined,
): boolean {
  if (reading === undefined || typeof reading === 'string') return true;
  if (end?.kind !== 'acknowledged' && end?.kind !== 'unclear') return false;
  return reading.some(isOffPlan);
}

function judgeIntegration(
  integration: IntegrationPlan,
  reading: Reading,
): Judged {
  const { end, kept } = integration;
  if (isSent(end)) return judgeSent(integration, end, reading);
  let judged = integration;
  if (end !== undefined) judged = judgeUnsent(integration, end);
  // Nothing of it is to be written.
  else if (kept !== undefined) judged = { ...integration, outcome: 'stale' };
  return { integration: judged, fields: [], detail: '' };
}

/** Judges an integration of which nothing was sent. */
function judgeUnsent(
  integration: IntegrationPlan,
  end: UnsentEnd,
): IntegrationPlan {
  const outcome: Outcome = end.kind === 'done' ? 'verified' : end.kind;
  const changes = integration.changes.map((change): Change => {
    return { ...change, outcome, reason: unsentReason(end, addressIn(change)) };
  });
  const lost = integration.lost?.map((change) => {
    const reason = unsentReason(end, change.address);
    return { ...change, ...present({ reason }) };
  });
  return { ...integration, changes, lost, outcome };
}

/** Why nothing of a field was sent; undefined if it is done already. */
function unsentReason(end: UnsentEnd, address: string): string | undefined {
  if (end.kind === 'done') return undefined;
  if (end.kind === 'not-attempted') return withoutPeriod(end.detail);
  if (end.became !== undefined) return becameText(end.became);
  const moved = end.moved.find((field) => field.address === address);
  if (moved === undefined) return 'another field of it moved since the plan';
  const where =
    moved.by === 'server' ? 'on the server' : 'in the configuration';
  return `moved ${where} since the plan`;
}

/** Judges an integration by what was read of it. */
function judgeSent(
  integration: IntegrationPlan,
  end: SentEnd,
  reading: Reading,
): Judged {
  const fields = writtenFields(integration, end, reading);
  const ofEnd = end.kind === 'acknowledged' ? '' : end.detail;
  const detail = ofEnd || (typeof reading === 'string' ? reading : '');
  const refused = integration.blocked ? 'blocked' : 'failed';
  const changes: Change[] = [];
  for (const field of fields) {
    const outcome = outcomeOf(field, refused);
    let reason: string | undefined;
    if (outcome === 'not-converged') reason = otherReason(field);
    else if (OUTCOMES[outcome] !== 'applied') {
      reason = failureReason(field.change, end, detail);
    }
    const isOpen = outcome === 'failed' && end.kind === 'unclear';
    const maybeWritten = isOpen || undefined;
    changes.push({ ...field.change, outcome, reason, maybeWritten });
  }
  const outcomes = new Set(changes.map(({ outcome }) => outcome));
  let outcome = WORST.find((each) => outcomes.has(each)) ?? 'verified';
  // What the answer refused may be something that no field shows.
  if (hasErrorsInside(end) && outcome === 'verified') outcome = refused;
  return { integration: { ...integration, changes, outcome }, fields, detail };
}

function outcomeOf(
  { end, shown }: WrittenField,
  refused: 'blocked' | 'failed',
): Outcome {
  const outcome = OUTCOME_OF[end][shown];
  // Nobody refused what was only not taken.
  const isRefused = outcome === 'failed' && end !== 'not-taken';
  return isRefused ? refused : outcome;
}

/** Finds how the request of each change ended, and what a reading shows of it. */
function writtenFields(
  { changes }: IntegrationPlan,
  end: SentEnd,
  reading: Reading,
): WrittenField[] {
  if (typeof reading === 'string') {
    return changes.map((change) => {
      const answer = answerTo(change, end);
      return { change, end: answer, shown: 'unread', now: undefined };
    });
  }
  const fields = reading.map((field) => {
    return { ...field, answer: answerTo(field.change, end) };
  });
  const isInPart = fields.some(
    ({ answer, standing }) => answer === 'refused' && standing === 'planned',
  );
  // Only a reading proves that nothing was written.
  const isTaken = fields.some((field) => {
    const isUnmoved = field.standing === 'unmoved' && !readsEmpty(field);
    return field.answer === 'unclear' && !isUnmoved;
  });
  return fields.map((field) => {
    const { change, standing, now, answer } = field;
    let ended: RequestEnd = answer;
    if (answer === 'refused' && isInPart) ended = 'in-part';
    if (answer === 'unclear' && !isTaken) ended = 'not-taken';
    let shown: Shown = 'off-plan';
    if (standing === 'planned' || standing === 'hidden') shown = standing;
    if (ended !== 'refused' && readsEmpty(field)) shown = 'hidden';
    return { change, end: ended, shown, now };
  });
}

/** Finds how the request that carried a change was answered. */
function answerTo(
  change: Change,
  end: SentEnd,
): 'accepted' | 'refused' | 'unclear' {
  if (end.kind === 'acknowledged') return 'accepted';
  if (end.accepted?.includes(change)) return 'accepted';
  if (end.unsent?.includes(change)) return 'refused';
  return hasErrorsInside(end) ? 'unclear' : end.kind;
}

/** Whether a good answer held errors: they say nothing of the rest of it. */
function hasErrorsInside(end: SentEnd): boolean {
  return end.kind === 'refused' && end.mayBePart === true;
}

/** In what a change that was accepted is not as planned. */
function otherReason(field: WrittenField): string {
  if (field.now === undefined) return 'the server has it no more';
  const [held] = toldApart([heldText(field), plannedText(field)]);
  return `the server holds ${held}`;
}

/**
 * Why a change failed or is unknown, in the words of the server if it has any:
 * first those about this change, then those about none.
 */
function failureReason(change: Change, end: SentEnd, detail: string): string {
  const reasons = end.kind === 'refused' ? (end.reasons ?? []) : [];
  const { place } = change.comparison.setting;
  const byPlace = grouped(reasons, (reason) => reason.place);
  const nearest = byPlace.get(place) ?? byPlace.get(undefined) ?? reasons;
  const texts = nearest.map(({ text }) => text);
  return withoutPeriod(texts.length === 0 ? detail : texts.join('; '));
}

function withoutPeriod(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

/** Finds what is no longer as planned, or does not hold what was written. */
function movedIn({ integration, fields }: Judged): Diagnostic[] {
  const { name, end, outcome, changes } = integration;
  if (end?.kind === 'stale') {
    const { moved, became } = end;
    const addresses = new Set(moved.map(({ address }) => address));
    const known = changes.filter((change) => addresses.has(addressIn(change)));
    const places = placesIn(known);
    const facts = { integration: name, moved, became };
    return [withPlaces(diagnostic('stale', facts, places[0]), places)];
  }
  if (outcome !== 'not-converged') return [];
  const off = fields.filter(({ shown }) => shown === 'off-plan');
  const held = off.map((field) => ({
    address: addressIn(field.change),
    planned: plannedText(field),
    held: heldText(field),
  }));
  const places = placesIn(off.map(({ change }) => change));
  const facts = { integration: name, held };
  return [withPlaces(diagnostic('not-converged', facts, places[0]), places)];
}

/** Warns of secrets that were accepted and read back empty. */
function emptySecrets(fields: readonly WrittenField[]): Diagnostic[] {
  const empty: Comparison[] = [];
  for (const { change, end, shown, now } of fields) {
    const isEmpty = shown === 'hidden' && now?.before.kind === 'unset';
    if (end === 'accepted' && isEmpty) empty.push(change.comparison);
  }
  if (empty.length === 0) return [];
  const facts = { ...aboutCompared(empty), isSent: true };
  return [withPlaces(diagnostic('hides-secrets', facts), placesOf(empty))];
}

/** One finding for all that was not attempted: after an interruption it can be nearly everything. */
function notAttempted(integrations: readonly IntegrationPlan[]): Diagnostic[] {
  const open = integrations.filter((each) => each.outcome === 'not-attempted');
  if (open.length === 0) return [];
  const facts = { integrations: open.map(({ name }) => name) };
  const places = placesIn(open.flatMap(({ changes }) => changes));
  return [withPlaces(diagnostic('not-attempted', facts), places)];
}

/** One finding for each reason for which an undo leaves fields alone. */
function keptFindings(integrations: readonly IntegrationPlan[]): Diagnostic[] {
  const kept = integrations.flatMap((integration) => integration.kept ?? []);
  const findings: Diagnostic[] = [];
  for (const [reason, fields] of grouped(kept, ({ because }) => because)) {
    const about = aboutAll(fields);
    const finding =
      reason === 'moved' || reason === 'gone'
        ? diagnostic('stale', { ...about, kept: reason })
        : diagnostic('not-attempted', { ...about, kept: reason });
    const places = fields.map(({ change }) => sourceOf(change));
    findings.push(withPlaces(finding, places));
  }
  return findings;
}

function addressIn({ comparison }: Change): string {
  return addressOf(comparison.subject);
}

function placesIn(changes: readonly Change[]): Place[] {
  return placesOf(changes.map(({ comparison }) => comparison));
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
function failuresOf({ integration, fields, detail }: Judged): FailureCause[] {
  const { name, changes, outcome, end } = integration;
  const isUnknown = outcome === 'unknown';
  if (!isUnknown && outcome !== 'failed' && outcome !== 'blocked') return [];
  const open = fields.filter(isOpen).map(({ change }) => change);
  const done = fields.filter(({ shown }) => shown === 'planned');
  const taken = isUnknown ? [] : done.map(({ change }) => addressIn(change));
  const refusal = end?.kind === 'refused' ? end : undefined;
  const isForbidden = refusal?.forbidden === true && taken.length === 0;
  const refused = isForbidden ? 'not-permitted' : 'apply-failed';
  const code = isUnknown ? 'apply-unknown' : refused;
  const places = placesIn(open.length > 0 ? open : changes);
  // Only one change can be the cause, or nobody knows which.
  const isCertain = isUnknown || changes.length === 1 || open.length === 1;
  const place = isCertain ? places[0] : undefined;
  const cause = { name, code, taken, place, places } as const;
  const reasons = refusal?.reasons ?? [];
  if (reasons.length === 0) {
    return [{ ...cause, detail: code === 'not-permitted' ? '' : detail }];
  }
  return reasons.map(({ text, place: own }) => {
    const at = own === undefined ? {} : { place: own, places: [own] };
    return { ...cause, detail: text, ...at };
  });
}

/** Whether a request that failed left a change open. */
function isOpen({ end, shown }: WrittenField): boolean {
  return end !== 'accepted' && shown === 'off-plan';
}

/** One finding for all integrations that failed for one reason; each that changed in part has its own. */
function failureFindings(causes: readonly FailureCause[]): Diagnostic[] {
  // What was taken names its integration.
  const groups = grouped(causes, ({ code, detail, taken }) =>
    JSON.stringify([code, detail, taken]),
  );
  return [...groups.values()].map((alike) => {
    const [{ code, detail, taken, place }] = alike;
    const integrations = [...new Set(alike.map(({ name }) => name))];
    const facts = { integrations, detail };
    let finding = diagnostic('apply-unknown', facts, place);
    if (code === 'apply-failed') {
      finding = diagnostic(code, { ...facts, taken }, place);
    } else if (code === 'not-permitted') {
      finding = diagnostic(code, { ...facts, request: 'PATCH' }, place);
    }
    return withPlaces(
      finding,
      alike.flatMap(({ places }) => places),
    );
  });
}

function plannedText({ change: { comparison } }: WrittenField): string {
  return sideText(comparison.after, comparison);
}

/** What the server holds of a field instead of what was planned, in words; of a secret only whether it is another one. */
function heldText({ change, now }: WrittenField): string {
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
