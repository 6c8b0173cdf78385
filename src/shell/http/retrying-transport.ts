import { diagnostic } from '../../core/findings/diagnostic.ts';
import {
  askedPause,
  type Decision,
  decideRetry,
  type Ending,
  LONGEST_WAIT,
  type Purpose,
} from '../../core/pacing/retry.ts';
import { ExchangeError } from './exchange-error.ts';
import { type Clock, Limiter, type Slot } from './limiter.ts';
import { type Answer, type Request, requestName, type Transport } from './transport.ts';

/** What retries depend on. */
export interface RetryContext extends Clock {
  readonly random: () => number;
  /** The retries that the run has left on this server. */
  readonly quota: { left: number };
  readonly concurrency: number;
  readonly onRetry: (text: string) => void;
  /** Aborted when no new write should begin. */
  readonly stopping: AbortSignal;
}

/** What one attempt led to: an answer, or the error that took its place. */
type Attempt = { readonly answer: Answer } | { readonly error: ExchangeError };

/**
 * A transport that tries again where that is safe, slows down when the server asks for it, and stops where the server asks
 * for more patience than a run has.
 */
export class RetryingTransport implements Transport {
  readonly #transport: Transport;
  readonly #context: RetryContext;
  readonly #limiter: Limiter;
  /** The request whose answer asked for too long a wait, and when others may be sent again. */
  #stopped: { readonly until: number; readonly request: Request } | undefined;

  constructor(transport: Transport, context: RetryContext) {
    this.#transport = transport;
    this.#context = context;
    this.#limiter = new Limiter(context.concurrency, context);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async send(request: Request, aborted: AbortSignal): Promise<Answer> {
    const { tally = { made: 0 } } = request;
    const purpose = purposeOf(request);
    // A logout neither waits nor is held back.
    if (purpose === 'logout') return this.#transport.send(request, aborted);
    // What aborts a run also stops it: no wait needs to listen to both.
    const { stopping } = this.#context;
    const ends = purpose === 'write' ? stopping : aborted;
    const once = async (slot: Slot) => {
      if (stopping.aborted) this.#refuseNew(request, purpose);
      this.#refuseStopped();
      tally.made += 1;
      const ended = await attempt(this.#transport, request, aborted);
      return { ended, decision: this.#decide(ended, request, tally.made, slot) };
    };
    const { ended, decision } = await this.#limiter.run(once, stopping);
    if (decision.kind === 'too-long') {
      const status = 'answer' in ended ? ended.answer.status : undefined;
      throw tooLong('refused', request, decision.seconds, status);
    }
    if (decision.kind === 'take' || ends.aborted) return taken(ended);
    this.#context.quota.left -= 1;
    this.#context.onRetry(`${requestName(request)}: again in ${Math.round(decision.milliseconds)} ms`);
    await this.#context.sleep(decision.milliseconds, ends);
    return ends.aborted ? taken(ended) : this.send({ ...request, tally }, aborted);
  }

  /** A run that stops begins no new request, and does not wait for a server that asks for patience. */
  #refuseNew(request: Request, purpose: Purpose): void {
    const isNew = purpose === 'write' && request.finishes !== true;
    if (isNew || this.#limiter.isHeld) throw notSent(request);
  }

  /** What follows an attempt; decided before another request can take its place. */
  #decide(ended: Attempt, request: Request, number: number, slot: Slot): Decision {
    const purpose = purposeOf(request);
    const { quota, random, now } = this.#context;
    const ending = endingOf(ended, purpose);
    const decision = decideRetry({
      purpose,
      number,
      ending,
      quota: quota.left,
      random: random(),
      now: now(),
    });
    this.#obey(askedPause(purpose, ending, now()), request);
    if (ending.kind === 'answered' && ending.status === 429) slot.slowDown();
    else if (ending.kind === 'answered' && ending.status < 500) slot.succeeded();
    return decision;
  }

  /** Holds all requests back for a pause that the answer to one asks for. */
  #obey(pause: number | undefined, request: Request): void {
    if (pause === undefined) return;
    if (pause <= LONGEST_WAIT) this.#limiter.hold(pause);
    else {
      const until = this.#context.now() + pause;
      if (until > (this.#stopped?.until ?? 0)) this.#stopped = { until, request };
    }
  }

  #refuseStopped(): void {
    const { until = 0, request } = this.#stopped ?? {};
    const wait = until - this.#context.now();
    if (request !== undefined && wait > 0) throw tooLong('not-sent', request, Math.ceil(wait / 1000));
  }
}

/** The server asks for too long a wait. `request` is the one it answered so, whichever request is not sent for it. */
function tooLong(
  phase: 'refused' | 'not-sent',
  request: Request,
  seconds: number,
  status?: number,
): ExchangeError {
  return new ExchangeError(
    phase,
    diagnostic('asked-to-wait', { request: requestName(request), seconds }),
    status,
  );
}

/** The error of a request that waited for its turn when the run stopped. */
function notSent(request: Request): ExchangeError {
  return new ExchangeError('not-sent', diagnostic('not-attempted', { integrations: [requestName(request)] }));
}

async function attempt(transport: Transport, request: Request, aborted: AbortSignal): Promise<Attempt> {
  try {
    return { answer: await transport.send(request, aborted) };
  } catch (thrown) {
    if (thrown instanceof ExchangeError) return { error: thrown };
    throw thrown;
  }
}

function taken(ended: Attempt): Answer {
  if ('error' in ended) throw ended.error;
  return ended.answer;
}

/** A good answer to a read or login without JSON counts as none: a machine on the way has answered. */
function endingOf(ended: Attempt, purpose: Purpose): Ending {
  if ('error' in ended) return { kind: 'failed', phase: ended.error.phase };
  const { status, headers, isJson } = ended.answer;
  if (purpose !== 'write' && status >= 200 && status < 300 && !isJson)
    return { kind: 'failed', phase: 'bad-answer' };
  const retryAfter = valuesOf(headers['retry-after']);
  if (retryAfter.length === 0) return { kind: 'answered', status };
  return { kind: 'answered', status, pause: { retryAfter, date: valuesOf(headers['date']) } };
}

/** The values of a header that may come more than once. */
function valuesOf(header: string | readonly string[] | undefined): readonly string[] {
  return header === undefined ? [] : [header].flat();
}

function purposeOf({ method, path }: Request): Purpose {
  if (method === 'GET') return path === '/api/users/refresh' ? 'refresh' : 'read';
  if (path === '/api/users/login') return 'login';
  return path === '/api/users/logout' ? 'logout' : 'write';
}
