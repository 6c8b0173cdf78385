import { diagnostic } from '../../core/findings/diagnostic.ts';
import {
  askedPause,
  type Decision,
  decideRetry,
  type Ending,
  LONGEST_WAIT,
  Pace,
  type Purpose,
  pauseOf,
} from '../../core/pacing/retry.ts';
import type { Interruption } from '../interruption.ts';
import type { Runtime } from '../runtime.ts';
import { ExchangeError, exchangeError, type Request, requestName, type Transport } from './exchange.ts';

/** What retries depend on; nothing new is written once it is `stopping`, and nothing waits once it is `aborted`. */
type RetryContext = Pick<Runtime, 'now' | 'sleep' | 'random'> &
  Pick<Interruption, 'stopping' | 'aborted'> & {
    /** The retries that the run has left on this server. */
    readonly quota: { left: number };
    readonly concurrency: number;
    readonly onRetry: (text: string) => void;
  };

/**
 * A transport that tries again if that is safe, slows down when the server asks for it, and stops if the server asks for
 * more patience than a run has. It bounds how many requests run side by side.
 */
export class RetryingTransport implements Transport {
  readonly close: Transport['close'];
  readonly #send: Transport['send'];
  readonly #context: RetryContext;
  readonly #waiting: (() => void)[] = [];
  readonly #pace: Pace;
  #running = 0;
  /** Before this time nothing starts. */
  #heldUntil = 0;
  /** The request whose answer asked for too long a wait, and when others may be sent again. */
  #stopped: { readonly until: number; readonly name: string } | undefined;

  constructor(transport: Transport, context: RetryContext) {
    this.#send = transport.send;
    this.close = transport.close;
    this.#context = context;
    this.#pace = new Pace(context.concurrency);
  }

  async send<T>(request: Request<T>): Promise<T | undefined> {
    const { stopping, quota, sleep, onRetry } = this.#context;
    const { tally = { made: 0 }, aborted = this.#context.aborted } = request;
    const purpose = purposeOf(request);
    // A logout neither waits nor is held back.
    if (purpose === 'logout') return this.#send(request);
    const { ended, decision } = await this.#inTurn(request.aborted ?? stopping, async () => {
      const { slowed } = this.#pace;
      this.#refuseNew(request, purpose);
      tally.made += 1;
      const attempt = await this.#send(request).then((value) => ({ value }), exchangeError);
      // Decided before another request can take the place.
      return {
        ended: attempt,
        decision: this.#decide(attempt, requestName(request), purpose, tally.made, slowed),
      };
    });
    if (!(ended instanceof ExchangeError)) return ended.value;
    const { status } = ended;
    if (decision.kind === 'too-long')
      throw tooLong('refused', requestName(request), decision.seconds, status);
    // What aborts a run also stops it: no wait needs to listen to both.
    const ends = purpose === 'write' ? stopping : aborted;
    if (decision.kind === 'take' || ends.aborted) throw ended;
    quota.left -= 1;
    onRetry(`${requestName(request)}: again in ${Math.round(decision.milliseconds)} ms`);
    await sleep(decision.milliseconds, ends);
    if (ends.aborted) throw ended;
    return this.send({ ...request, tally });
  }

  /** Does some work once there is room for it and nothing is held back. */
  async #inTurn<T>(aborted: AbortSignal, work: () => Promise<T>): Promise<T> {
    while (this.#running >= this.#pace.limit)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      await this.#untilHeld(aborted);
      return await work();
    } finally {
      this.#running -= 1;
      const room = Math.max(0, this.#pace.limit - this.#running);
      for (const enter of this.#waiting.splice(0, room)) enter();
    }
  }

  /** Waits for each end once: a clock that does not move must not stop a run. */
  async #untilHeld(aborted: AbortSignal, waitedFor = 0): Promise<void> {
    const end = this.#heldUntil;
    const wait = end - this.#context.now();
    if (end <= waitedFor || wait <= 0 || aborted.aborted) return;
    await this.#context.sleep(wait, aborted);
    await this.#untilHeld(aborted, end);
  }

  /**
   * A run that stops begins no new request, and does not wait for a server that asks for patience. Nothing is sent to a
   * server that asks for too much of it.
   */
  #refuseNew(request: Request, purpose: Purpose): void {
    const now = this.#context.now();
    const isNew = purpose === 'write' && request.finishes !== true;
    if (this.#context.stopping.aborted && (isNew || this.#heldUntil > now)) {
      const integrations = [requestName(request)];
      throw new ExchangeError('not-sent', diagnostic('not-attempted', { integrations }));
    }
    const { until, name } = this.#stopped ?? { until: now, name: '' };
    if (until > now) throw tooLong('not-sent', name, Math.ceil((until - now) / 1000));
  }

  /** What follows an attempt. `slowed` is how often the pace was halved when it began. */
  #decide(ended: object, name: string, purpose: Purpose, number: number, slowed: number): Decision {
    const { quota, random } = this.#context;
    const now = this.#context.now();
    const ending = endingOf(ended, now);
    // All requests wait for a pause that the answer to one asks for.
    const pause = askedPause(purpose, ending) ?? 0;
    if (pause <= LONGEST_WAIT) this.#heldUntil = Math.max(this.#heldUntil, now + pause);
    else if (now + pause > (this.#stopped?.until ?? 0)) this.#stopped = { until: now + pause, name };
    if (ending.kind === 'answered' && ending.status === 429) this.#pace.slowDown(slowed);
    else if (ending.kind === 'answered' && ending.status < 500) this.#pace.recover();
    return decideRetry({ purpose, number, ending, quota: quota.left, random: random() });
  }
}

/** The server asks for too long a wait. `request` is the one it answered so, whichever request is not sent for it. */
function tooLong(phase: 'refused' | 'not-sent', request: string, seconds: number, status?: number) {
  return new ExchangeError(phase, diagnostic('timeout', { of: 'pause', request, seconds }), { status });
}

function endingOf(ended: object, now: number): Ending {
  if (!(ended instanceof ExchangeError)) return { kind: 'answered', status: 200 };
  const { status, phase, headers } = ended;
  if (status === undefined || status < 300) return { kind: 'failed', phase };
  const retryAfter = [headers['retry-after'] ?? []].flat();
  const date = String(headers['date'] ?? '');
  const pause = retryAfter.length === 0 ? undefined : pauseOf(retryAfter, date, now);
  return { kind: 'answered', status, pause };
}

function purposeOf({ method, path }: Pick<Request, 'method' | 'path'>): Purpose {
  if (method === 'GET') return path === '/api/users/refresh' ? 'refresh' : 'read';
  if (path === '/api/users/login') return 'login';
  return path === '/api/users/logout' ? 'logout' : 'write';
}
