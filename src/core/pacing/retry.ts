/** What a request is for: it decides whether it may be sent again. */
export type Purpose = 'read' | 'login' | 'logout' | 'write';

/** How one attempt ended: with an answer, or without a usable one. */
export type Ending =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: 'failed'; readonly phase: 'not-sent' | 'no-answer' | 'bad-answer' | 'refused' };

export interface Attempt {
  readonly purpose: Purpose;
  /** 1 for the first. */
  readonly number: number;
  readonly ending: Ending;
  /** How many more retries the run may make. */
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

/** Retries that one run may make, over all its requests. */
export const RETRIES_PER_RUN = 20;

/** The longest wait that a server may ask for, in milliseconds. */
export const LONGEST_WAIT = 60_000;

/** Back-off in milliseconds: at most the first, doubled with every attempt, never more than the second. */
const BACKOFF = { first: 500, most: 8_000 };

const PASSING_STATUS = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Decides what follows an attempt. Retries reads and logins after any trouble that may pass, a write only after 429, as an
 * unanswered one may have been done, a logout never.
 */
export function decideRetry(attempt: Attempt): Decision {
  if (!mayPass(attempt)) return { kind: 'take' };
  const asked =
    attempt.ending.kind === 'answered' ? retryAfter(attempt.ending.retryAfter, attempt.now) : undefined;
  if (asked !== undefined && asked > LONGEST_WAIT)
    return { kind: 'too-long', seconds: Math.ceil(asked / 1000) };
  if (attempt.number >= MAX_ATTEMPTS || attempt.quota <= 0) return { kind: 'take' };
  return { kind: 'wait', milliseconds: asked ?? backoff(attempt.number, attempt.random) };
}

/** How long a server wants no requests, in milliseconds from now; undefined where it asks for no pause. */
export function askedPause(ending: Ending, now: number): number | undefined {
  const asksAll = ending.kind === 'answered' && (ending.status === 429 || ending.status === 503);
  return asksAll ? retryAfter(ending.retryAfter, now) : undefined;
}

/** A wait with full jitter: an even draw from 0 to the back-off of this attempt, in milliseconds. */
export function backoff(attempt: number, random: number): number {
  return random * Math.min(BACKOFF.most, BACKOFF.first * 2 ** (attempt - 1));
}

/**
 * `Retry-After` in milliseconds from now, as seconds or as a date of HTTP, which is in GMT even where it does not say so; never
 * early. Undefined where it cannot be read.
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const isDate = /^[A-Za-z]{3},? /.test(text);
  const date = isDate ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function mayPass({ purpose, ending }: Attempt): boolean {
  if (purpose === 'logout') return false;
  if (purpose === 'write') return ending.kind === 'answered' && ending.status === 429;
  return ending.kind === 'failed' ? ending.phase !== 'refused' : PASSING_STATUS.has(ending.status);
}
