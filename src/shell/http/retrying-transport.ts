import { diagnostic } from '../../core/findings/diagnostic.ts';
import {
  askedPause,
  type Decision,
  decideRetry,
  type Ending,
  LONGEST_WAIT,
  type Purpose,
  pauseOf,
  UNCLEAR_PAUSE,
} from '../../core/pacing/retry.ts';
import { type Answer, type Request, requestName, type Transport } from './exchange.ts';
import { ExchangeError, exchangeError } from './exchange-error.ts';
import { type Clock, Limiter } from './limiter.ts';

/** What retries depend on. */
export interface RetryContext extends Clock {
  readonly random: () => number;
  /** The retries that the run has left on this server. */
  readonly quota: { left: number };
  readonly concurrency: number;
  readonly onRetry: (text: string) => void;
  /** Aborted when no new write should begin. */
  readonly stopping: AbortSignal;
  /** Ends every wait. */
  readonly aborted: AbortSignal;
}

/**
 * A transport that tries again if that is safe, slows down when the server asks for it, and stops if the server asks for
 * more patience than a run has.
 */
export class RetryingTransport implements Transport {
  readonly #transport: Transport;
  readonly #context: RetryContext;
  readonly #limiter: Limiter;
  /** The request whose answer asked for too long a wait, and when others may be sent again. */
  #stopped: { readonly until: number; readonly name: string } | undefined;

  constructor(transport: Transport, context: RetryContext) {
    this.#transport = transport;
    this.#context = context;
    this.#limiter = new Limiter(context.concurrency, context);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async send<T>(request: Request<T>): Promise<Answer<T>> {
    const { stopping, quota, sleep, onRetry } = this.#context;
    const { tally = { made: 0 }, aborted = this.#context.aborted } = request;
    const purpose = purposeOf(request);
    // A logout neither waits nor is held back.
    if (purpose === 'logout') return this.#transport.send(request);
    const { ended, decision } = await this.#limiter.run(async (slowed) => {
      this.#refuseNew(request, purpose);
      tally.made += 1;
      const attempt = await this.#transport.send(request).catch(exchangeError);
      // Decided before another request can take the place.
      return { ended: attempt, decision: this.#decide(attempt, request, tally.made, slowed) };
    }, request.aborted ?? stopping);
    if (decision.kind === 'too-long')
      throw tooLong('refused', requestName(request), decision.seconds, ended.status);
    // What aborts a run also stops it: no wait needs to listen to both.
    const ends = purpose === 'write' ? stopping : aborted;
    if (decision.kind === 'take' || ends.aborted) return taken(ended);
    quota.left -= 1;
    onRetry(`${requestName(request)}: again in ${Math.round(decision.milliseconds)} ms`);
    await sleep(decision.milliseconds, ends);
    return ends.aborted ? taken(ended) : this.send({ ...request, tally });
  }

  /**
   * A run that stops begins no new request, and does not wait for a server that asks for patience. Nothing is sent to a
   * server that asks for too much of it.
   */
  #refuseNew(request: Request, purpose: Purpose): void {
    const name = requestName(request);
    const isNew = purpose === 'write' && request.finishes !== true;
    if (this.#context.stopping.aborted && (isNew || this.#limiter.isHeld))
      throw new ExchangeError('not-sent', diagnostic('not-attempted', { integrations: [name] }));
    if (this.#stopped === undefined) return;
    const wait = this.#stopped.until - this.#context.now();
    if (wait > 0) throw tooLong('not-sent', this.#stopped.name, Math.ceil(wait / 1000));
  }

  /** What follows an attempt. */
  #decide(ended: Answer | ExchangeError, request: Request, number: number, slowed: number): Decision {
    const purpose = purposeOf(request);
    const { quota, random, now } = this.#context;
    const ending = endingOf(ended, now());
    this.#obey(askedPause(purpose, ending), requestName(request));
    if (ending.kind === 'answered' && ending.status === 429) this.#limiter.slowDown(slowed);
    else if (ending.kind === 'answered' && ending.status < 500) this.#limiter.succeed();
    return decideRetry({ purpose, number, ending, quota: quota.left, random: random() });
  }

  /** Holds all requests back for a pause that the answer to one asks for. */
  #obey(pause: number | undefined, name: string): void {
    if (pause === undefined) return;
    const until = this.#context.now() + pause;
    if (pause <= LONGEST_WAIT) this.#limiter.hold(pause);
    else if (until > (this.#stopped?.until ?? 0)) this.#stopped = { until, name };
  }
}

/** The server asks for too long a wait. `request` is the one it answered so, whichever request is not sent for it. */
function tooLong(
  phase: 'refused' | 'not-sent',
  request: string,
  seconds: number,
  status?: number,
): ExchangeError {
  return new ExchangeError(phase, diagnostic('timeout', { of: 'pause', request, seconds }), status);
}

function taken<T>(ended: Answer<T> | ExchangeError): Answer<T> {
  if (ended instanceof ExchangeError) throw ended;
  return ended;
}

function endingOf(ended: Answer | ExchangeError, now: number): Ending {
  if (ended instanceof ExchangeError) return { kind: 'failed', phase: ended.phase };
  const { status, headers } = ended;
  const retryAfter = [headers['retry-after'] ?? []].flat();
  const asked = { retryAfter, date: String(headers['date'] ?? '') };
  return {
    kind: 'answered',
    status,
    pause: retryAfter.length === 0 ? undefined : pauseOf(asked, now, UNCLEAR_PAUSE),
  };
}

function purposeOf({ method, path }: Pick<Request, 'method' | 'path'>): Purpose {
  if (method === 'GET') return path === '/api/users/refresh' ? 'refresh' : 'read';
  if (path === '/api/users/login') return 'login';
  return path === '/api/users/logout' ? 'logout' : 'write';
}
