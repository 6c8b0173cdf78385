/** What a request is for: it decides whether it may be sent again. */
type Purpose = 'read' | 'login' | 'refresh' | 'logout' | 'write';

/** An exchange that did not end well; without a status, no answer came. */
interface FailedExchange {
  readonly phase: 'not-sent' | 'no-answer' | 'bad-answer' | 'refused';
  readonly status?: number | undefined;
  readonly headers: Readonly<
    Record<string, string | readonly string[] | undefined>
  >;
}

/**
 * One attempt: its number is 1 for the first, `pause` for how many milliseconds the server wants no requests, `quota` how many
 * retries are left, `random` evenly drawn from 0 to 1. Without a failure it ended well.
 */
interface Attempt {
  readonly purpose: Purpose;
  readonly number: number;
  readonly failed: Omit<FailedExchange, 'headers'> | undefined;
  readonly pause?: number | undefined;
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
export function decideRetry({
  purpose,
  number,
  failed,
  pause,
  quota,
  random,
}: Attempt): Decision {
  if (failed === undefined || !mayPass(purpose, failed))
    return { kind: 'take' };
  if (pause !== undefined && pause > LONGEST_WAIT)
    return { kind: 'too-long', seconds: Math.ceil(pause / 1000) };
  if (number >= MAX_ATTEMPTS || quota <= 0) return { kind: 'take' };
  return { kind: 'wait', milliseconds: pause ?? backoff(number, random) };
}

function mayPass(
  purpose: Purpose,
  { phase, status = 0 }: NonNullable<Attempt['failed']>,
): boolean {
  if (purpose === 'logout' || purpose === 'refresh') return false;
  if (purpose === 'write') return status === 429;
  // A good status with a bad answer says nothing of what follows.
  return status < 300 ? phase !== 'refused' : PASSING_STATUS.has(status);
}

/** A wait with full jitter: an even draw from 0 to the back-off of this attempt, in milliseconds. */
export function backoff(attempt: number, random: number): number {
  return random * Math.min(BACKOFF.most, BACKOFF.first * 2 ** (attempt - 1));
}

/** The longest pause, in milliseconds: some hundred years. */
const MOST = 2 ** 42;

/**
 * The pause that an answer asks for with `Retry-After`, in milliseconds: seconds, or a date, which is counted from the `Date` of
 * the answer, as the clock of the server may differ from ours. What cannot be understood is as long as the longest back-off.
 */
export function pauseAfter(
  { status = 0, headers }: Omit<FailedExchange, 'phase'>,
  now: number,
): number | undefined {
  const asked = [headers['retry-after'] ?? []].flat();
  if (asked.length === 0 || !PASSING_STATUS.has(status)) return undefined;
  const clock = timeOf(String(headers['date'])) ?? now;
  const pauses = asked.map((text) => {
    if (/^\s*\d+\s*$/.test(text)) return Math.min(MOST, Number(text) * 1000);
    const end = timeOf(text);
    return end === undefined ? BACKOFF.most : Math.max(0, end - clock);
  });
  return Math.max(...pauses);
}

/** A date of HTTP in milliseconds since the epoch. */
function timeOf(text: string): number | undefined {
  const time = /^\w+, [\w -]+ \d\d:\d\d:\d\d GMT$/.test(text.trim())
    ? Date.parse(text)
    : Number.NaN;
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
