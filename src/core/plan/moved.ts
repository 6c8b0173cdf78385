import type { Moved } from '../findings/apply.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { canonicalText, type OptionValue } from '../model/value.ts';
import type { Change, IntegrationPlan, ServerPlan, ValueChange } from './plan.ts';
import { type ChangeState, settledIn, statesOf } from './settle.ts';
import type { Fingerprint } from './withheld.ts';

/**
 * Where a saved plan stands. What an earlier apply of it has done to the end needs nothing more, and so is nothing to refuse;
 * of the rest, what moved is. `gone` are fields that are known to have moved.
 */
export function standingIn(
  plan: ServerPlan,
  live: ReadonlyMap<string, LiveIntegration>,
  fingerprint: Fingerprint,
  gone: readonly (readonly [id: string, moved: readonly Moved[]])[] = [],
): {
  readonly settled: ReadonlySet<string>;
  readonly moved: ReadonlyMap<string, readonly Moved[]>;
} {
  const settled = settledIn(plan, live, fingerprint);
  const all = new Map([...gone, ...movedSince(plan, live, fingerprint)]);
  return { settled, moved: new Map([...all].filter(([id]) => !settled.has(id))) };
}

/** The integrations of a plan that are no longer what it was made from: by id, the fields that moved and how. */
export function movedSince(
  plan: ServerPlan,
  live: ReadonlyMap<string, LiveIntegration>,
  fingerprint: Fingerprint,
): ReadonlyMap<string, readonly Moved[]> {
  return new Map(
    plan.integrations.flatMap((planned): [string, Moved[]][] => {
      const integration = live.get(planned.id);
      const states = statesOf(planned, integration, fingerprint);
      const moved = planned.changes.flatMap((change) => {
        const state = states.get(change.address) ?? 'other';
        return isAsPlanned(change, state) ? [] : [movedField(change, state, integration)];
      });
      return moved.length === 0 ? [] : [[planned.id, moved]];
    }),
  );
}

/** What the server holds in the place of what was written: both sides in words, of a secret only that it differs. */
export function heldInstead(
  planned: IntegrationPlan,
  addresses: readonly string[],
  live: LiveIntegration | undefined,
  fingerprint: Fingerprint,
): readonly Moved[] {
  const states = statesOf(planned, live, fingerprint);
  return planned.changes
    .filter(({ address }) => addresses.includes(address))
    .map((change) => ({
      address: change.address,
      before: meant(change),
      now: nowThere(change, states.get(change.address) ?? 'other', live),
    }));
}

function meant(change: Change): string {
  if (change.field !== 'value') return String(change.after);
  return change.sensitive ? 'a secret' : valueWords(change.after);
}

/** A value that could not be read when it was planned is as planned when it still cannot be read. */
function isAsPlanned(change: Change, state: ChangeState): boolean {
  return state === (wasUnreadable(change) ? 'untold' : 'before');
}

function wasUnreadable(change: Change): boolean {
  return change.field === 'value' && change.unreadable === true;
}

function movedField(change: Change, state: ChangeState, live: LiveIntegration | undefined): Moved {
  const now = nowThere(change, state, live);
  const isPlain = state === 'after' && !change.sensitive;
  return { address: change.address, before: plannedFrom(change), now: isPlain ? `${now}, as planned` : now };
}

function plannedFrom(change: Change): string {
  if (change.field !== 'value') return String(change.before);
  if (wasUnreadable(change)) return 'unreadable';
  if (change.sensitive) return change.beforeFingerprint === undefined ? NOTHING : 'a secret';
  return valueWords(change.before);
}

function nowThere(change: Change, state: ChangeState, live: LiveIntegration | undefined): string {
  if (live === undefined) return 'gone with its integration';
  if (change.field === 'autosubscribe') return String(live.autosubscribe ?? UNTOLD);
  const option = live.options.get(change.option);
  if (option === undefined) return state === 'untold' ? UNTOLD : 'gone with its option';
  if (change.field === 'permission') return option.permission === 'unknown' ? UNTOLD : option.permission;
  return state === 'untold' ? 'unreadable' : valueNow(change, state, option);
}

/** Of a secret nobody is told more than whether it is the one that was to be written. */
function valueNow(change: ValueChange, state: ChangeState, { value }: LiveOption): string {
  if (value.kind !== 'readable') return NOTHING;
  if (!change.sensitive) return valueWords(value.value);
  if (state === 'after') return 'the secret that was to be written';
  return change.beforeFingerprint === undefined ? 'a secret' : 'a different secret';
}

const NOTHING = 'nothing';
const UNTOLD = 'not shown by the server';

/** Whole: it is cut when it is shown, once known secrets are taken out of it. */
function valueWords(value: OptionValue | null): string {
  if (value === null || value === '') return NOTHING;
  return typeof value === 'string' ? JSON.stringify(value) : canonicalText(value);
}
