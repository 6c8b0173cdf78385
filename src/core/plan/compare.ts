import type { Moved } from '../findings/apply.ts';
import type { LiveIntegration } from '../model/live.ts';
import { fieldAddress } from '../model/place.ts';
import { isHidden, reveal } from '../model/secret.ts';
import { canonicalText, isEmpty, sameContent } from '../model/value.ts';
import { diffIntegration } from './diff.ts';
import type { Change, Field, IntegrationPlan, ServerPlan } from './plan.ts';
import { treatmentOf } from './risk.ts';

/** A planned change, and what the server holds of its field by now. */
export interface Compared {
  readonly change: Change;
  /** What it was planned from, what was planned, something else, or not shown. */
  readonly state: 'unmoved' | 'planned' | 'other' | 'hidden';
  /** The field as it is; undefined if it is gone. */
  readonly now: Field | undefined;
}

/** Whether a field is not at its planned value, as far as the server shows. */
export function isOpen({ state }: Compared): boolean {
  return state === 'unmoved' || state === 'other';
}

/** Diffs the fields of planned changes again. */
export function compareAgain(
  { name, id, changes }: Pick<IntegrationPlan, 'name' | 'id' | 'changes'>,
  live: LiveIntegration | undefined,
): readonly Compared[] {
  const settings = changes.map(({ setting }) => setting);
  const again = live && diffIntegration({ name, id, settings }, live, { fateOf: () => 'changed' });
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
  return wasShown && sameContent(reveal(change.before), reveal(now.before)) ? 'unmoved' : 'other';
}

/** Why nothing is to be written of an integration that was planned a while ago: it is done, or the server moved. */
export function leftSince(
  { policy = {} }: ServerPlan,
  integration: IntegrationPlan,
  live: LiveIntegration | undefined,
): IntegrationPlan['left'] {
  const compared = compareAgain(integration, live);
  if (compared.every(({ state }) => state === 'planned')) return { kind: 'done' };
  const isTold = treatmentOf(policy, 'exposes-secret') !== 'off';
  const moved = compared.flatMap((each) => movedSince(integration.name, each, isTold));
  return moved.length === 0 ? undefined : { kind: 'stale', moved };
}

/** What a field holds that is neither what it was planned from nor still hidden; or that its secret would be shown by now. */
function movedSince(name: string, compared: Compared, isTold: boolean): Moved[] {
  const { change, state, now } = compared;
  const { address, setting, unreadable, risks } = change;
  const isStillHidden = state === 'hidden' && unreadable !== undefined;
  if (state !== 'unmoved' && !isStillHidden) {
    const before = unreadable === undefined ? sideText(change, change.before) : HIDDEN;
    return [{ address, by: 'server', before, now: nowText(compared) }];
  }
  // A secret that users did not see when it was planned.
  const isExposed = now?.risks.includes('exposes-secret') && !risks.includes('exposes-secret');
  if (!isTold || !isExposed || setting.option === undefined) return [];
  const permission = fieldAddress(name, { field: 'permission', option: setting.option });
  return [{ address: permission, by: 'server', before: 'not shown to users', now: 'lock-and-show' }];
}

/** What was planned of the fields that are not there, and what the server holds instead, in words. */
export function heldInstead(states: readonly Compared[]) {
  return states.filter(isOpen).map((each) => {
    const { change } = each;
    return { address: change.address, before: sideText(change, change.after), now: nowText(each) };
  });
}

/** What the server holds of a field, in words; of a secret only whether it is another one. */
function nowText({ change, state, now }: Compared): string {
  if (state === 'planned') return `${sideText(change, change.after)}, as planned`;
  if (state === 'hidden') return HIDDEN;
  if (now === undefined) return 'gone';
  // Once a secret, always a secret.
  const isSecret = (change.sensitive || now.sensitive) && !isEmpty(reveal(now.before));
  if (isSecret) return change.before === null ? 'a secret' : 'a different secret';
  return sideText(now, now.before);
}

/** One side of a change in words, in full: it is cut when it is shown, after known secrets are removed. */
function sideText({ setting }: Change, side: Change['before']): string {
  if (side !== null && isHidden(side)) return 'a secret';
  if (isEmpty(side)) return 'nothing';
  return setting.field === 'value' && typeof side === 'string' ? JSON.stringify(side) : canonicalText(side);
}

const HIDDEN = 'not shown by the server';
