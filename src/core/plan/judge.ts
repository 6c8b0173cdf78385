import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { present } from '../model/json.ts';
import { toldApart } from '../model/look-alike.ts';
import { contentOf, type Side } from '../model/side.ts';
import { addressOf } from '../model/subject.ts';
import { canonicalText, isEmpty } from '../model/value.ts';
import {
  aboutCompared,
  type Comparison,
  isShownAsSecret,
  placesOf,
} from './compare.ts';
import type { Outcome } from './outcome.ts';
import {
  type AttemptedEnd,
  type Change,
  comparisonsOf,
  type IntegrationPlan,
  isAttempted,
  type Planned,
  type RefusalReason,
  type ServerPlan,
  type UnattemptedEnd,
} from './plan.ts';
import {
  isOffPlan,
  provenStanding,
  type Rechecked,
  type Standing,
} from './recheck.ts';

/**
 * What was read of an integration after writing: its changes compared again, or
 * why it was not read.
 */
export type ReadBack = readonly Rechecked[] | string;

/**
 * How the server answered the request of a change. An answer that proves to be
 * untrue is `unclear`.
 */
type Answer = 'accepted' | 'refused' | 'unclear';

/** What a reading proves of a field. */
type Shown = Standing | 'unread';

/**
 * What became of a change, by the answer to its request and what a reading
 * shows.
 */
