import { diagnostic } from '../../core/findings/diagnostic.ts';
import { encodeOpen, reveal } from '../../core/model/secret.ts';
import { jsonOf } from './answer.ts';
import { type DispatcherOptions, openDispatcher } from './dispatcher.ts';
import { ExchangeError, type Request, requestName, type Transport } from './exchange.ts';

const MEDIA_TYPE = 'application/vnd.api+json';

/** Some servers answer with plain JSON, and refuse who does not take it. */
const ACCEPTED = `${MEDIA_TYPE}, application/json`;

/** Milliseconds after which deadlines are looked at again. */
const TICK = 50;

interface TransportOptions extends DispatcherOptions {
  /** `read` refuses every request that could change the server. */
  readonly mode: 'read' | 'write';
  /** Ends every request in flight. */
  readonly aborted: AbortSignal;
  /** Takes secrets out of what a server says of a failure. */
  readonly mask?: (text: string) => string;
  /** Called when a request has ended. */
  readonly onExchange?: (request: Request, status: number | undefined) => void;
}

/**
 * Opens a transport. One clock serves the deadlines of all requests, which hold whatever a connection does: undici does not
 * end a silent handshake.
 */
export function openTransport(options: TransportOptions): Transport {
  const { send, destroy } = openDispatcher(options);
  const { timeout, url } = options;
  const checks = new Set<(now: number) => void>();
  const clock = setInterval(() => {
    const now = performance.now();
    for (const check of checks) check(now);
  }, TICK);
  const inTime = <T>(request: Request<T>, work: (signal: AbortSignal) => Promise<T | undefined>) => {
    const seconds = request.method === 'PATCH' ? timeout.write : timeout.read;
    const { aborted = options.aborted } = request;
    const end = performance.now() + seconds * 1000;
    const controller = new AbortController();
    return new Promise<T | undefined>((resolve, reject) => {
      const check = (now: number) => {
        if (now <= end && !aborted.aborted) return;
        checks.delete(check);
        reject(stopped(request, url.origin, aborted.aborted ? undefined : seconds));
        controller.abort();
      };
      checks.add(check);
      check(0);
      if (controller.signal.aborted) return;
      work(controller.signal)
        .then(resolve, reject)
        .finally(() => checks.delete(check));
    });
  };
  return {
    send: async (request) => {
      refuseWrites(options.mode, request);
      const seen: { status?: number } = {};
      try {
        return await inTime(request, async (signal) => {
          const answer = await send(requestName(request), encoded(request, signal));
          seen.status = answer.status;
          return decoded(request, answer, options.mask);
        });
      } finally {
        options.onExchange?.(request, seen.status);
      }
    },
    close: () => {
      clearInterval(clock);
      return destroy();
    },
  };
}

const SESSION_PATHS = new Set(['/api/users/login', '/api/users/logout']);

/** The guard of every preview: it is below all code that could ask for a write. */
function refuseWrites(mode: TransportOptions['mode'], request: Pick<Request, 'method' | 'path'>): void {
  const reads = request.method === 'GET' || (request.method === 'POST' && SESSION_PATHS.has(request.path));
  if (mode === 'read' && !reads) throw new Error(`a read-only run must not send ${requestName(request)}`);
}

/** The error of a request whose time is over, or whose run has ended. */
function stopped(request: Request, origin: string, seconds: number | undefined): ExchangeError {
  const found =
    seconds === undefined
      ? diagnostic('unreachable', { origin, reason: 'the run ended before it answered' })
      : diagnostic('timeout', { of: 'request', request: requestName(request), seconds });
  return new ExchangeError('no-answer', found);
}

/** A request as undici takes it. */
function encoded({ method, path, body, token }: Request, signal: AbortSignal) {
  const headers = {
    accept: ACCEPTED,
    'content-type': MEDIA_TYPE,
    ...(token === undefined ? {} : { authorization: `Bearer ${reveal(token)}` }),
  };
  return { method, path, signal, headers, ...(body === undefined ? {} : { body: encodeOpen(body) }) };
}

/** What a request wants of its answer. */
function decoded<T>(
  request: Request<T>,
  answer: Parameters<typeof jsonOf>[1],
  mask: TransportOptions['mask'] = (text) => text,
): T | undefined {
  const { status, text } = answer;
  // What a server says to people is masked before it is cut to fit, which would leave parts of secrets.
  const isData = status >= 200 && status < 300 && request.method !== 'PATCH';
  const json = jsonOf(request, isData ? answer : { ...answer, text: mask(text) });
  return request.decode?.(json);
}
