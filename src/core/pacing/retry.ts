/** What a request is for: it decides whether it may be sent again. */
export type Purpose = 'read' | 'login' | 'refresh' | 'logout' | 'write';

/** How one attempt ended: with an answer, and for how many milliseconds it wants no requests, or without a usable one. */
type Ending =
  | { readonly kind: 'answered'; readonly status: number; readonly pause?: number | undefined }
  | { readonly kind: 'failed'; readonly phase: 'not-sent' | 'no-answer' | 'bad-answer' | 'refused' };

/** One attempt: its number is 1 for the first, `quota` how many retries are left, `random` evenly drawn from 0 to 1. */
interface Attempt {
  readonly purpose: Purpose;
  readonly number: number;
  readonly ending: Ending;
  readonly quota: number;
  readonly random: number;
}

/** What to do after an attempt: take its ending, wait and try again, or stop because the server asks for too long a wait. */
type Decision =
  | { readonly kind: 'take' }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'too-long'; readonly seconds: number };

const MAX_ATTEMPTS = 3;

/** The longest wait that a server may ask for, in milliseconds. */
export const LONGEST_WAIT = 60_000;

/** Back-off in milliseconds: at most the first, doubled with every attempt, never more than the second. */
const BACKOFF = { first: 500, most: 8_000 };

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

function mayPass(purpose: Purpose, ending: Ending): boolean {
  if (purpose === 'logout' || purpose === 'refresh') return false;
  if (purpose === 'write') return ending.kind === 'answered' && ending.status === 429;
  return ending.kind === 'failed' ? ending.phase !== 'refused' : PASSING_STATUS.has(ending.status);
}

/** A wait with full jitter: an even draw from 0 to the back-off of this attempt, in milliseconds. */
export function backoff(attempt: number, random: number): number {
  return random * Math.min(BACKOFF.most, BACKOFF.first * 2 ** (attempt - 1));
}

/** The longest pause, in milliseconds: some hundred years. */
const MOST = 2 ** 42;

/** An exchange that did not end well; without a status, no answer came. */
interface FailedExchange {
  readonly phase: Extract<Ending, { kind: 'failed' }>['phase'];
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** How an exchange ended; without a failure, well. */
export function endingOf(failed: FailedExchange | undefined, now: number): Ending {
  if (failed === undefined) return { kind: 'answered', status: 200 };
  const { phase, status, headers } = failed;
  if (status === undefined || status < 300) return { kind: 'failed', phase };
  const retryAfter = [headers['retry-after'] ?? []].flat();
  const isAsked = retryAfter.length > 0 && PASSING_STATUS.has(status);
  const pause = isAsked ? pauseOf(retryAfter, String(headers['date'] ?? ''), now) : undefined;
  return { kind: 'answered', status, pause };
}

/**
 * The pause that `Retry-After` headers ask for, in milliseconds: the longest of all that they name, in seconds or as dates.
 * A date is counted from the `Date` of the answer, as the clock of the server may differ from ours. What cannot be understood
 * is as long as the longest back-off.
 */
function pauseOf(retryAfter: readonly string[], date: string, now: number): number {
  const clock = timeOf(date) ?? now;
  // The comma after the name of a day belongs to its date, which is as clear without it.
  const parts = retryAfter.flatMap((header) => header.split(',').map((part) => part.trim()));
  const named = parts.filter((part) => part !== '' && !/^(mon|tue|wed|thu|fri|sat|sun)\w*$/i.test(part));
  const pauses = named.map((part) => {
    if (/^\d+$/.test(part)) return Math.min(MOST, Number(part) * 1000);
    const end = timeOf(part);
    return end === undefined ? BACKOFF.most : Math.max(0, end - clock);
  });
  return pauses.length === 0 ? BACKOFF.most : Math.max(...pauses);
}

/** A date of HTTP in milliseconds since the epoch; all its forms are in GMT, also the one that does not name it. */
function timeOf(text: string): number | undefined {
  const date = /^([\w ,-]+ \d\d:\d\d:\d\d( \d{4})?)( GMT)?$/.exec(text.trim())?.[1];
  const time = Date.parse(`${date} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/** Good answers after which one more request may run side by side again. */
const RECOVERY = 10;

/** How many requests may run side by side: at least one, and all of them at first. */
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
   * Half as many after a 429. `slowedThen` is `slowed` from when the refused request started: requests that ran side by side
   * and were refused together slow down once.
   */
  slowDown(slowedThen: number): void {
    this.#successes = 0;
    if (slowedThen < this.slowed) return;
    this.limit = Math.max(1, Math.floor(this.limit / 2));
    this.slowed += 1;
  }

  /** Counts a good answer: one more after enough of them, until all may run again. */
  recover(): void {
    if (this.limit >= this.#most) return;
    this.#successes += 1;
    if (this.#successes < RECOVERY) return;
    this.limit += 1;
    this.#successes = 0;
  }
}