const OUTCOME_OF: Readonly<Record<Answer, Readonly<Record<Shown, Outcome>>>> = {
  accepted: {
    planned: 'verified',
    unmoved: 'not-converged',
    other: 'not-converged',
    hidden: 'sent',
    unread: 'unknown',
  },
  refused: {
    planned: 'verified',
    unmoved: 'failed',
    other: 'failed',
    hidden: 'failed',
    unread: 'failed',
  },
  unclear: {
    planned: 'verified',
    unmoved: 'unknown',
    other: 'unknown',
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

/** Outcomes that findings explain, in the words of the server if it has any. */
const EXPLAINED: ReadonlySet<Outcome | undefined> = new Set([
  'unknown',
  'failed',
  'blocked',
] as const);

/** An integration with its outcome, and what was found. */
interface Judged {
  integration: IntegrationPlan;
  findings: readonly Diagnostic[];
  /** The secrets that were accepted and read back empty. */
  empty: readonly Comparison[];
}

/**
 * Judges each integration by how its writing ended and by what the server then
 * holds. Finds what is not as desired. `readBack` has the reading of each of
 * which something was sent, by its id.
 */
export function judge(
  plan: ServerPlan,
  readBack: ReadonlyMap<string, ReadBack>,
): Planned {
  const judged = plan.integrations.map((integration): Judged => {
    const { end, id } = integration;
    if (isAttempted(end)) {
      const reading = readBack.get(id) ?? 'it was not read back';
      return judgeAttempted(integration, end, reading);
    }
    if (end !== undefined) return judgeUnattempted(integration, end);
    return { integration, findings: [], empty: [] };
  });
  const integrations = judged.map(({ integration }) => integration);
  const diagnostics = judged.flatMap(({ findings }) => findings);
  const empty = judged.flatMap((each) => each.empty);
  if (empty.length > 0) {
    const facts = { ...aboutCompared(empty), isSent: true };
    const finding = diagnostic('hides-secrets', facts);
    diagnostics.push(withPlaces(finding, placesOf(empty)));
  }
  diagnostics.push(...notAttempted(integrations));
  return { plan: { ...plan, integrations }, diagnostics };
}

/**
 * Whether another reading may tell more of an integration: it was not read, or
 * does not show what may have been written.
 */
export function isUnsettled(
  { end }: IntegrationPlan,
  reading: ReadBack | undefined,
): boolean {
  if (reading === undefined || typeof reading === 'string') return true;
  if (end?.kind !== 'acknowledged' && end?.kind !== 'unclear') return false;
  return reading.some(isOffPlan);
}

/** Judges an integration of which nothing was tried. */
function judgeUnattempted(
  integration: IntegrationPlan,
  end: UnattemptedEnd,
): Judged {
  const { name, place } = integration;
  const findings: Diagnostic[] = [];
  let outcome: Outcome = 'verified';
  let reason: string | undefined;
  if (end.kind === 'not-attempted') {
    outcome = end.kind;
    reason = withoutPeriod(end.detail);
  } else if (end.kind === 'stale') {
    const { moved, detail } = end;
    outcome = end.kind;
    reason = detail ?? 'it moved since the plan';
    const facts = { integration: name, moved, detail };
    findings.push(diagnostic('stale', facts, place));
  }
  const changes = integration.changes.map((change) => {
    return { ...change, outcome, reason };
  });
  const lost = integration.lost?.map((change) => {
    return { ...change, ...present({ reason }) };
  });
  const own = { ...integration, changes, lost, outcome };
  return { integration: own, findings, empty: [] };
}

/**
 * Judges an integration by the answers of the server and by what was read of
 * it.
 */
function judgeAttempted(
  integration: IntegrationPlan,
  end: AttemptedEnd,
  reading: ReadBack,
): Judged {
  const ofEnd = end.kind === 'acknowledged' ? '' : end.detail;
  const detail = ofEnd || (typeof reading === 'string' ? reading : '');
  const isBlocked = integration.blocked && end.kind === 'refused';
  const failed = isBlocked ? 'blocked' : 'failed';
  const fields = provenFields(integration, end, reading);
  const empty: Comparison[] = [];
  const changes = fields.map(({ change, now, answer, shown }): Change => {
    const byTable = OUTCOME_OF[answer][shown];
    const outcome = byTable === 'failed' ? failed : byTable;
    let reason: string | undefined;
    if (outcome === 'not-converged') reason = otherReason(change, now);
    if (EXPLAINED.has(outcome)) reason = failureReason(change, end, detail);
    // A secret that reads back empty.
    const isEmptySecret = outcome === 'sent' && now?.before.kind === 'unset';
    if (isEmptySecret) empty.push(change.comparison);
    const isOpen = outcome === 'failed' && end.kind === 'unclear';
    return { ...change, outcome, reason, maybeWritten: isOpen || undefined };
  });
  const outcomes = new Set(changes.map(({ outcome }) => outcome));
  let outcome = WORST.find((each) => outcomes.has(each)) ?? 'verified';
  // What the answer refused may be something that no field shows.
  if (hasErrorsInside(end) && outcome === 'verified') outcome = failed;
  const judged = { ...integration, changes, outcome };
  const findings: Diagnostic[] = [];
  if (EXPLAINED.has(outcome)) findings.push(...failuresOf(judged, end, detail));
  if (outcome === 'not-converged') {
    const off = changes.filter((change) => change.outcome === outcome);
    const compared = comparisonsOf(off);
    const finding = diagnostic('not-converged', aboutCompared(compared));
    findings.push(withPlaces(finding, placesOf(compared)));
  }
  return { integration: judged, findings, empty };
}

/** A change, the answer to its request, and what a reading shows of it. */
interface ProvenField {
  change: Change;
  /** The field as it is; undefined if it is gone, or was not read. */
  now: Comparison | undefined;
  answer: Answer;
  shown: Shown;
}

/** Corrects the answer to each change by what a reading proves. */
function provenFields(
  { changes }: IntegrationPlan,
  end: AttemptedEnd,
  reading: ReadBack,
): ProvenField[] {
  if (typeof reading === 'string') {
    return changes.map((change) => {
      const answer = answerTo(change, end);
      return { change, now: undefined, answer, shown: 'unread' };
    });
  }
  const fields = reading.map((field) => {
    const { change, now } = field;
    const shown = provenStanding(field);
    return { change, now, shown, answer: answerTo(change, end) };
  });
  // A part of a request took, although it was refused.
  const isInPart = fields.some(
    ({ answer, shown }) => answer === 'refused' && shown === 'planned',
  );
  // Only a reading of all proves that nothing was written.
  const isUntaken = fields.every(
    ({ answer, shown }) => answer !== 'unclear' || shown === 'unmoved',
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

/** Finds how the request that carried a change was answered. */
function answerTo(change: Change, end: AttemptedEnd): Answer {
  if (end.kind === 'acknowledged') return 'accepted';
  if (end.accepted?.includes(change)) return 'accepted';
  if (end.unsent?.includes(change)) return 'refused';
  return hasErrorsInside(end) ? 'unclear' : end.kind;
}

/** Whether a good answer held errors: they say nothing of the rest of it. */
function hasErrorsInside(end: AttemptedEnd): boolean {
  return end.kind === 'refused' && end.mayBePart === true;
}

/**
 * In what a change that was accepted is not as planned; it is cut when it is
 * shown, after known secrets are removed.
 */
function otherReason(change: Change, now: Comparison | undefined): string {
  if (now === undefined) return 'the server has it no more';
  const { comparison } = change;
  if (isEmpty(contentOf(now.before))) return 'the server holds nothing';
  // Once a secret, always a secret.
  if (isShownAsSecret(comparison) || isShownAsSecret(now)) {
    return 'the server holds a different secret';
  }
  const texts = [sideText(now.before, now), sideText(comparison.after, now)];
  return `the server holds ${toldApart(texts)[0]}`;
}

/** One side of a field in words. */
function sideText(side: Side, { setting }: Comparison): string {
  const value = contentOf(side);
  if (isEmpty(value)) return 'nothing';
  const isText = setting.kind === 'value' && typeof value === 'string';
  return isText ? JSON.stringify(value) : canonicalText(value);
}

/**
 * Why a change failed or is unknown: in the words of the server about it or
 * about none, else in all that it has.
 */
function failureReason(
  change: Change,
  end: AttemptedEnd,
  detail: string,
): string {
  const reasons = reasonsIn(end);
  const { place } = change.comparison.setting;
  const own = reasons.filter((reason) => {
    return reason.place === undefined || reason.place === place;
  });
  const texts = (own.length > 0 ? own : reasons).map(({ text }) => text);
  return withoutPeriod(texts.join('; ') || detail);
}

function reasonsIn(end: AttemptedEnd): readonly RefusalReason[] {
  return end.kind === 'refused' ? (end.reasons ?? []) : [];
}

function withoutPeriod(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

/**
 * Finds why an integration failed or is unknown, and what was changed in spite
 * of it: once for each reason that the server gave.
 */
function failuresOf(
  { name, changes, outcome }: IntegrationPlan,
  end: AttemptedEnd,
  detail: string,
): Diagnostic[] {
  const done = changes.filter((change) => change.outcome === 'verified');
  const open = changes.filter((change) => EXPLAINED.has(change.outcome));
  const taken = done.map(({ comparison }) => addressOf(comparison.subject));
  const isForbidden =
    end.kind === 'refused' && end.forbidden === true && done.length === 0;
  const places = placesOf(comparisonsOf(open.length > 0 ? open : changes));
  const reasons = [...reasonsIn(end)];
  if (reasons.length === 0) reasons.push({ text: isForbidden ? '' : detail });
  return reasons.map(({ text, place }) => {
    const facts = { integrations: [name], detail: text };
    let finding = diagnostic('apply-failed', { ...facts, taken });
    if (outcome === 'unknown') finding = diagnostic('apply-unknown', facts);
    else if (isForbidden) {
      finding = diagnostic('not-permitted', { ...facts, request: 'PATCH' });
    }
    // The server need not say which one caused it.
    return withPlaces(finding, place === undefined ? places : [place]);
  });
}

/**
 * One finding for all that was not attempted: after an interruption it can be
 * nearly everything.
 */
function notAttempted(integrations: readonly IntegrationPlan[]): Diagnostic[] {
  const open = integrations.filter((each) => each.outcome === 'not-attempted');
  if (open.length === 0) return [];
  const facts = { integrations: open.map(({ name }) => name) };
  const places = open.flatMap(({ place }) => place ?? []);
  return [withPlaces(diagnostic('not-attempted', facts), places)];
}
