import { diagnostic } from '../../core/findings/diagnostic.ts';
import { encodeOpen, reveal } from '../../core/model/secret.ts';
import {
  decideRetry,
  LONGEST_WAIT,
  Pace,
  pauseAfter,
} from '../../core/pacing/retry.ts';
import type { Interruption } from '../interruption.ts';
import type { Runtime } from '../runtime.ts';
import { openDispatcher } from './dispatcher.ts';
import {
  decodeAnswer,
  ExchangeError,
  exchangeError,
  type Request,
  requestName,
} from './exchange.ts';

const MEDIA_TYPE = 'application/vnd.api+json';

/** Some servers answer with plain JSON, and refuse who does not take it. */
const ACCEPTED = `${MEDIA_TYPE}, application/json`;

type Opening = Parameters<typeof openDispatcher>[0];

/** Nothing new is written once it is `stopping`; once it is `aborted`, what is in flight ends, and nothing waits. */
interface TransportOptions
  extends Opening,
    Pick<Runtime, 'now' | 'sleep' | 'random'>,
    Pick<Interruption, 'stopping' | 'aborted'> {
  /** `read` refuses every request that could change the server. */
  readonly mode: 'read' | 'write';
  /** The retries that the run has left on this server. */
  readonly retries: { left: number };
  /** Takes secrets out of what a server says of a failure. */
  readonly mask: (text: string) => string;
  /** Takes a line for each request that has ended or is sent again. */
  readonly log: (text: string) => void;
}

/**
 * Sends requests to one server. Tries again if that is safe, slows down when the server asks for it, and stops if it asks
 * for more patience than a run has. It bounds how many requests run side by side.
 */
