import type { LiveIntegration, LiveValue } from '../model/live.ts';
import { isMask } from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { isEmpty, type OptionValue, sameContent } from '../model/value.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { Change, IntegrationPlan, PermissionChange, ValueChange } from './plan.ts';

/** What a server holds of a planned change: what it was planned from, what was planned, something else, or what it hides. */
export type ChangeState = 'before' | 'after' | 'other' | 'untold';

/** A planned change, its state, and what is live where the integration is still there. */
export interface FieldState {
  readonly change: Change;
  readonly state: ChangeState;
  readonly live: LiveIntegration | undefined;
}

/** The state of each planned change of an integration; `other` throughout where the integration is gone. */
export function statesOf(
  { changes }: IntegrationPlan,
  live: LiveIntegration | undefined,
  fingerprint: Fingerprint,
): readonly FieldState[] {
  return changes.map((change) => {
    const state = live === undefined ? 'other' : stateOf(change, live, fingerprint);
    return { change, state, live };
  });
}

function stateOf(change: Change, live: LiveIntegration, fingerprint: Fingerprint): ChangeState {
  if (change.field === 'autosubscribe') return stateAmong(live.autosubscribe, change.before, change.after);
  const option = live.options.get(change.option);
  if (option === undefined) return live.optionKeys.includes(change.option) ? 'untold' : 'other';
  if (change.field === 'permission') return permissionState(change, option.permission);
  if (option.value.kind === 'unreadable') return 'untold';
  const state = valueState(change, option.value.kind === 'empty' ? null : option.value.value, fingerprint);
  // What was read when it was planned may look like a mask and be none; a mask is never taken for a value.
  const isTold = state !== 'other' && !wasUnreadable(change);
  return !isTold && isMaskedSecret(change, option.value) ? 'untold' : state;
}

/** Whether the live value could not be read when a change was planned. */
export function wasUnreadable<H>(change: Change<H>): boolean {
  return change.field === 'value' && change.sensitive && change.unreadable === true;
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

function valueState(change: ValueChange, live: OptionValue | null, fingerprint: Fingerprint): ChangeState {
  if (sameContent(live, reveal(change.after))) return 'after';
  if (!change.sensitive) return sameContent(live, change.before) ? 'before' : 'other';
  const found = isEmpty(live) ? undefined : fingerprint(change.address, live);
  return found === change.beforeFingerprint ? 'before' : 'other';
}
