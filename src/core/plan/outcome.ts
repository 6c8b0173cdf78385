import type { Reached } from '../findings/diagnostic.ts';
import type { ChangeDocument } from './plan-document.ts';

/** What can become of an integration, or of one of its changes. */
export type Outcome = NonNullable<ChangeDocument['outcome']>;

/**
 * What can become of an integration that an apply is to change, and where a run
 * that ended early lists it.
 */
export const OUTCOMES: Readonly<Record<Outcome, keyof Reached>> = {
  /** The server shows what was planned. */
  verified: 'applied',
  /** The server accepted it, but does not show all of it. */
  sent: 'applied',
  'not-converged': 'notApplied',
  failed: 'notApplied',
  stale: 'notApplied',
  blocked: 'notApplied',
  'not-attempted': 'notApplied',
  unknown: 'unknown',
};

/** The outcomes of changes that the server took, or may have taken. */
const TAKEN: ReadonlySet<Outcome | undefined> = new Set([
  'verified',
  'sent',
  'not-converged',
  'unknown',
] as const);

/**
 * Whether changes with these outcomes wrote anything; undefined if there are
 * none, as writing did not begin.
 */
export function hasWritten(
  outcomes: readonly (Outcome | undefined)[],
): boolean | undefined {
  if (outcomes.every((outcome) => outcome === undefined)) return undefined;
  return outcomes.some((outcome) => TAKEN.has(outcome));
}

/** What became of a change; absent before an apply. */
interface ChangeEnd {
  outcome?: Outcome | undefined;
  maybeWritten?: boolean | undefined;
}

/** Whether an apply may have written a change. */
export function isWritten({ outcome, maybeWritten }: ChangeEnd): boolean {
  return TAKEN.has(outcome) || maybeWritten === true;
}

/** Why an integration is stale as a whole if its id is gone. */
export const UNINSTALLED =
  'it is not installed any more under the id that it had; an upgrade gives it a new one';

/** Why nothing is sent any more after a signal or the deadline. */
export const RUN_ENDED = 'the run ended before it';
