import type { Moved } from '../findings/apply.ts';
import type { LiveValue } from '../model/live.ts';
import { HIDDEN, reveal, type Secret } from '../model/secret.ts';
import { isEmpty, type OptionValue, sameContent } from '../model/value.ts';
import { wasUnreadable } from './field-state.ts';
import { type Fingerprints, isFingerprinted } from './fingerprint.ts';
import type { Change, SecretChange } from './plan.ts';

/** The fingerprints of this run, if it has a key, and the key of the reviewed plan, if that has one. */
export interface Keys {
  readonly fingerprints: Fingerprints | undefined;
  readonly reviewed: string | undefined;
  /** Whether the reviewed plan has fingerprints that this run cannot make. */
  readonly isOther: boolean;
}

/** Whether a secret is the reviewed one: `same`, or why it counts as moved. */
type Likeness = 'same' | Extract<Moved['by'], 'configuration' | 'server' | 'key' | 'literal'>;

/** What is asked of a secret now. */
interface Asked {
  readonly value: OptionValue | Secret<OptionValue>;
  readonly reference?: string | undefined;
}

/** The keys of a reviewed plan and of the run that compares it. */
export function keysOf(reviewed: string | undefined, fingerprints: Fingerprints | undefined): Keys {
  return { fingerprints, reviewed, isOther: reviewed !== undefined && reviewed !== fingerprints?.key() };
}

/** Compares a secret to be written with the reviewed one: by fingerprints, or without them by the references alone. */
export function comparedAfter(was: SecretChange<null>, { value, reference }: Asked, keys: Keys): Likeness {
  const likeness = byFingerprint(was.fingerprint, was.address, value, keys);
  if (likeness !== undefined) return likeness === 'other' ? 'configuration' : likeness;
  if (!tellsAll(was.reference))
    return was.reference === undefined && reference !== undefined ? 'configuration' : 'literal';
  return was.reference === reference ? 'same' : 'configuration';
}

/**
 * Compares the live secret with the one that the reviewed plan saw; without a fingerprint only whether there is one. One that
 * was empty and cannot be read now may have been written by an apply that was torn: it is written again.
 */
export function comparedBefore(was: SecretChange<null>, { before }: SecretChange, keys: Keys): Likeness {
  const wasHeld = was.unreadable !== true && was.empty !== true;
  if (before === null || !wasHeld) return wasHeld === (before !== null) ? 'same' : 'server';
  const likeness = byFingerprint(was.beforeFingerprint, was.address, before, keys) ?? 'same';
  return likeness === 'other' ? 'server' : likeness;
}

/** Whether a change is planned from what the reviewed plan saw, as far as both show it. */
export function isSameBefore(was: Change<null>, now: Change, keys: Keys): boolean {
  if (wasUnreadable(was) || wasUnreadable(now)) return true;
  if (was.sensitive) return !now.sensitive || comparedBefore(was, now, keys) !== 'server';
  return sameContent(was.before, reveal(now.before));
}

/** Whether a live value is as desired, by its fingerprint where a snapshot keeps it out; undefined where nobody can tell. */
export function isHeld(
  live: LiveValue,
  desired: OptionValue,
  type: string | undefined,
  fingerprints: Fingerprints | undefined,
): boolean | undefined {
  if (live.kind === 'empty') return isEmpty(desired);
  if (live.kind === 'readable') return sameContent(reveal(live.value), desired, type);
  if (live.fingerprint === undefined) return undefined;
  return fingerprints?.of(live.fingerprint.address, desired) === live.fingerprint.digest;
}

/** Undefined where neither side has a fingerprint. A plan with a key has one of each secret that is long enough. */
function byFingerprint(
  was: string | undefined,
  address: string,
  value: OptionValue | Secret<OptionValue>,
  { fingerprints, reviewed, isOther }: Keys,
): 'same' | 'other' | 'key' | undefined {
  if (was === undefined && (reviewed === undefined || !isFingerprinted(reveal(value)))) return undefined;
  if (isOther || fingerprints === undefined) return 'key';
  return fingerprints.of(address, value) === was ? 'same' : 'other';
}

/** Whether a reference shows all that the YAML says: none shows the literal members of a list, or what is hidden. */
function tellsAll(reference: string | undefined): boolean {
  return reference !== undefined && ![HIDDEN, '…'].some((mark) => `${reference}`.includes(mark));
}
