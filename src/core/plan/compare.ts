import type { Moved } from '../findings/apply.ts';
import type { LiveIntegration } from '../model/live.ts';
import { fieldAddress } from '../model/place.ts';
import { isHidden, reveal } from '../model/secret.ts';
import { canonicalText, isEmpty, sameContent } from '../model/value.ts';
import { diffIntegration } from './diff.ts';
import type { Change, IntegrationPlan, ServerPlan } from './plan.ts';
import { treatmentOf } from './risk.ts';

/** A planned change, and what the server holds of its field by now. */
export interface Compared {
  readonly change: Change;
  /** What it was planned from, what was planned, something else, or not shown. */
  readonly state: 'unmoved' | 'planned' | 'other' | 'hidden';
  /** The change that is still to be made; absent if there is none, or the field is gone. */
  readonly open?: Change | undefined;
}

/** Whether a field is not at its planned value, as far as the server shows. */
export function isOpen({ state }: Compared): boolean {
  return state === 'unmoved' || state === 'other';
}

/** Diffs the fields of planned changes again. `writesHidden` makes changes of those that are not shown, as in a plan. */
export function compareAgain(
  { name, id, changes }: Pick<IntegrationPlan, 'name' | 'id' | 'changes'>,
  live: LiveIntegration | undefined,
  writesHidden = false,
): readonly Compared[] {
  const settings = changes.map(({ setting }) => setting);
  const rules = { keepsSame: true, writesHidden: () => writesHidden };
  const again = live && diffIntegration({ name, id, settings }, live, rules);
  const open = new Map(again?.changes.map((change) => [change.address, change]));
  const same = new Set(again?.same.map(({ address }) => address));
  const hidden = new Set(again?.cannotTell.map(({ address }) => address));
  return changes.map((change): Compared => {
    const { address } = change;
    if (same.has(address)) return { change, state: 'planned' };
    if (hidden.has(address)) return { change, state: 'hidden' };
    const now = open.get(address);
    const isUnmoved =
      now?.unreadable === change.unreadable &&
      sameContent(reveal(change.before), reveal(now?.before ?? null));
    return { change, state: now !== undefined && isUnmoved ? 'unmoved' : 'other', open: now };
  });
}

/** What the fields of an integration hold that is neither what it was planned from nor still hidden. */
export function movedSince(
  { policy = {} }: ServerPlan,
  integration: IntegrationPlan,
  live: LiveIntegration | undefined,
): readonly Moved[] {
  const isRefused = treatmentOf(policy, 'exposes-secret') !== 'off';
  return compareAgain(integration, live, true).flatMap((compared): Moved[] => {
    const { change, state, open } = compared;
    const { address, setting } = change;
    if (state !== 'unmoved') {
      const before = change.unreadable ? HIDDEN : sideText(change, change.before);
      return [{ address, by: 'server', before, now: nowText(compared) }];
    }
    // A secret that users did not see when it was planned would be shown to them.
    const isExposed = open?.risks.includes('exposes-secret') && !change.risks.includes('exposes-secret');
    if (!isRefused || !isExposed || setting.option === undefined) return [];
    const permission = fieldAddress(integration.name, { field: 'permission', option: setting.option });
    return [{ address: permission, by: 'server', before: 'not shown to users', now: 'lock-and-show' }];
  });
}

/** What was planned of the fields that are not there, and what the server holds instead, in words. */
export function heldInstead(states: readonly Compared[]) {
  return states.filter(isOpen).map((each) => {
    return { address: each.change.address, before: afterText(each.change), now: nowText(each) };
  });
}

/** What a change sets its field to, in words. */
function afterText(change: Change): string {
  return sideText(change, change.after);
}

/** What the server holds of a field, in words; of a secret only whether it is another one. */
function nowText({ change, state, open }: Compared): string {
  if (state === 'planned') return `${afterText(change)}, as planned`;
  if (state === 'hidden' || open?.unreadable) return HIDDEN;
  if (open === undefined) return 'gone';
  // Once a secret, always a secret.
  const isSecret = (change.sensitive || open.sensitive) && !isEmpty(reveal(open.before));
  if (isSecret) return change.before === null ? 'a secret' : 'a different secret';
  return sideText(open, open.before);
}

/** One side of a change in words, in full: it is cut when it is shown, after known secrets are removed. */
function sideText({ field }: Change, side: Change['before']): string {
  if (side !== null && isHidden(side)) return 'a secret';
  if (isEmpty(side)) return 'nothing';
  return field === 'value' && typeof side === 'string' ? JSON.stringify(side) : canonicalText(side);
}

const HIDDEN = 'not shown by the server';
