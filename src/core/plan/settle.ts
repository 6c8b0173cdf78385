import type { LiveIntegration, LiveValue } from '../model/live.ts';
import { isMask } from '../model/secrecy.ts';
import { canonicalText, equalValues, type OptionValue } from '../model/value.ts';
import type { Change, IntegrationPlan, PermissionChange, ServerPlan, ValueChange } from './plan.ts';
import type { Fingerprint } from './withheld.ts';

/**
 * Where a planned change stands on the server: still as it was planned from, already as it is meant to be, something else,
 * or not told by the server.
 */
export type ChangeState = 'before' | 'after' | 'other' | 'untold';

/** Where each planned change of an integration stands, by address; everything is `other` where the integration is gone. */
export function statesOf(
  planned: IntegrationPlan,
  live: LiveIntegration | undefined,
  fingerprint: Fingerprint,
): ReadonlyMap<string, ChangeState> {
  return new Map(
    planned.changes.map((change) => [
      change.address,
      live === undefined ? 'other' : stateOf(change, live, fingerprint),
    ]),
  );
}

/**
 * The integrations of a plan that hold all of it already, by id: an earlier apply of the same plan came so far. A secret
 * that the server does not show since counts with what it shows.
 */
export function settledIn(
  plan: ServerPlan,
  live: ReadonlyMap<string, LiveIntegration>,
  fingerprint: Fingerprint,
): ReadonlySet<string> {
  const settled = plan.integrations.filter((planned) => {
    const states = statesOf(planned, live.get(planned.id), fingerprint);
    const isDone = ({ address, sensitive }: Change) =>
      states.get(address) === 'after' || (sensitive && states.get(address) === 'untold');
    return planned.changes.every(isDone) && [...states.values()].includes('after');
  });
  return new Set(settled.map(({ id }) => id));
}

function stateOf(change: Change, live: LiveIntegration, fingerprint: Fingerprint): ChangeState {
  if (change.field === 'autosubscribe') return stateAmong(live.autosubscribe, change.before, change.after);
  const option = live.options.get(change.option);
  if (option === undefined) return live.optionKeys.includes(change.option) ? 'untold' : 'other';
  if (change.field === 'permission') return permissionState(change, option.permission);
  if (option.value.kind === 'unreadable') return 'untold';
  const state = valueState(
    change,
    option.value.kind === 'empty' ? undefined : option.value.value,
    fingerprint,
  );
  // What was read when it was planned may look like a mask and be none; a mask is never taken for a value.
  const isTold = state !== 'other' && change.unreadable !== true;
  return !isTold && isMaskedSecret(change, option.value) ? 'untold' : state;
}

/** A masked secret whose type is not served looks like a text. */
function isMaskedSecret({ sensitive }: ValueChange, value: LiveValue): boolean {
  return sensitive && value.kind === 'readable' && typeof value.value === 'string' && isMask(value.value);
}

function permissionState(change: PermissionChange, live: PermissionChange['before']): ChangeState {
  return stateAmong(live === 'unknown' ? undefined : live, change.before, change.after);
}

function stateAmong<T>(live: T | undefined, before: T, after: T): ChangeState {
  if (live === undefined) return 'untold';
  if (live === after) return 'after';
  return live === before ? 'before' : 'other';
}

function valueState(
  change: ValueChange,
  live: OptionValue | undefined,
  fingerprint: Fingerprint,
): ChangeState {
  if (change.sensitive) return sensitiveState(change, live, fingerprint);
  if (holds(live, change.after)) return 'after';
  return holds(live, change.before) ? 'before' : 'other';
}

function sensitiveState(
  change: ValueChange,
  live: OptionValue | undefined,
  fingerprint: Fingerprint,
): ChangeState {
  const found = live === undefined ? undefined : fingerprint(change.address, live);
  if (found !== undefined && found === change.fingerprint) return 'after';
  const held = live === undefined || canonicalText(live) === '' ? undefined : found;
  return held === change.beforeFingerprint ? 'before' : 'other';
}

/** Nothing and the empty text are the same here, as they are in a plan. */
function holds(live: OptionValue | undefined, value: OptionValue | null): boolean {
  if (value === null || live === undefined)
    return [live, value].every((side) => side === undefined || side === null || canonicalText(side) === '');
  return equalValues(live, value);
}
