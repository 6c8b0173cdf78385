import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import { isHidden, reveal } from '../model/secret.ts';
import { canonicalText, isEmpty, sameContent } from '../model/value.ts';
import { diffIntegration } from './diff.ts';
import type {
  Change,
  Field,
  IntegrationPlan,
  Planned,
  ServerPlan,
  WriteEnd,
} from './plan.ts';
import type { Policy } from './risk.ts';

/** An integration with its outcome, and what that was judged by. */
type Judged = ReturnType<typeof judgeOne>;

/**
 * Judges each integration by how its writing ended and by what the server then holds: `readBack` has by id each one that was sent
 * as it was read afterwards, or why it was not; one that is gone is missing. Finds what is not as desired.
 */
export function judge(
  plan: ServerPlan,
  readBack: ReadonlyMap<string, LiveIntegration | string>,
): Planned {
  const all = plan.integrations.map((each) =>
    judgeOne(each, readBack.get(each.id)),
  );
  const integrations = all.map(({ integration }) => integration);
  const empty = all.flatMap(({ states }) =>
    states.filter(({ state }) => state === 'empty'),
  );
  const left = integrations.filter(
    ({ outcome }) => outcome === 'not-attempted',
  );
  const notes: Diagnostic[] = [];
  if (empty.length > 0) {
    const addresses = empty.map(({ change }) => change.address);
    const found = diagnostic('hides-secrets', { addresses, isSent: true });
    notes.push(
      withPlaces(
        found,
        empty.map(({ change }) => change.setting.place),
      ),
    );
  }
  // After an interruption it can be nearly everything.
  if (left.length > 0) {
    const names = left.map(({ name }) => name);
    const found = diagnostic('not-attempted', { integrations: names });
    notes.push(withPlaces(found, left.flatMap(placesOf)));
  }
  return {
    plan: { ...plan, integrations },
    diagnostics: [
      ...all.flatMap(movedIn),
      ...failureFindings(all.flatMap(failuresOf)),
      ...notes,
    ],
  };
}

/** Where the changes of an integration are declared. */
function placesOf({ changes }: IntegrationPlan): Place[] {
  return changes.map(({ setting }) => setting.place);
}

function judgeOne(
  integration: IntegrationPlan,
  read: LiveIntegration | string | undefined,
) {
  const { end } = integration;
  if (end === undefined) return { integration, states: [], detail: '' };
  const isAcknowledged = end.kind === 'acknowledged';
  const compared =
    typeof read === 'string' ? undefined : compareAgain(integration, read);
  // A secret that was accepted, or may have been, and reads back empty is not shown.
  const unseen: Compared['state'] = isAcknowledged ? 'empty' : 'hidden';
  const states = compared?.map((each) =>
    end.kind !== 'refused' && readsEmpty(each)
      ? { ...each, state: unseen }
      : each,
  );
  const outcome = outcomeOf(integration, end, states);
  // One that is not shown does not make others of its integration unverified.
  const hidden = isAcknowledged ? 'sent' : outcome;
  const outcomes = {
    planned: 'verified',
    hidden,
    empty: hidden,
    unmoved: outcome,
    other: outcome,
  } as const;
  const changes = states?.map(({ change, state }) => ({
    ...change,
    outcome: outcomes[state],
  }));
  return {
    integration: {
      ...integration,
      outcome,
      changes: changes ?? integration.changes,
    },
    states: states ?? [],
    /** Why it could not be written or read. */
    detail: 'detail' in end ? end.detail : typeof read === 'string' ? read : '',
  };
}

function readsEmpty(compared: Compared): boolean {
  const { change, now } = compared;
  return isOpen(compared) && isHidden(change.after) && now?.before === null;
}

/** Whether another reading may tell more of an integration: it was not read, or does not show what may have been written. */
export function isUnsettled(
  integration: IntegrationPlan,
  read: LiveIntegration | string | undefined,
): boolean {
  if (typeof read === 'string') return true;
  const { end } = integration;
  const mayHold = end?.kind === 'acknowledged' || end?.kind === 'unclear';
  return mayHold && compareAgain(integration, read).some(isOpen);
}

/** `states` is what was read afterwards; absent if that failed. */
function outcomeOf(
  { blocked }: IntegrationPlan,
  written: WriteEnd,
  states: readonly Compared[] | undefined,
): NonNullable<IntegrationPlan['outcome']> {
  if (written.kind === 'stale' || written.kind === 'not-attempted')
    return written.kind;
  if (written.kind === 'done') return 'verified';
  const refusal = blocked ? 'blocked' : 'failed';
  if (states === undefined)
    return isSurelyRefused(written) ? refusal : 'unknown';
  const isAccepted = written.kind === 'refused' && written.accepted === true;
  if (!isAccepted && states.every(({ state }) => state === 'planned'))
    return 'verified';
  if (written.kind === 'acknowledged')
    return states.some(isOpen) ? 'not-converged' : 'sent';
  if (written.kind === 'refused') return refusal;
  return states.some(({ state }) => state === 'hidden') ? 'unknown' : 'failed';
}

/** Whether nothing was written, without a reading that shows it. */
function isSurelyRefused(written: WriteEnd): boolean {
  return written.kind === 'refused' && written.isPartial !== true;
}

