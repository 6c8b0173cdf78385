import { rootCertificates } from 'node:tls';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { hasTooManyObjects, SERVER_LIMITS } from '../../core/live/limits.ts';
import { encodeOpen, reveal, type Secret } from '../../core/model/secret.ts';
import { errorCode, systemReason } from '../failure.ts';
import {
  type DispatcherOptions,
  LARGEST_ANSWER,
  type OpenDispatcher,
  openDispatcher,
  ProxyError,
} from './dispatcher.ts';
import { badAnswer, ExchangeError } from './exchange-error.ts';

const MEDIA_TYPE = 'application/vnd.api+json';

/** Some servers answer with plain JSON, and refuse who does not take it. */
const ACCEPTED = `${MEDIA_TYPE}, application/json`;

/** One request. `path` begins with `/api/`; it is appended to the server's address. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** What to send as JSON; secrets in it are opened on the way. */
  readonly body?: unknown;
  readonly token?: Secret<string> | undefined;
  /** True if it finishes what another request began: it is sent even when no new request should start. */
  readonly finishes?: boolean;
  /** Counts the attempts of a request that is sent again, so that all count together. */
  readonly tally?: Tally;
}

/** How many attempts of a request were made. */
interface Tally {
  made: number;
}

/** An answer of any status, its body as it came and, where that is JSON, parsed. */
export class Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly mediaType: string;
  readonly isJson: boolean;
  #text: string;
  #body: unknown;

  constructor(status: number, headers: Answer['headers'], text: string) {
    this.status = status;
    this.headers = headers;
    this.mediaType = String(headers['content-type'] ?? '')
      .replace(/;.*$/s, '')
      .trim()
      .toLowerCase();
    this.#text = text;
    ({ body: this.#body, isJson: this.isJson } = parseBody(text, this.mediaType));
  }

  get text(): string {
    return this.#text;
  }

  get body(): unknown {
    return this.#body;
  }

  /** Gives up its content once that is decoded: what refers to an answer on the way lives longer than a page of a long list should. */
  letGo(): void {
    this.#text = '';
    this.#body = undefined;
  }
}

interface TransportOptions extends DispatcherOptions {
  /** `read` refuses every request that could change the server. */
  readonly mode: 'read' | 'write';
  /** Certificates that are trusted beside the usual ones: naming some must not end the trust in the others. */
  readonly ca?: readonly string[] | undefined;
  /** Takes secrets out of what a server says of a failure. */
  readonly mask?: (text: string) => string;
  /** Called when a request has ended. */
  readonly onExchange?: (request: Request, status: number | undefined) => void;
}

/** Sends requests to one server. It keeps connections; `close` ends them, also those that hang. */
export interface Transport {
  /** Returns the answer of any status. Throws an ExchangeError if none came or it cannot be used. */
  readonly send: (request: Request, aborted: AbortSignal) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

/** Opens a transport; undici is loaded here, when the first request is near. */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const ca = options.ca === undefined ? undefined : [...rootCertificates, ...options.ca];
  const { send, destroy } = await openDispatcher(options, ca);
  return {
    send: async (request, aborted) => {
      refuseWrites(options.mode, request);
      const answer = await exchange(send, options, request, aborted).catch((thrown) => {
        options.onExchange?.(request, undefined);
        throw thrown;
      });
      options.onExchange?.(request, answer.status);
      return answer;
    },
    close: destroy,
  };
}

/** The name of a request in messages: its method and its path without the query. */
export function requestName({ method, path }: Pick<Request, 'method' | 'path'>): string {
  return `${method} ${path.replace(/\?.*$/, '')}`;
}

const SESSION_PATHS = new Set(['/api/users/login', '/api/users/logout']);

/** The guard of every preview: it is below all code that could ask for a write. */
function refuseWrites(mode: 'read' | 'write', request: Request): void {
  const reads = request.method === 'GET' || (request.method === 'POST' && SESSION_PATHS.has(request.path));
  if (mode === 'read' && !reads) throw new Error(`a read-only run must not send ${requestName(request)}`);
}

/** One request and its answer under one deadline that holds whatever the connection does. */
async function exchange(
  send: OpenDispatcher['send'],
  { url, timeout, mask }: TransportOptions,
  request: Request,
  aborted: AbortSignal,
): Promise<Answer> {
  const seconds = request.method === 'PATCH' ? timeout.write : timeout.read;
  const { signal, over, isPast, release } = limited(aborted, seconds);
  try {
    const answered = answerTo(send, url, request, signal).then((answer) => withMask(request, answer, mask));
    return await Promise.race([answered, over]);
  } catch (thrown) {
    const name = requestName(request);
    if (isPast())
      throw new ExchangeError('no-answer', diagnostic('timeout', { of: 'request', request: name, seconds }));
    throw failureOf(thrown, name, url.origin, aborted.aborted);
  } finally {
    release();
  }
}

/**
 * A signal that follows another one, and is aborted some seconds later too; `over` rejects then. Combined signals of Node would
 * keep each answer until a large collection of garbage.
 */
function limited(aborted: AbortSignal, seconds: number) {
  const controller = new AbortController();
  const { signal } = controller;
  const state = { isPast: false };
  const stop = () => controller.abort(aborted.reason);
  const timer = setTimeout(
    () => {
      state.isPast = !signal.aborted;
      stop();
    },
    Math.ceil(seconds * 1000),
  );
  const over = new Promise<never>((_, reject) => {
    signal.onabort = () => reject(signal.reason);
  });
  if (aborted.aborted) stop();
  else aborted.addEventListener('abort', stop);
  const release = () => {
    clearTimeout(timer);
    aborted.removeEventListener('abort', stop);
    signal.onabort = null;
  };
  return { signal, over, isPast: () => state.isPast, release };
}

async function answerTo(
  send: OpenDispatcher['send'],
  url: URL,
  { method, path, body, token }: Request,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await send(`${url.origin}${url.pathname.replace(/\/$/, '')}${path}`, {
    method,
    signal,
    headers: {
      accept: ACCEPTED,
      'content-type': MEDIA_TYPE,
      ...(token === undefined ? {} : { authorization: `Bearer ${reveal(token)}` }),
    },
    ...(body === undefined ? {} : { body: encodeOpen(body) }),
  });
  const text = await response.body.text();
  if (hasTooManyObjects(text))
    throw badAnswer(requestName({ method, path }), `it holds more than ${SERVER_LIMITS.objects} objects`);
  return new Answer(response.statusCode, response.headers, text);
}

/** Masks an answer that says something to people: it is cut to fit later, which would leave parts of secrets. */
function withMask({ method }: Request, answer: Answer, mask: TransportOptions['mask']): Answer {
  const { status, headers, text } = answer;
  const isData = status < 300 && method !== 'PATCH';
  return isData || mask === undefined ? answer : new Answer(status, headers, mask(text));
}

function failureOf(thrown: unknown, request: string, origin: string, aborted: boolean): ExchangeError {
  if (thrown instanceof ExchangeError) return thrown;
  if (thrown instanceof ProxyError) {
    const reason = `the proxy of HTTPS_PROXY failed: ${systemReason(thrown)}`;
    return new ExchangeError('not-sent', diagnostic('unreachable', { origin, reason }));
  }
  const code = errorCode(thrown) ?? '';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return new ExchangeError(
      'bad-answer',
      diagnostic('bad-answer', { request, problem: `it has more than ${LARGEST_ANSWER} bytes` }),
    );
  if (code === 'HTTPParserError' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return badAnswer(request, 'it is not valid HTTP');
  const reason = aborted ? 'the run ended before it answered' : systemReason(thrown);
  const phase = NOT_SENT.has(code) ? 'not-sent' : 'no-answer';
  return new ExchangeError(phase, diagnostic('unreachable', { origin, reason }));
}

/** Codes of failures that come before a request leaves this machine. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A body that is an object or a list is JSON whatever its media type; one of another form only where the type says so. */
function parseBody(text: string, mediaType: string): { body: unknown; isJson: boolean } {
  try {
    const body: unknown = JSON.parse(text);
    const isNamed = /^(application\/([\w.-]+\+)?json|text\/json)$/.test(mediaType);
    if (isNamed || (typeof body === 'object' && body !== null)) return { body, isJson: true };
  } catch {
    // No JSON: what it is instead matters only to who reads it.
  }
  return { body: undefined, isJson: false };
}
