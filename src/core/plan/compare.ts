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
  readonly open?: Change;
  /** What the server holds, in words; of a secret only whether it is another one. */
  readonly now: string;
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
  if (live === undefined)
    return changes.map((change) => ({ change, state: 'other', now: 'gone with its integration' }));
  const settings = changes.map(({ setting }) => setting);
  const rules = { keepsSame: true, writesHidden: () => writesHidden };
  const again = diffIntegration({ name, id, settings }, live, rules);
  const open = new Map(again.changes.map((change) => [change.address, change]));
  const same = new Set(again.same.map(({ address }) => address));
  const hidden = new Set(again.cannotTell.map(({ address }) => address));
  return changes.map((change): Compared => {
    const { address } = change;
    if (same.has(address)) return { change, state: 'planned', now: `${afterText(change)}, as planned` };
    if (hidden.has(address)) return { change, state: 'hidden', now: HIDDEN };
    const now = open.get(address);
    if (now === undefined) return { change, state: 'other', now: 'gone with its option' };
    const state = now.unreadable === change.unreadable && isSameBefore(change, now) ? 'unmoved' : 'other';
    return { change, state, open: now, now: heldText(now, change) };
  });
}

/** What the fields of an integration hold that is neither what it was planned from nor still hidden. */
export function movedSince(
  { policy = {} }: ServerPlan,
  integration: IntegrationPlan,
  live: LiveIntegration | undefined,
): readonly Moved[] {
  const isRefused = treatmentOf(policy, 'exposes-secret') !== 'off';
  return compareAgain(integration, live, true).flatMap(({ change, state, open, now }): Moved[] => {
    const { address } = change;
    if (state !== 'unmoved') return [{ address, by: 'server', before: beforeText(change), now }];
    // A secret that users did not see when it was planned would be shown to them.
    const isExposed = open?.risks.includes('exposes-secret') && !change.risks.includes('exposes-secret');
    const { option } = change.setting;
    if (!isRefused || !isExposed || option === undefined) return [];
    const permission = fieldAddress(integration.name, { field: 'permission', option });
    return [{ address: permission, by: 'server', before: 'not shown to users', now: 'lock-and-show' }];
  });
}

function isSameBefore(one: Change, other: Change): boolean {
  return sameContent(reveal(one.before), reveal(other.before));
}

/** What a change was planned from, in words. */
function beforeText(change: Change): string {
  return change.unreadable ? HIDDEN : sideText(change, change.before);
}

/** What a change sets its field to, in words. */
export function afterText(change: Change): string {
  return sideText(change, change.after);
}

/** The value that the server holds instead, in words: once a secret, always a secret. */
function heldText(now: Change, { sensitive, before }: Change): string {
  if (now.unreadable) return HIDDEN;
  if (!(sensitive || now.sensitive) || isEmpty(reveal(now.before))) return sideText(now, now.before);
  return before === null ? 'a secret' : 'a different secret';
}

/** One side of a change in words, in full: it is cut when it is shown, after known secrets are removed. */
function sideText({ field }: Change, side: Change['before'] | Change['after']): string {
  if (side !== null && isHidden(side)) return 'a secret';
  if (isEmpty(side)) return 'nothing';
  return field === 'value' && typeof side === 'string' ? JSON.stringify(side) : canonicalText(side);
}

const HIDDEN = 'not shown by the server';
