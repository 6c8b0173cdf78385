import { rootCertificates } from 'node:tls';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { hasTooManyObjects, MOST_OBJECTS } from '../../core/live/limits.ts';
import { encodeOpen, reveal } from '../../core/model/secret.ts';
import { errorCode, systemReason } from '../failure.ts';
import { contentOf, errorsIn } from './answer.ts';
import { Deadlines } from './deadlines.ts';
import {
  type DispatcherOptions,
  LARGEST_ANSWER,
  type OpenDispatcher,
  openDispatcher,
  ProxyError,
} from './dispatcher.ts';
import { type Answer, type Request, requestName, type Transport } from './exchange.ts';
import { badAnswer, ExchangeError } from './exchange-error.ts';

const MEDIA_TYPE = 'application/vnd.api+json';

/** Some servers answer with plain JSON, and refuse who does not take it. */
const ACCEPTED = `${MEDIA_TYPE}, application/json`;

interface TransportOptions extends DispatcherOptions {
  /** `read` refuses every request that could change the server. */
  readonly mode: 'read' | 'write';
  /** Certificates that are trusted in addition to the usual ones: naming some must not end the trust in the others. */
  readonly ca?: readonly string[] | undefined;
  /** Ends every request in flight. */
  readonly aborted: AbortSignal;
  /** Takes secrets out of what a server says of a failure. */
  readonly mask?: (text: string) => string;
  /** Called when a request has ended. */
  readonly onExchange?: (request: Request, status: number | undefined) => void;
}

/** Opens a transport; undici is loaded here, when the first request is near. */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const ca = options.ca === undefined ? undefined : [...rootCertificates, ...options.ca];
  const { send, destroy } = await openDispatcher(options, ca);
  const deadlines = new Deadlines();
  return {
    send: async (request) => {
      refuseWrites(options.mode, request);
      try {
        const answer = await exchange(send, options, request, deadlines);
        options.onExchange?.(request, answer.status);
        return answer;
      } catch (thrown) {
        options.onExchange?.(request, thrown instanceof ExchangeError ? thrown.status : undefined);
        throw thrown;
      }
    },
    close: destroy,
  };
}

const SESSION_PATHS = new Set(['/api/users/login', '/api/users/logout']);

/** The guard of every preview: it is below all code that could ask for a write. */
function refuseWrites(mode: 'read' | 'write', request: Pick<Request, 'method' | 'path'>): void {
  const reads = request.method === 'GET' || (request.method === 'POST' && SESSION_PATHS.has(request.path));
  if (mode === 'read' && !reads) throw new Error(`a read-only run must not send ${requestName(request)}`);
}

/** One request and its answer, under a deadline that holds whatever the connection does. */
function exchange<T>(
  send: OpenDispatcher['send'],
  options: TransportOptions,
  request: Request<T>,
  deadlines: Deadlines,
): Promise<Answer<T>> {
  const { origin } = options.url;
  const seconds = request.method === 'PATCH' ? options.timeout.write : options.timeout.read;
  const { aborted = options.aborted } = request;
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(stopped(request, origin, aborted.aborted ? undefined : seconds));
      controller.abort();
    };
    if (aborted.aborted) return stop();
    const flight = { end: performance.now() + seconds * 1000, aborted, stop };
    deadlines.add(flight);
    answerTo(send, options, request, controller.signal)
      .then(resolve, (thrown) => reject(failureOf(thrown, requestName(request), origin)))
      .finally(() => deadlines.delete(flight));
  });
}

/** The error of a request whose time is over, or whose run has ended. */
function stopped(request: Request, origin: string, seconds: number | undefined): ExchangeError {
  const found =
    seconds === undefined
      ? diagnostic('unreachable', { origin, reason: 'the run ended before it answered' })
      : diagnostic('timeout', { of: 'request', request: requestName(request), seconds });
  return new ExchangeError('no-answer', found);
}

async function answerTo<T>(
  send: OpenDispatcher['send'],
  { url, mask = (text) => text }: TransportOptions,
  { method, path, body, token, decode }: Request<T>,
  signal: AbortSignal,
): Promise<Answer<T>> {
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
  const { statusCode: status, headers } = response;
  const text = await response.body.text();
  if (hasTooManyObjects(text))
    throw badAnswer(requestName({ method, path }), `it holds more than ${MOST_OBJECTS} objects`);
  const isGood = status >= 200 && status < 300;
  // What a server says to people is masked before it is cut to fit, which would leave parts of secrets.
  const isData = isGood && method !== 'PATCH';
  const content = contentOf(requestName({ method, path }), status, headers, isData ? text : mask(text));
  if (!isGood) return { status, headers, errors: errorsIn(content) };
  return { status, headers, errors: [], ...(decode === undefined ? {} : { value: decode(content) }) };
}

function failureOf(thrown: unknown, request: string, origin: string): unknown {
  if (thrown instanceof ExchangeError) return thrown;
  if (thrown instanceof ProxyError) {
    const reason = `the proxy of HTTPS_PROXY failed: ${systemReason(thrown)}`;
    return new ExchangeError('not-sent', diagnostic('unreachable', { origin, reason }));
  }
  const code = errorCode(thrown) ?? '';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return badAnswer(request, `it has more than ${LARGEST_ANSWER} bytes`);
  if (code === 'HTTPParserError' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return badAnswer(request, 'it is not valid HTTP');
  const phase = NOT_SENT.has(code) ? 'not-sent' : 'no-answer';
  return new ExchangeError(phase, diagnostic('unreachable', { origin, reason: systemReason(thrown) }));
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
