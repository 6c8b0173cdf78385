import { diagnostic } from '../../core/findings/diagnostic.ts';
import { decodeErrors, errorText, refusalIn, type ServerError } from '../../core/live/errors.ts';
import { present, recordOf } from '../../core/model/json.ts';
import { encodeOpen, reveal } from '../../core/model/secret.ts';
import { type DispatcherOptions, openDispatcher } from './dispatcher.ts';
import { badAnswer, ExchangeError, type Request, requestName, type Transport } from './exchange.ts';

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

/** Opens a transport. */
export function openTransport(options: TransportOptions): Transport {
  const { url, timeout, mask = (text: string) => text } = options;
  const { send, destroy } = openDispatcher(options);
  const { within, close } = openDeadlines();
  return {
    send: async (request) => {
      refuseWrites(options.mode, request);
      const seconds = request.method === 'PATCH' ? timeout.write : timeout.read;
      const { aborted = options.aborted } = request;
      const seen: { status?: number } = {};
      const stopped = () => stoppedError(request, url.origin, aborted.aborted ? undefined : seconds);
      try {
        return await within(seconds, aborted, stopped, async (signal) => {
          const answer = await send(requestName(request), encoded(request, signal));
          seen.status = answer.status;
          const json = jsonOf(request, answer, mask);
          return request.decode?.(json);
        });
      } finally {
        options.onExchange?.(request, seen.status);
      }
    },
    close: () => {
      close();
      return destroy();
    },
  };
}

/**
 * Deadlines that hold whatever a connection does: undici does not end a silent handshake. One clock serves all work; what takes
 * longer than its seconds, or is aborted, fails.
 */
function openDeadlines() {
  const checks = new Set<(now: number) => void>();
  const clock = setInterval(() => {
    const now = performance.now();
    for (const check of checks) check(now);
  }, TICK).unref();
  const within = <T>(
    seconds: number,
    aborted: AbortSignal,
    stopped: () => Error,
    work: (signal: AbortSignal) => Promise<T>,
  ) => {
    const end = performance.now() + seconds * 1000;
    const controller = new AbortController();
    return new Promise<T>((resolve, reject) => {
      const check = (now: number) => {
        if (now <= end && !aborted.aborted) return;
        checks.delete(check);
        reject(stopped());
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
  return { within, close: () => clearInterval(clock) };
}

const SESSION_PATHS = new Set(['/api/users/login', '/api/users/logout']);

/** The guard of every preview: it is below all code that could ask for a write. */
function refuseWrites(mode: TransportOptions['mode'], request: Pick<Request, 'method' | 'path'>): void {
  const reads = request.method === 'GET' || (request.method === 'POST' && SESSION_PATHS.has(request.path));
  if (mode === 'read' && !reads) throw new Error(`a read-only run must not send ${requestName(request)}`);
}

/** The error of a request whose time is over, or whose run has ended. */
function stoppedError(request: Request, origin: string, seconds: number | undefined): ExchangeError {
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

/** An answer of any status, as it came. */
interface Answer {
  readonly status: number;
  readonly headers: ExchangeError['headers'];
  readonly text: string;
}

/**
 * The JSON of a good answer; undefined if it is empty, as only those to writes and logins may be. Throws an ExchangeError for
 * any other answer, and for one with errors in it: what it is about was not all done, or is not whole.
 */
function jsonOf({ method, path }: Request, answer: Answer, mask: (text: string) => string): unknown {
  const { status, headers } = answer;
  const request = requestName({ method, path });
  const isGood = status >= 200 && status < 300;
  // What a server says to people is masked before it is cut to fit, which would leave parts of secrets.
  const text = isGood && method !== 'PATCH' ? answer.text : mask(answer.text);
  const tooLarge = sizeProblem(text);
  if (tooLarge !== undefined) throw badAnswer(request, tooLarge);
  const json = parsed(text);
  if (!isGood) throw refusal(request, answer, decodeErrors(json ?? text));
  const mediaType = String(headers['content-type'] ?? '')
    .replace(/\s*;.*$/s, '')
    .toLowerCase();
  // Of a write that took, an answer may be cut; of a login it is what matters.
  const mayBeCut = mediaType.endsWith('json') && path !== '/api/users/login';
  const mayBeEmpty = method !== 'GET' && (text === '' || status === 204 || mayBeCut);
  if (json === undefined && !mayBeEmpty) throw badAnswer(request, problemOf(text, mediaType), status);
  const errors = refusalIn(method === 'PATCH' ? json : { errors: recordOf(json)['errors'] });
  if (errors === undefined) return json;
  const found = diagnostic('bad-answer', {
    request,
    status,
    detail: errorText(errors) ?? 'its answer holds errors',
  });
  throw new ExchangeError('refused', found, { status, errors });
}

/** The object or list that a text is, whatever its media type. */
function parsed(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Why a good answer is not JSON: a machine on the way may have sent it. */
function problemOf(text: string, mediaType: string): string {
  if (text === '') return 'it is empty';
  const isJson = mediaType === '' || mediaType.endsWith('json');
  return isJson ? 'it is not valid JSON' : `it is ${mediaType}, not application/vnd.api+json`;
}

/** The error for an answer that is not a good one. */
function refusal(
  request: string,
  { status, headers }: Answer,
  errors: readonly ServerError[],
): ExchangeError {
  const detail = present({ detail: errorText(errors) });
  const redirected = {
    problem: `it redirects (${status})`,
    hint: 'Use the final address as the URL of the server.',
  };
  const found =
    status === 403
      ? diagnostic('not-permitted', { request, ...detail })
      : diagnostic('bad-answer', { request, ...(status < 400 ? redirected : { status, ...detail }) });
  // A server or gateway that fails may have acted before it failed.
  return new ExchangeError(status >= 500 ? 'no-answer' : 'refused', found, { status, headers, errors });
}

/** The most objects and lists that are taken in one answer: more would cost more than they tell. */
const MOST_OBJECTS = 400_000;

/** Why a JSON text is too large to be parsed; brackets inside of its texts count too. */
function sizeProblem(json: string): string | undefined {
  const state = { left: MOST_OBJECTS };
  for (const mark of ['{', '['])
    for (let at = json.indexOf(mark); at >= 0 && state.left >= 0; at = json.indexOf(mark, at + 1))
      state.left -= 1;
  return state.left < 0 ? `it holds more than ${MOST_OBJECTS} objects` : undefined;
}