export class Transport {
  readonly #options: TransportOptions;
  readonly #dispatcher: ReturnType<typeof openDispatcher>;
  readonly #waiting: (() => void)[] = [];
  readonly #pace: Pace;
  #running = 0;
  /** Before this time nothing is sent, as the answer to this request asked for. */
  #held = { until: 0, by: '' };

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#dispatcher = openDispatcher(options);
    this.#pace = new Pace(options.connections);
  }

  /** Ends all connections, also those that hang. */
  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }

  /** Returns what was decoded from a good answer. Throws an ExchangeError for any other end. */
  async send<T>(request: Request<T>): Promise<T | undefined> {
    const { stopping, aborted, retries, sleep, log } = this.#options;
    const purpose = purposeOf(request);
    // A logout neither waits nor is held back.
    if (purpose === 'logout') return this.#exchange(request);
    const { tally = { made: 0 } } = request;
    const { ended, decision } = await this.#attempt(request, tally);
    if (!(ended instanceof ExchangeError)) return ended.value;
    const name = requestName(request);
    if (decision.kind === 'too-long')
      throw tooLong('refused', name, decision.seconds, ended.status);
    // What aborts a run also stops it: no wait needs to listen to both.
    const ends = purpose === 'write' ? stopping : (request.aborted ?? aborted);
    if (decision.kind === 'take' || ends.aborted) throw ended;
    retries.left -= 1;
    log(`${name}: again in ${Math.round(decision.milliseconds)} ms`);
    await sleep(decision.milliseconds, ends);
    if (ends.aborted) throw ended;
    return this.send({ ...request, tally });
  }

  /** Makes one attempt once there is room for it and nothing is held back, and decides what follows. */
  async #attempt<T>(request: Request<T>, tally: { made: number }) {
    while (this.#running >= this.#pace.limit)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      await this.#untilHeld(request.aborted ?? this.#options.stopping);
      this.#refuseNew(request);
      const { slowed } = this.#pace;
      tally.made += 1;
      const ended = await this.#exchange(request).then(
        (value) => ({ value }),
        exchangeError,
      );
      // Decided before another request can take the place.
      return {
        ended,
        decision: this.#decide(ended, request, tally.made, slowed),
      };
    } finally {
      this.#running -= 1;
      const room = Math.max(0, this.#pace.limit - this.#running);
      for (const enter of this.#waiting.splice(0, room)) enter();
    }
  }

  /** Waits for each end once: a clock that does not move must not stop a run. */
  async #untilHeld(aborted: AbortSignal, waitedFor = 0): Promise<void> {
    const { until, by } = this.#held;
    const wait = until - this.#options.now();
    if (wait > LONGEST_WAIT)
      throw tooLong('not-sent', by, Math.ceil(wait / 1000));
    if (until <= waitedFor || wait <= 0 || aborted.aborted) return;
    await this.#options.sleep(wait, aborted);
    await this.#untilHeld(aborted, until);
  }

  /** A run that stops begins no new request, and does not wait for a server that asks for patience. */
  #refuseNew(request: Request): void {
    const { stopping, now } = this.#options;
    const isNew = purposeOf(request) === 'write' && request.finishes !== true;
    if (!stopping.aborted || !(isNew || this.#held.until > now())) return;
    throw new ExchangeError(
      'not-sent',
      diagnostic('not-attempted', { integrations: [requestName(request)] }),
    );
  }

  /** What follows an attempt, the `made`-th of its request. `slowed` is how often the pace was halved when it began. */
  #decide(ended: object, request: Request, made: number, slowed: number) {
    const { retries, random, now } = this.#options;
    const failed = ended instanceof ExchangeError ? ended : undefined;
    const pause = failed && pauseAfter(failed, now());
    // All requests wait for a pause that the answer to one asks for.
    const until = pause === undefined ? 0 : now() + pause;
    if (until > this.#held.until)
      this.#held = { until, by: requestName(request) };
    if (failed === undefined) this.#pace.recover();
    else if (failed.status === 429) this.#pace.slowDown(slowed);
    const purpose = purposeOf(request);
    return decideRetry({
      purpose,
      number: made,
      failed,
      pause,
      quota: retries.left,
      random: random(),
    });
  }

  /** Sends a request once, and decodes its answer. */
  async #exchange<T>(request: Request<T>): Promise<T | undefined> {
    const { mode, timeout, aborted, mask, log } = this.#options;
    refuseWrites(mode, request);
    const name = requestName(request);
    const seconds = request.method === 'PATCH' ? timeout.write : timeout.read;
    const seen: { status?: number } = {};
    try {
      const ends = request.aborted ?? aborted;
      return await this.#dispatcher.send(
        name,
        encoded(request),
        seconds,
        ends,
        (answer) => {
          seen.status = answer.status;
          const json = decodeAnswer(request, answer, mask);
          return request.decode?.(json);
        },
      );
    } finally {
      log(`${name} ${seen.status ?? 'no answer'}`);
    }
  }
}

/** The server asks for too long a wait. `request` is the one it answered so, whichever request is not sent for it. */
function tooLong(
  phase: 'refused' | 'not-sent',
  request: string,
  seconds: number,
  status?: number,
) {
  return new ExchangeError(
    phase,
    diagnostic('timeout', { of: 'pause', request, seconds }),
    { status },
  );
}

type Purpose = Parameters<typeof decideRetry>[0]['purpose'];

const PURPOSES = new Map<string, Purpose>([
  ['POST /api/users/login', 'login'],
  ['GET /api/users/refresh', 'refresh'],
  ['POST /api/users/logout', 'logout'],
]);

function purposeOf({ method, path }: Request): Purpose {
  return (
    PURPOSES.get(`${method} ${path}`) ?? (method === 'GET' ? 'read' : 'write')
  );
}

/** The guard of every preview: it is below all code that could ask for a write. */
function refuseWrites(mode: TransportOptions['mode'], request: Request): void {
  if (mode === 'read' && purposeOf(request) === 'write')
    throw new Error(`a read-only run must not send ${requestName(request)}`);
}

/** A request as it goes over the wire. */
function encoded({ method, path, body, token }: Request) {
  const headers = {
    accept: ACCEPTED,
    'content-type': MEDIA_TYPE,
    ...(token === undefined
      ? {}
      : { authorization: `Bearer ${reveal(token)}` }),
  };
  return {
    method,
    path,
    headers,
    ...(body === undefined ? {} : { body: encodeOpen(body) }),
  };
}