/** Finds what is no longer as planned, or does not hold what was written. */
function movedIn({
  integration: { name: integration, changes, outcome, end },
  states,
}: Judged): Diagnostic[] {
  if (end?.kind === 'stale') {
    const { moved, became } = end;
    const places: Place[] = [];
    for (const { address, setting } of changes)
      if (moved.some((each) => each.address === address))
        places.push(setting.place);
    const found = diagnostic(
      'stale',
      { integration, moved, became },
      places[0],
    );
    return [withPlaces(found, places)];
  }
  if (outcome !== 'not-converged') return [];
  const open = states.filter(isOpen);
  const held = open.map((each) => {
    const { address, after } = each.change;
    return {
      address,
      planned: sideText(each.change, after),
      held: heldText(each),
    };
  });
  const places = open.map(({ change }) => change.setting.place);
  const found = diagnostic('not-converged', { integration, held }, places[0]);
  return [withPlaces(found, places)];
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
function failuresOf({
  integration: { name, changes, outcome, end },
  states,
  detail,
}: Judged): FailureCause[] {
  const isUnknown = outcome === 'unknown';
  if (!isUnknown && outcome !== 'failed' && outcome !== 'blocked') return [];
  const taken = states.flatMap(({ change, state }) =>
    state === 'planned' && !isUnknown ? change.address : [],
  );
  const { reasons = [], forbidden = false } =
    end?.kind === 'refused' ? end : {};
  const refused =
    forbidden && taken.length === 0 ? 'not-permitted' : 'apply-failed';
  const code = isUnknown ? 'apply-unknown' : refused;
  const open = states.filter(isOpen).map(({ change }) => change);
  // Only one change can be the cause, or nobody knows which.
  const isCertain = isUnknown || changes.length === 1 || open.length === 1;
  const place = isCertain ? (open[0] ?? changes[0])?.setting.place : undefined;
  const causes = open.length > 0 ? open : changes;
  const places = causes.map(({ setting }) => setting.place);
  const unsaid = { text: code === 'not-permitted' ? '' : detail, place };
  return (reasons.length > 0 ? reasons : [unsaid]).map((reason) => {
    return {
      name,
      code,
      taken,
      detail: reason.text,
      place: reason.place ?? place,
      places: reason.place === undefined ? places : [reason.place],
    };
  });
}

/** One finding for all integrations that failed for one reason; each that changed in part has its own. */
function failureFindings(all: readonly FailureCause[]): Diagnostic[] {
  const groups = grouped(all, ({ code, detail, taken, name }) =>
    JSON.stringify([code, detail, taken.length === 0 ? '' : name]),
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

/** A planned change, and what the server holds of its field by now. */
interface Compared {
  readonly change: Change;
  /** What it was planned from, what was planned, something else, not shown, or of a secret nothing after it was accepted. */
  readonly state: 'unmoved' | 'planned' | 'other' | 'hidden' | 'empty';
  /** The field as it is; undefined if it is gone. */
  readonly now: Field | undefined;
}

/** Whether a field is not at its planned value, as far as the server shows. */
function isOpen({ state }: Compared): boolean {
  return state === 'unmoved' || state === 'other';
}

/** Diffs the fields of planned changes again. */
export function compareAgain(
  { name, changes }: Pick<IntegrationPlan, 'name' | 'changes'>,
  live: LiveIntegration | undefined,
  policy?: Policy,
): readonly Compared[] {
  const settings = changes.map(({ setting }) => setting);
  const again =
    live &&
    diffIntegration({ name, settings }, live, {
      fateOf: () => 'changed',
      policy,
    });
  const fields = new Map(again?.fields.map((field) => [field.address, field]));
  return changes.map((change) => {
    const now = fields.get(change.address);
    return { change, now, state: stateOf(change, now) };
  });
}

function stateOf(change: Change, now: Field | undefined): Compared['state'] {
  if (now === undefined) return 'other';
  if (now.fate === 'same') return 'planned';
  if (now.unreadable !== undefined) return 'hidden';
  const wasShown = change.unreadable === undefined;
  return wasShown && sameContent(reveal(change.before), reveal(now.before))
    ? 'unmoved'
    : 'other';
}

/** Why nothing is to be written of an integration that was planned a while ago: it is done, or the server moved. */
export function endSince(
  { policy }: ServerPlan,
  integration: IntegrationPlan,
  live: LiveIntegration | undefined,
): WriteEnd | undefined {
  const compared = compareAgain(integration, live, policy);
  if (compared.every(({ state }) => state === 'planned'))
    return { kind: 'done' };
  const moved = compared.flatMap(
    ({ change: { address, risks, unreadable }, state, now }) => {
      const isAtRest =
        state === 'unmoved' || (state === 'hidden' && unreadable !== undefined);
      // All users would see a secret that they did not see when it was planned.
      const isExposed =
        now?.risks.includes('exposes-secret') &&
        !risks.includes('exposes-secret');
      return isAtRest && !isExposed ? [] : [{ address, by: 'server' as const }];
    },
  );
  if (moved.length === 0) return undefined;
  const became =
    live === undefined
      ? ({ kind: 'uninstalled', was: integration.id } as const)
      : undefined;
  return { kind: 'stale', moved, became };
}

/** What the server holds of a field instead of what was planned, in words; of a secret only whether it is another one. */
function heldText({ change, now }: Compared): string {
  if (now === undefined) return 'gone';
  // Once a secret, always a secret.
  const isSecret =
    (isHidden(change.after) || isHidden(now.after)) &&
    !isEmpty(reveal(now.before));
  if (isSecret)
    return change.before === null ? 'a secret' : 'a different secret';
  return sideText(now, now.before);
}

/** One side of a change in words, in full: it is cut when it is shown, after known secrets are removed. */
function sideText({ setting }: Change, side: Change['before']): string {
  if (side !== null && isHidden(side)) return 'a secret';
  if (isEmpty(side)) return 'nothing';
  return setting.field === 'value' && typeof side === 'string'
    ? JSON.stringify(side)
    : canonicalText(side);
}
