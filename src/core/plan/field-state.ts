import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { isMask } from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { canonicalText, type OptionValue, sameContent } from '../model/value.ts';
import type { Change, IntegrationPlan, ValueChange } from './plan.ts';

/** What a server holds of a planned change: what it was planned from, what was planned, something else, or unknown. */
interface Held {
  readonly state: 'before' | 'after' | 'other' | 'untold';
  /** What it holds, in words; of a secret only whether it is the planned one. */
  readonly now: string;
}

/** A planned change and what the server holds of it. */
export interface FieldState extends Held {
  readonly change: Change;
}

/** Whether a field is not at its planned value, as far as the server shows. */
export function isOpen({ state }: FieldState): boolean {
  return state === 'before' || state === 'other';
}

/** The state of each planned change of an integration; all `other` where the integration is gone. */
export function statesOf(
  { changes }: IntegrationPlan,
  live: LiveIntegration | undefined,
): readonly FieldState[] {
  return changes.map((change) => ({ change, ...heldOf(change, live) }));
}

function heldOf(change: Change, live: LiveIntegration | undefined): Held {
  if (live === undefined) return { state: 'other', now: 'gone with its integration' };
  if (change.field === 'autosubscribe') return heldFlag(live.autosubscribe, change);
  const option = live.options.get(change.option);
  if (!live.optionKeys.has(change.option)) return { state: 'other', now: 'gone with its option' };
  if (option === undefined) return { state: 'untold', now: UNTOLD };
  if (change.field === 'value') return heldValue(change, option);
  return heldFlag(option.permission === 'unknown' ? undefined : option.permission, change);
}

function heldFlag<T>(
  live: T | undefined,
  { before, after }: { readonly before: T; readonly after: T },
): Held {
  if (live === undefined) return { state: 'untold', now: UNTOLD };
  const state = live === after ? 'after' : live === before ? 'before' : 'other';
  return { state, now: String(live) };
}

function heldValue(change: ValueChange, option: LiveOption): Held {
  const { value: live, type } = option;
  if (live.kind === 'unreadable') return UNREADABLE;
  const value = live.kind === 'empty' ? null : reveal(live.value);
  const state = valueState(change, value, type);
  // A value that was read when it was planned may look like a mask; otherwise a mask is never taken for a value.
  const isTold = state !== 'other' && !wasUnreadable(change);
  if (!isTold && change.sensitive && typeof value === 'string' && isMask(value)) return UNREADABLE;
  if (value === null || !change.sensitive) return { state, now: valueWords(value) };
  if (state === 'after') return { state, now: 'the secret that was to be written' };
  return { state, now: change.before === null ? 'a secret' : 'a different secret' };
}

function valueState({ before, after }: ValueChange, live: OptionValue | null, type?: string): Held['state'] {
  if (sameContent(live, reveal(after), type)) return 'after';
  return sameContent(live, reveal(before), type) ? 'before' : 'other';
}

/** Whether the live field could not be read when a change was planned. */
export function wasUnreadable(change: Change): boolean {
  if (change.field === 'permission') return change.before === 'unknown';
  return change.field === 'value' && change.sensitive && change.unreadable === true;
}

/** What a change was planned from, in words; of a secret only that there was one. */
export function beforeWords(change: Change): string {
  if (change.field !== 'value') return String(change.before);
  if (!change.sensitive) return valueWords(change.before);
  if (wasUnreadable(change)) return UNREADABLE.now;
  return change.before === null ? NOTHING : 'a secret';
}

/** What a change sets its field to, in words. */
export function afterWords(change: Change): string {
  if (change.field !== 'value') return String(change.after);
  return change.sensitive ? 'a secret' : valueWords(change.after);
}

/** A value in words, in full: it is cut when it is shown, after known secrets are removed. */
function valueWords(value: OptionValue | null): string {
  if (value === null || value === '') return NOTHING;
  return typeof value === 'string' ? JSON.stringify(value) : canonicalText(value);
}

const NOTHING = 'nothing';

/** The words for a field that the server does not show. */
const UNTOLD = 'not shown by the server';

const UNREADABLE: Held = { state: 'untold', now: 'unreadable' };
