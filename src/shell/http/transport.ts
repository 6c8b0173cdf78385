import { diagnostic } from '../../core/findings/diagnostic.ts';
import {
  decideRetry,
  LONGEST_WAIT,
  Pace,
  type Purpose,
  pauseAfter,
  type RetryDecision,
} from '../../core/pacing/retry.ts';
import { type DispatcherOptions, ServerDispatcher } from './dispatcher.ts';
import {
  decodeAnswer,
  ExchangeError,
  exchangeError,
  type Request,
  requestName,
} from './exchange.ts';

export interface TransportOptions extends DispatcherOptions {
  /** `read` refuses every request that could change the server. */
  mode: 'read' | 'write';
  /** Nothing new is written once it is aborted. */
  stopping: AbortSignal;
  /** Ends what is in flight, and every wait. Whoever aborts it, stops too. */
  aborted: AbortSignal;
  /** The retries that the run has left on this server. */
  retries: { left: number };
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Resolves after some milliseconds, or at once if it is aborted. */
  sleep: (milliseconds: number, aborted: AbortSignal) => Promise<void>;
  /** Evenly drawn from 0 (included) to 1 (excluded). */
  random: () => number;
  /** Takes secrets out of what a server says of a failure. */
  mask: (text: string) => string;
  /** Takes a line for each request that has ended or is sent again. */
  log: (text: string) => void;
}

/** How an attempt ended: with a good answer, or with what follows its error. */
type Attempted<T> =
  | { value: T | undefined }
  | { error: ExchangeError; decision: RetryDecision };

/**
 * Sends requests to one server, so many at a time. Tries again if that is safe,
 * slows down when the server asks for it, and stops if it asks for more
 * patience than a run has.
 */
export class Transport {
  readonly #options: TransportOptions;
  readonly #dispatcher: ServerDispatcher;
  readonly #waiting: (() => void)[] = [];
  readonly #pace: Pace;
  #running = 0;
  /** Until when nothing is sent, and which request was answered so. */
  #held = { until: 0, by: '' };

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#dispatcher = new ServerDispatcher(options);
    this.#pace = new Pace(options.connections);
  }

  /** Ends all connections, also those that hang. */
  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }

  /** Returns the decoded good answer, or throws an ExchangeError. */
  async send<T>(request: Request<T>): Promise<T | undefined> {
    const purpose = purposeOf(request);
    // A logout neither waits nor is held back.
    if (purpose === 'logout') return this.#exchange(request);
    const { stopping, aborted, retries, sleep, log } = this.#options;
    // What aborts a run also stops it: no wait needs to listen to both.
    const ends = purpose === 'write' ? stopping : (request.aborted ?? aborted);
    const tally = request.tally ?? { made: 0 };
    const name = requestName(request);
    while (true) {
      const attempted = await this.#attempt(request, tally);
      if ('value' in attempted) return attempted.value;
      const { error, decision } = attempted;
      if (decision.kind === 'too-long') {
        throw tooLongError('refused', name, decision.seconds);
      }
      if (decision.kind === 'take' || ends.aborted) throw error;
      const { milliseconds } = decision;
      retries.left -= 1;
      log(`${name}: again in ${Math.round(milliseconds)} ms`);
      await sleep(milliseconds, ends);
      if (ends.aborted) throw error;
    }
  }

  /** Makes one attempt as soon as it may, and decides what follows. */
  async #attempt<T>(
    request: Request<T>,
    tally: { made: number },
  ): Promise<Attempted<T>> {
    while (this.#running >= this.#pace.limit) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
    try {
      await this.#untilHeld(request.aborted ?? this.#options.stopping);
      this.#refuseNew(request);
      const { slowed } = this.#pace;
      // biome-ignore lint/style/noParameterAssign: attempts are counted for whoever sends
      tally.made += 1;
      try {
        const value = await this.#exchange(request);
        this.#pace.recover();
        return { value };
      } catch (thrown) {
        const error = exchangeError(thrown);
        // Decided before another request can take the place.
        const decision = this.#decide(error, request, tally.made, slowed);
        return { error, decision };
      }
    } finally {
      this.#running -= 1;
      const room = Math.max(0, this.#pace.limit - this.#running);
      for (const enter of this.#waiting.splice(0, room)) enter();
    }
  }

  /** Waits for each end once: a clock that stands still must not stop a run. */
  async #untilHeld(aborted: AbortSignal): Promise<void> {
    const { now, sleep } = this.#options;
    let waitedFor = 0;
    while (true) {
      const { until, by } = this.#held;
      const wait = until - now();
      if (wait > LONGEST_WAIT) {
        throw tooLongError('held-back', by, Math.ceil(wait / 1000));
      }
      if (until <= waitedFor || wait <= 0 || aborted.aborted) return;
      await sleep(wait, aborted);
      waitedFor = until;
    }
  }

  /** A run that stops begins nothing new, and waits for no patience. */
  #refuseNew(request: Request): void {
    const { stopping, now } = this.#options;
    if (!stopping.aborted) return;
    const isNew = purposeOf(request) === 'write' && request.finishes !== true;
    if (!isNew && this.#held.until <= now()) return;
    const integrations = [requestName(request)];
    throw new ExchangeError(
      'held-back',
      diagnostic('not-attempted', { integrations }),
    );
  }

  /**
   * Decides what follows an error of an attempt, which began after `slowed`
   * slow-downs.
   */
  #decide(
    { phase, head }: ExchangeError,
    request: Request,
    number: number,
    slowed: number,
  ): RetryDecision {
    const { retries, random, now } = this.#options;
    const time = now();
    const pause = pauseAfter(head, time);
    if (pause !== undefined && time + pause > this.#held.until) {
      this.#held = { until: time + pause, by: requestName(request) };
    }
    if (head.status === 429) this.#pace.slowDown(slowed);
    return decideRetry({
      purpose: purposeOf(request),
      number,
      failed: { isRefused: phase === 'refused', status: head.status },
      pause,
      quota: retries.left,
      random: random(),
    });
  }

  /** Sends a request once, and decodes its answer. */
  async #exchange<T>(request: Request<T>): Promise<T | undefined> {
    const { mode, aborted, mask, log } = this.#options;
    // Guards every preview, below all code that could ask for a write.
    if (mode === 'read' && purposeOf(request) === 'write') {
      throw new Error(`a read-only run must not send ${requestName(request)}`);
    }
    const name = requestName(request);
    let status: number | undefined;
    try {
      const ends = request.aborted ?? aborted;
      return await this.#dispatcher.send(request, ends, (answer) => {
        status = answer.status;
        const json = decodeAnswer(request, answer, mask);
        return request.decode?.(json);
      });
    } finally {
      log(`${name} ${status ?? 'no answer'}`);
    }
  }
}

/** The error of a server that asks for a longer wait than a run has. */
function tooLongError(
  phase: 'refused' | 'held-back',
  request: string,
  seconds: number,
): ExchangeError {
  const timeout = diagnostic('timeout', { of: 'pause', request, seconds });
  return new ExchangeError(phase, timeout);
}

function purposeOf({ method, path }: Request): Purpose {
  if (method === 'POST' && path === '/api/users/login') return 'login';
  if (method === 'POST' && path === '/api/users/logout') return 'logout';
  return method === 'GET' ? 'read' : 'write';
}
