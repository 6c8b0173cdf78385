import { isNamedBy, type Subject } from '../model/subject.ts';
import type { Comparison } from './compare.ts';

/** What becomes of a field: nothing to do, a change, or why it is left. */
export type Fate = 'none' | 'change' | Reason;

/** Why a field that differs, or may, is not written. */
export type Reason = 'hidden' | 'unread' | 'waived' | 'not-reviewed';

/** A waiver that is not over. */
export interface OpenWaiver {
  /** The address of a field or of an option, as typed. */
  address: string;
  /** Its last day. */
  until: string;
  reason?: string | undefined;
}

/** What people said about the fields of one integration. */
export interface Choices {
  /** Hidden fields to write, as typed: addresses, or `all`. */
  writeHidden: readonly string[];
  waivers: readonly OpenWaiver[];
  /** With a base: whether this branch changed the declaration of a field. */
  isOfBranch?: ((subject: Subject) => boolean) | undefined;
  /** With a saved plan: whether a field was reviewed. */
  isReviewed?: ((subject: Subject) => boolean) | undefined;
}

/**
 * Decides what becomes of a field that is managed. What is released or settled
 * is found in `plan-server.ts`.
 */
export function decide(comparison: Comparison, choices: Choices): Fate {
  const { subject, state } = comparison;
  if (state === 'same') return 'none';
  // What was reviewed, or is the work of this branch, beats what follows.
  if (isMeant(comparison, choices)) return 'change';
  if (state === 'hidden' && !isRequested(subject, choices)) return 'hidden';
  if (waiverOf(subject, choices) !== undefined) return 'waived';
  if (choices.isReviewed !== undefined) return 'not-reviewed';
  // Nobody can tell whether a value without its reference differs.
  return state === 'unread' ? 'unread' : 'change';
}

/**
 * What an undo does with a field: it restores the former value, or leaves the
 * field, as it moved, or as its former value is unknown or fits no longer.
 */
export type UndoFate = 'former' | 'moved' | 'unknown';

/**
 * Decides what becomes of a field by what it holds beside what was written,
 * and beside what was there before. Either is undefined if the field cannot
 * hold it.
 */
export function decideUndo(
  written: Comparison | undefined,
  former: Comparison | undefined,
): UndoFate {
  if (former?.state === 'same') return 'former';
  if (written?.state === 'hidden') return 'unknown';
  if (written?.state !== 'same') return 'moved';
  return former === undefined ? 'unknown' : 'former';
}

function isMeant(comparison: Comparison, choices: Choices): boolean {
  const { subject, state } = comparison;
  const { isOfBranch, isReviewed } = choices;
  if (isReviewed?.(subject) || isOfBranch?.(subject)) return true;
  if (state !== 'hidden' || subject.kind !== 'value') return false;
  // A hidden value goes with its permission: it is declared anew with it.
  return isOfBranch?.({ ...subject, kind: 'permission' }) === true;
}

function isRequested(subject: Subject, { writeHidden }: Choices): boolean {
  return writeHidden.some(
    (typed) => typed === 'all' || isNamedBy(typed, subject),
  );
}

/** The waiver that names a field, if there is one. */
export function waiverOf(
  subject: Subject,
  { waivers }: Choices,
): OpenWaiver | undefined {
  return waivers.find(({ address }) => isNamedBy(address, subject));
}
