import { aboutAll } from '../findings/about.ts';
import { BECAME } from '../findings/apply.ts';
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

/** How the server answered the request of a change. An answer that proves to be untrue is `unclear`. */
type Answer = 'accepted' | 'refused' | 'unclear';

/** What a reading shows of a field. A secret that reads empty is `hidden`. */
type Shown = 'planned' | 'off-plan' | 'hidden' | 'unread';

/** What became of a change, by the answer to its request and what a reading shows. */
const OUTCOME_OF: Readonly<Record<Answer, Readonly<Record<Shown, Outcome>>>> = {
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
  unclear: {
    planned: 'verified',
    'off-plan': 'unknown',
    hidden: 'unknown',
    unread: 'unknown',
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

/** Outcomes of an integration or a change that has a cause. */
const FAILED: ReadonlySet<Outcome | undefined> = new Set([
  'unknown',
  'failed',
  'blocked',
] as const);

/** An integration with its outcome. */
interface Judged {
  readonly integration: IntegrationPlan;
  /** The secrets that were accepted and read back empty. */
  readonly empty: readonly ProvenField[];
  /** Why it could not be written or read. */
  readonly detail: string;
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
      ...integrations.flatMap(movedIn),
      ...judged.flatMap(failuresOf),
      ...emptySecrets(judged.flatMap(({ empty }) => empty)),
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
  return { integration: judged, empty: [], detail: '' };
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
  if (end.became !== undefined) return BECAME[end.became];
  const moved = end.moved.find((field) => field.address === address);
  if (moved === undefined) return 'another field of it moved since the plan';
  const where =
    moved.by === 'server' ? 'on the server' : 'in the configuration';
  return `moved ${where} since the plan`;
}

/** Judges an integration by the answers of the server and by what was read of it. */
function judgeSent(
  integration: IntegrationPlan,
  end: SentEnd,
  reading: Reading,
): Judged {
  const ofEnd = end.kind === 'acknowledged' ? '' : end.detail;
  const detail = ofEnd || (typeof reading === 'string' ? reading : '');
  const isBlocked = integration.blocked && end.kind === 'refused';
  const failed = isBlocked ? 'blocked' : 'failed';
  const fields = provenFields(integration, end, reading);
  const changes = fields.map(({ change, now, answer, shown }): Change => {
    const byTable = OUTCOME_OF[answer][shown];
    const outcome = byTable === 'failed' ? failed : byTable;
    let reason: string | undefined;
    if (outcome === 'not-converged') reason = otherReason(change, now);
    if (FAILED.has(outcome)) reason = failureReason(change, end, detail);
    const isOpen = outcome === 'failed' && end.kind === 'unclear';
    return { ...change, outcome, reason, maybeWritten: isOpen || undefined };
  });
  const outcomes = new Set(changes.map(({ outcome }) => outcome));
  let outcome = WORST.find((each) => outcomes.has(each)) ?? 'verified';
  // What the answer refused may be something that no field shows.
  if (hasErrorsInside(end) && outcome === 'verified') outcome = failed;
  const judged = { ...integration, changes, outcome };
  return { integration: judged, empty: fields.filter(isEmptySecret), detail };
}

/** Whether a secret was accepted and reads back empty. */
function isEmptySecret({ answer, shown, now }: ProvenField): boolean {
  if (answer !== 'accepted' || shown !== 'hidden') return false;
  return now?.before.kind === 'unset';
}

/** A change, the answer to its request, and what a reading shows of it. */
interface ProvenField {
  readonly change: Change;
  /** The field as it is; undefined if it is gone, or was not read. */
  readonly now: Comparison | undefined;
  readonly answer: Answer;
  readonly shown: Shown;
}

/** Corrects the answer to each change by what a reading proves. */
function provenFields(
  { changes }: IntegrationPlan,
  end: SentEnd,
  reading: Reading,
): ProvenField[] {
  if (typeof reading === 'string') {
    return changes.map((change) => {
      const answer = answerTo(change, end);
      return { change, now: undefined, answer, shown: 'unread' };
    });
  }
  const fields = reading.map((field) => {
    const { change, now, standing } = field;
    const shown = shownOf(field);
    const isUnmoved = standing === 'unmoved' && shown === 'off-plan';
    return { change, now, shown, isUnmoved, answer: answerTo(change, end) };
  });
  // A part of a request took, although it was refused.
  const isInPart = fields.some(
    ({ answer, shown }) => answer === 'refused' && shown === 'planned',
  );
  // Only a reading of all proves that nothing was written.
  const isUntaken = fields.every(
    ({ answer, isUnmoved }) => answer !== 'unclear' || isUnmoved,
  );
  return fields.map((field): ProvenField => {
    const { answer, shown } = field;
    if (answer === 'unclear' && isUntaken) {
      return { ...field, answer: 'refused' };
    }
    if (answer === 'refused' && isInPart && shown === 'hidden') {
      return { ...field, answer: 'unclear' };
    }
    return field;
  });
}

function shownOf(field: Rechecked): Shown {
  const { standing } = field;
  if (standing === 'planned' || standing === 'hidden') return standing;
  return readsEmpty(field) ? 'hidden' : 'off-plan';
}

/** Finds how the request that carried a change was answered. */
function answerTo(change: Change, end: SentEnd): Answer {
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
function otherReason(change: Change, now: Comparison | undefined): string {
  if (now === undefined) return 'the server has it no more';
  const { comparison } = change;
  const { after } = comparison;
  const [held] = toldApart([
    heldText(change, now),
    sideText(after, comparison),
  ]);
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
function movedIn(integration: IntegrationPlan): Diagnostic[] {
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
  const off = changes.filter((change) => change.outcome === outcome);
  const places = placesIn(off);
  const facts = aboutCompared(off.map(({ comparison }) => comparison));
  return [withPlaces(diagnostic('not-converged', facts, places[0]), places)];
}

/** Warns of secrets that were accepted and read back empty. */
function emptySecrets(fields: readonly ProvenField[]): Diagnostic[] {
  if (fields.length === 0) return [];
  const empty = fields.map(({ change }) => change.comparison);
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

/** Finds why an integration failed or is unknown, and what was changed in spite of it: once for each reason that the server gave. */
function failuresOf({ integration, detail }: Judged): Diagnostic[] {
  const { name, changes, outcome, end } = integration;
  if (!FAILED.has(outcome)) return [];
  const isUnknown = outcome === 'unknown';
  const done = changes.filter((change) => change.outcome === 'verified');
  const open = changes.filter((change) => FAILED.has(change.outcome));
  const taken = done.map(addressIn);
  const refusal = end?.kind === 'refused' ? end : undefined;
  const isForbidden = refusal?.forbidden === true && taken.length === 0;
  const all = placesIn(open.length > 0 ? open : changes);
  // Nobody knows which one caused it.
  const only = isUnknown || all.length === 1 ? all[0] : undefined;
  const unnamed = { text: isForbidden ? '' : detail, place: undefined };
  const named = refusal?.reasons ?? [];
  const reasons = named.length === 0 ? [unnamed] : named;
  return reasons.map(({ text, place: own }) => {
    const facts = { integrations: [name], detail: text };
    const place = own ?? only;
    let finding = diagnostic('apply-failed', { ...facts, taken }, place);
    if (isUnknown) finding = diagnostic('apply-unknown', facts, place);
    else if (isForbidden) {
      const request = 'PATCH';
      finding = diagnostic('not-permitted', { ...facts, request }, place);
    }
    return withPlaces(finding, own === undefined ? all : [own]);
  });
}

/** What the server holds of a field instead of what was planned, in words; of a secret only whether it is another one. */
function heldText({ comparison: planned }: Change, now: Comparison): string {
  // Once a secret, always a secret.
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
