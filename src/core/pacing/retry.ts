/** What a request is for: it decides whether it may be sent again. */
export type Purpose = 'read' | 'login' | 'logout' | 'write';

/** How an exchange failed. Without a status, no answer came. */
interface FailedExchange {
  /** Whether the API itself answered with an error. */
  isRefused: boolean;
  status?: number | undefined;
}

/** The head of an answer, if one came. */
interface AnswerHead {
  status?: number | undefined;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** An attempt among those of its request and of its run. */
interface CountedAttempt {
  /** 1 for the first. */
  number: number;
  /** How many retries are left. */
  quota: number;
  /** Evenly drawn from 0 to 1. */
  random: number;
}

/** One attempt to send a request. */
export interface Attempt extends CountedAttempt {
  purpose: Purpose;
  /** Undefined if it ended well. */
  failed: FailedExchange | undefined;
  /** Milliseconds for which the server wants no requests. */
  pause?: number | undefined;
}

/** What follows an attempt: its end, another one after a wait, or a stop. */
export type RetryDecision =
  | { kind: 'take' }
  | { kind: 'wait'; milliseconds: number }
  /** The server asks for a longer wait than a run has. */
  | { kind: 'too-long'; seconds: number };

const MAX_ATTEMPTS = 3;

/** The longest wait that a server may ask for, in milliseconds. */
export const LONGEST_WAIT = 60_000;

/** Back-off in milliseconds: the first is doubled with every attempt. */
const BACKOFF = { first: 500, most: 8_000 };

const PASSING_STATUS = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Decides what follows an attempt. The transport repeats a write only after the
 * API's own 429, as one that is unclear may have been done:
 * shell/reconcile/write.ts repeats it after a reading. After a 401,
 * shell/http/session.ts repeats any request once. A logout is never repeated.
 */
export function decideRetry(attempt: Attempt): RetryDecision {
  const { purpose, failed, pause } = attempt;
  if (failed === undefined || !mayPass(purpose, failed)) {
    return { kind: 'take' };
  }
  if (pause !== undefined && pause > LONGEST_WAIT) {
    return { kind: 'too-long', seconds: Math.ceil(pause / 1000) };
  }
  const wait = waitAfter(attempt);
  if (wait === undefined) return { kind: 'take' };
  return { kind: 'wait', milliseconds: pause ?? wait };
}

/**
 * The milliseconds to wait before a request is sent again; undefined if no
 * attempt or no retry is left.
 */
export function waitAfter(attempt: CountedAttempt): number | undefined {
  const { number, quota, random } = attempt;
  if (number >= MAX_ATTEMPTS || quota <= 0) return undefined;
  return backoff(number, random);
}

/** True if the trouble of a request may pass, and sending it again is safe. */
function mayPass(purpose: Purpose, failed: FailedExchange): boolean {
  const { isRefused, status = 0 } = failed;
  if (purpose === 'logout') return false;
  // A page may stand in front of a write that was done.
  if (purpose === 'write') return status === 429 && isRefused;
  // A good status with a bad answer says nothing of what follows.
  if (status < 300) return !isRefused;
  return PASSING_STATUS.has(status);
}

/** Draws evenly from 0 to the back-off of an attempt, in milliseconds. */
export function backoff(attempt: number, random: number): number {
  const doubled = BACKOFF.first * 2 ** (attempt - 1);
  return random * Math.min(BACKOFF.most, doubled);
}

/** The longest pause, in milliseconds: some hundred years. */
const LONGEST_PAUSE = 2 ** 42;

/**
 * The pause that an answer asks for with `Retry-After`, in milliseconds, or
 * undefined. A date counts from the `Date` of the answer, since the clock of
 * the server may differ from ours.
 */
export function pauseAfter(
  answer: AnswerHead,
  now: number,
): number | undefined {
  const { status = 0, headers } = answer;
  if (!PASSING_STATUS.has(status)) return undefined;
  const texts = [headers['retry-after'] ?? []].flat();
  if (texts.length === 0) return undefined;
  const clock = timeOf(String(headers['date'])) ?? now;
  const pauses = texts.map((text) => pauseIn(text, clock));
  return Math.max(...pauses);
}

/** The milliseconds in a `Retry-After`: seconds, or a date after `clock`. */
function pauseIn(text: string, clock: number): number {
  if (/^\s*\d+\s*$/.test(text)) {
    return Math.min(LONGEST_PAUSE, Number(text) * 1000);
  }
  const end = timeOf(text);
  // A text of another form counts as the longest back-off.
  return end === undefined ? BACKOFF.most : Math.max(0, end - clock);
}

/** A date of HTTP in milliseconds since the epoch. */
function timeOf(text: string): number | undefined {
  const isDate = /^\w+, [\w -]+ \d\d:\d\d:\d\d GMT$/.test(text.trim());
  const time = isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Good answers after which one more request may run at a time again. */
const RECOVERY = 10;

/** How many requests may run at a time: at least one, and `most` at first. */
export class Pace {
  limit: number;
  /** How often it was slowed down. */
  slowed = 0;
  readonly #most: number;
  /** Good answers since the limit last changed. */
  #successes = 0;

  constructor(most: number) {
    this.limit = most;
    this.#most = most;
  }

  /**
   * Halves the limit after a 429. `slowedThen` is `slowed` as it was when the
   * request started: requests that are refused together slow down once.
   */
  slowDown(slowedThen: number): void {
    this.#successes = 0;
    if (slowedThen < this.slowed) return;
    this.limit = Math.max(1, Math.floor(this.limit / 2));
    this.slowed += 1;
  }

  /** Counts a good answer. Enough of them raise the limit by one. */
  recover(): void {
    if (this.limit >= this.#most) return;
    this.#successes += 1;
    if (this.#successes < RECOVERY) return;
    this.limit += 1;
    this.#successes = 0;
  }
}
