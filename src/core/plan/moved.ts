import type { Moved } from '../findings/apply.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { canonicalText, type OptionValue } from '../model/value.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { Change, ServerPlan, ValueChange } from './plan.ts';
import { type ChangeState, type FieldState, statesOf, wasUnreadable } from './state.ts';

/** The integrations of a plan that are no longer what it was made from: by id, the fields that moved and how. */
export function movedSince(
  plan: ServerPlan,
  live: ReadonlyMap<string, LiveIntegration>,
  fingerprint: Fingerprint,
): ReadonlyMap<string, readonly Moved[]> {
  return new Map(
    plan.integrations.flatMap((planned): [string, Moved[]][] => {
      const states = statesOf(planned, live.get(planned.id), fingerprint);
      const moved = states.filter((each) => !isAsPlanned(each)).map(movedField);
      return moved.length === 0 ? [] : [[planned.id, moved]];
    }),
  );
}

/** A value that could not be read when it was planned is as planned when it still cannot be read. */
function isAsPlanned({ change, state }: FieldState): boolean {
  return state === (wasUnreadable(change) ? 'untold' : 'before');
}

function movedField(field: FieldState): Moved {
  const { change, state } = field;
  const now = nowWords(field);
  const isPlain = state === 'after' && !change.sensitive;
  return { address: change.address, before: beforeWords(change), now: isPlain ? `${now}, as planned` : now };
}

/** What a change was planned from, in words; of a secret only that there was one. */
export function beforeWords<H>(change: Change<H>): string {
  if (change.field !== 'value') return String(change.before);
  if (!change.sensitive) return valueWords(change.before);
  if (wasUnreadable(change)) return 'unreadable';
  return change.beforeFingerprint === undefined ? NOTHING : 'a secret';
}

/** What a change makes of its field, in words. */
export function afterWords<H>(change: Change<H>): string {
  if (change.field !== 'value') return String(change.after);
  return change.sensitive ? 'a secret' : valueWords(change.after);
}

/** What the server holds, in words; of a secret only whether it is the planned one. */
export function nowWords({ change, state, live }: FieldState): string {
  if (live === undefined) return 'gone with its integration';
  if (change.field === 'autosubscribe') return String(live.autosubscribe ?? UNTOLD);
  const option = live.options.get(change.option);
  if (option === undefined) return state === 'untold' ? UNTOLD : 'gone with its option';
  if (change.field === 'permission') return option.permission === 'unknown' ? UNTOLD : option.permission;
  return state === 'untold' ? 'unreadable' : valueNow(change, state, option);
}

function valueNow(change: ValueChange, state: ChangeState, { value }: LiveOption): string {
  if (value.kind !== 'readable') return NOTHING;
  if (!change.sensitive) return valueWords(value.value);
  if (state === 'after') return 'the secret that was to be written';
  return change.beforeFingerprint === undefined ? 'a secret' : 'a different secret';
}

const NOTHING = 'nothing';
export const UNTOLD = 'not shown by the server';

/** Whole: it is cut when it is shown, once known secrets are taken out of it. */
export function valueWords(value: OptionValue | null): string {
  if (value === null || value === '') return NOTHING;
  return typeof value === 'string' ? JSON.stringify(value) : canonicalText(value);
}
