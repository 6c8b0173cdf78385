import type { LivePermission } from './permission.ts';
import { hide, reveal, type Secret } from './secret.ts';
import { isEmpty, type OptionValue, sameContent } from './value.ts';

/**
 * Why a server does not show a value: it sends a mask, nothing, an empty text
 * or a form that is not known, or a snapshot leaves it out.
 */
type HiddenReason = 'masked' | 'absent' | 'empty' | 'form' | 'snapshot';

/** The live side of a field, as far as the server shows it. */
export type LiveSide =
  | { kind: 'unset' }
  | { kind: 'hidden'; reason: HiddenReason }
  | { kind: 'shown'; value: OptionValue }
  | { kind: 'secret'; value: Secret<OptionValue> };

/** One side of a comparison. */
export type Side =
  | LiveSide
  /** A reference in it has no value in this run; `written` still has it. */
  | { kind: 'unread'; written: OptionValue }
  /** A value with references, compared with another one by its text. */
  | {
      kind: 'written';
      written: OptionValue;
      /**
       * Digests of files that it refers to, by their paths; only of known ones.
       */
      files?: ReadonlyMap<string, string> | undefined;
    };

/** The side of a field that is not set. */
export const UNSET: LiveSide = { kind: 'unset' };

/** The value of a side; undefined if it holds none, or does not show it. */
export function contentOf(side: Side): OptionValue | undefined {
  if (side.kind === 'shown') return side.value;
  if (side.kind === 'secret') return reveal(side.value);
  return undefined;
}

/** A flag as a side. A server that does not send it hides it. */
export function flagSide(flag: LivePermission | boolean | undefined): LiveSide {
  if (flag === undefined || flag === 'unknown') return hiddenSide('absent');
  return { kind: 'shown', value: flag };
}

/** A side that its server does not show. */
export function hiddenSide(reason: HiddenReason): LiveSide {
  return { kind: 'hidden', reason };
}

/** A value as a side that shows it. */
export function shownSide(value: OptionValue): LiveSide {
  return { kind: 'shown', value };
}

/** A secret as a side. An empty one is not set. */
export function secretSide(value: OptionValue): LiveSide {
  if (isEmpty(value)) return UNSET;
  return { kind: 'secret', value: hide(value) };
}

/**
 * Whether two sides hold the same for an option of this type. Sides that are
 * hidden or unread count as empty: ask for their kind first.
 */
export function isSameSide(one: Side, other: Side, type?: string): boolean {
  if (one.kind === 'written' || other.kind === 'written') {
    return isSameText(one, other);
  }
  const value = contentOf(one) ?? null;
  const otherValue = contentOf(other) ?? null;
  return sameContent(value, otherValue, type);
}

/** Whether both sides have the same references, and no file another content. */
function isSameText(one: Side, other: Side): boolean {
  if (one.kind !== 'written' || other.kind !== 'written') return false;
  if (!sameContent(one.written, other.written)) return false;
  for (const [path, digest] of one.files ?? []) {
    const otherDigest = other.files?.get(path) ?? digest;
    if (otherDigest !== digest) return false;
  }
  return true;
}
