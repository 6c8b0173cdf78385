import { type AskedPause, pauseOf } from './retry-after.ts';

/** What a request is for: it decides whether it may be sent again. */
export type Purpose = 'read' | 'login' | 'refresh' | 'logout' | 'write';

/** How one attempt ended: with an answer, or without a usable one. */
export type Ending =
  | Answered
  | { readonly kind: 'failed'; readonly phase: 'not-sent' | 'no-answer' | 'bad-answer' | 'refused' };

interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  /** What the answer says of a pause; absent where it says nothing. */
  readonly pause?: AskedPause;
}

export interface Attempt {
  readonly purpose: Purpose;
  /** 1 for the first. */
  readonly number: number;
  readonly ending: Ending;
  /** How many more retries the run may make on this server. */
  readonly quota: number;
  /** Evenly drawn from 0 (included) to 1 (excluded). */
  readonly random: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** What to do after an attempt: take its ending, wait and try again, or stop because the server asks for too long a wait. */
export type Decision =
  | { readonly kind: 'take' }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'too-long'; readonly seconds: number };

export const MAX_ATTEMPTS = 3;

/** Retries that one run may make on each server, over all its requests there. */
export const RETRIES_PER_SERVER = 20;

/** The longest wait that a server may ask for, in milliseconds. */
export const LONGEST_WAIT = 60_000;

/** Back-off in milliseconds: at most the first, doubled with every attempt, never more than the second. */
const BACKOFF = { first: 500, most: 8_000 };

const PASSING_STATUS = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Decides what follows an attempt. Retries reads and logins after any trouble that may pass, a write only after 429, as an
 * unanswered one may have been done, a logout and a refresh never: a login can take the place of a refresh at once.
 */
export function decideRetry(attempt: Attempt): Decision {
  if (!mayPass(attempt)) return { kind: 'take' };
  const asked = attempt.ending.kind === 'answered' ? retryAfter(attempt.ending, attempt.now) : undefined;
  if (asked !== undefined && asked > LONGEST_WAIT)
    return { kind: 'too-long', seconds: Math.ceil(asked / 1000) };
  if (attempt.number >= MAX_ATTEMPTS || attempt.quota <= 0) return { kind: 'take' };
  return { kind: 'wait', milliseconds: asked ?? backoff(attempt.number, attempt.random) };
}

/**
 * How long a server wants no requests, in milliseconds from now; undefined where it asks for no pause. After the failure of
 * a write all wait as well: what is read and sent again for it must not come too early.
 */
export function askedPause(purpose: Purpose, ending: Ending, now: number): number | undefined {
  if (ending.kind === 'failed') return undefined;
  const { status } = ending;
  const asksAll = status === 429 || status === 503 || (purpose === 'write' && PASSING_STATUS.has(status));
  return asksAll ? retryAfter(ending, now) : undefined;
}

/** A wait with full jitter: an even draw from 0 to the back-off of this attempt, in milliseconds. */
export function backoff(attempt: number, random: number): number {
  return random * Math.min(BACKOFF.most, BACKOFF.first * 2 ** (attempt - 1));
}

/** What an answer asks for, in milliseconds from now; as long as our own back-off at most where that cannot be understood. */
function retryAfter({ pause }: Answered, now: number): number | undefined {
  return pause && pauseOf(pause, { now, unclear: BACKOFF.most });
}

function mayPass({ purpose, ending }: Attempt): boolean {
  if (purpose === 'logout' || purpose === 'refresh') return false;
  if (purpose === 'write') return ending.kind === 'answered' && ending.status === 429;
  return ending.kind === 'failed' ? ending.phase !== 'refused' : PASSING_STATUS.has(ending.status);
}
