/** What a request is for: it decides whether it may be sent again. */
export type Purpose = 'read' | 'login' | 'refresh' | 'logout' | 'write';

/** How one attempt ended: with an answer and the pause that it asks for in milliseconds, or without a usable one. */
export type Ending =
  | { readonly kind: 'answered'; readonly status: number; readonly pause?: number | undefined }
  | { readonly kind: 'failed'; readonly phase: 'not-sent' | 'no-answer' | 'bad-answer' | 'refused' };

export interface Attempt {
  readonly purpose: Purpose;
  /** 1 for the first. */
  readonly number: number;
  readonly ending: Ending;
  /** How many more retries the run may make on this server. */
  readonly quota: number;
  /** Evenly drawn from 0 (included) to 1 (excluded). */
  readonly random: number;
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

/** The pause after an answer whose wish for one cannot be understood, in milliseconds. */
export const UNCLEAR_PAUSE = BACKOFF.most;

const PASSING_STATUS = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Decides what follows an attempt. Retries reads and logins after any trouble that may pass, a write only after 429, as an
 * unanswered one may have been done, a logout and a refresh never: a login can take the place of a refresh at once.
 */
export function decideRetry({ purpose, number, ending, quota, random }: Attempt): Decision {
  if (!mayPass(purpose, ending)) return { kind: 'take' };
  const pause = ending.kind === 'answered' ? ending.pause : undefined;
  if (pause !== undefined && pause > LONGEST_WAIT)
    return { kind: 'too-long', seconds: Math.ceil(pause / 1000) };
  if (number >= MAX_ATTEMPTS || quota <= 0) return { kind: 'take' };
  return { kind: 'wait', milliseconds: pause ?? backoff(number, random) };
}

/**
 * How long a server wants no requests at all, in milliseconds; undefined if it asks for no pause. After the failure of a
 * write all wait as well: what is read and sent again for it must not come too early.
 */
export function askedPause(purpose: Purpose, ending: Ending): number | undefined {
  if (ending.kind === 'failed') return undefined;
  const { status, pause } = ending;
  const asksAll = status === 429 || status === 503 || (purpose === 'write' && PASSING_STATUS.has(status));
  return asksAll ? pause : undefined;
}

/** A wait with full jitter: an even draw from 0 to the back-off of this attempt, in milliseconds. */
export function backoff(attempt: number, random: number): number {
  return random * Math.min(BACKOFF.most, BACKOFF.first * 2 ** (attempt - 1));
}

function mayPass(purpose: Purpose, ending: Ending): boolean {
  if (purpose === 'logout' || purpose === 'refresh') return false;
  if (purpose === 'write') return ending.kind === 'answered' && ending.status === 429;
  return ending.kind === 'failed' ? ending.phase !== 'refused' : PASSING_STATUS.has(ending.status);
}
