import { EventEmitter } from 'node:events';
import { rootCertificates } from 'node:tls';
import {
  Agent,
  buildConnector,
  type Dispatcher,
  EnvHttpProxyAgent,
  Pool,
} from 'undici';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { isLoopback } from '../../core/model/loopback.ts';
import { errorCode, failUsage, systemReason } from '../failure.ts';
import { badAnswer, type decodeAnswer, ExchangeError } from './exchange.ts';

/** Milliseconds after which deadlines are looked at again. */
const TICK = 50;

interface DispatcherOptions {
  readonly url: URL;
  readonly connections: number;
  /** Seconds for one request; a PATCH has its own. A connection opens in the time of a reading, or not at all. */
  readonly timeout: { readonly read: number; readonly write: number };
  readonly insecure?: boolean | undefined;
  /** Certificates that are trusted in addition to the usual ones: naming some must not end the trust in the others. */
  readonly ca?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The largest answer that is read, in bytes. */
const LARGEST_ANSWER = 16 * 1024 * 1024;

/** Opens connections to one server. */
export function openDispatcher(options: DispatcherOptions) {
  const dispatcher = dispatcherFor(options);
  const { origin, pathname } = options.url;
  const base = pathname.replace(/\/$/, '');
  const inFlight = new Set<Flight>();
  // One clock serves all deadlines, which hold whatever a connection does: undici does not end a silent handshake.
  const clock = setInterval(() => {
    const now = performance.now();
    for (const { end, aborted, stop } of inFlight)
      if (now > end || aborted.aborted) stop();
  }, TICK).unref();
  const exchange = async <T>(
    name: string,
    request: Sent,
    signal: EventEmitter,
    take: Take<T>,
  ) => {
    const failed = (thrown: unknown) => {
      throw failureOf(thrown, name, origin);
    };
    const path = `${base}${request.path}`;
    const response = await dispatcher
      .request({ ...request, signal, origin, path })
      .catch(failed);
    const { statusCode: status, headers, body } = response;
    const parts = await partsOf(body).catch(failed);
    // Long waits end in old memory, which is rarely collected: neither the list nor a promise may keep the text.
    const text = new TextDecoder().decode(Buffer.concat(parts.splice(0)));
    // What it throws is no failure of the connection.
    return take({ status, headers, text });
  };
  return {
    /**
     * Sends a request to a path of the server, and takes what is wanted from its answer. Throws an ExchangeError unless all of
     * it came in so many seconds.
     */
    send: <T>(
      name: string,
      request: Sent,
      seconds: number,
      aborted: AbortSignal,
      take: Take<T>,
    ) =>
      new Promise<T>((resolve, reject) => {
        // Undici takes one for a signal; an AbortController costs ten times as much.
        const signal = new EventEmitter();
        const stop = () => {
          inFlight.delete(flight);
          reject(
            stoppedError(name, origin, aborted.aborted ? undefined : seconds),
          );
          signal.emit('abort');
        };
        const flight = {
          end: performance.now() + seconds * 1000,
          aborted,
          stop,
        };
        if (aborted.aborted) return stop();
        inFlight.add(flight);
        exchange(name, request, signal, take)
          .then(resolve, reject)
          .finally(() => inFlight.delete(flight));
      }),
    /** Ends all connections at once; one that is still opening ends with the process. */
    destroy: () => {
      clearInterval(clock);
      return dispatcher.destroy();
    },
  };
}

async function partsOf(body: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return parts;
}

/** A dispatcher for one server, through a proxy if the environment names one. */
function dispatcherFor(options: DispatcherOptions): Dispatcher {
  const { ca } = options;
  const tls = {
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    // Always set: otherwise NODE_TLS_REJECT_UNAUTHORIZED decides.
    rejectUnauthorized: options.insecure !== true,
    timeout: Math.ceil(options.timeout.read * 1000),
  };
  const direct = buildConnector(tls);
  const limits = {
    connections: options.connections,
    // Each request has a deadline of its own.
    ...{ headersTimeout: 0, bodyTimeout: 0 },
    maxResponseSize: LARGEST_ANSWER,
    // The pool behind a proxy comes with a connector that opens a tunnel.
    factory: (origin: string | URL, { connect, ...pool }: Pool.Options) =>
      new Pool(origin, {
        ...pool,
        connect: typeof connect === 'function' ? tunnelled(connect) : direct,
      }),
  };
  const proxy = proxyOf(options);
  const toProxy = failing(direct, (error) => new ProxyError(error));
  const clientFactory = (origin: URL, pool: object) =>
    new Pool(origin, { ...pool, connect: toProxy });
  const through = {
    ...limits,
    ...proxy,
    clientFactory,
    requestTls: tls,
    proxyTls: tls,
  };
  return proxy === undefined
    ? new Agent(limits)
    : new EnvHttpProxyAgent(through);
}

/** A request as undici takes it. */
type Sent = Pick<
  Dispatcher.RequestOptions,
  'method' | 'path' | 'headers' | 'body'
>;

/** Takes what is wanted from an answer. */
type Take<T> = (answer: Parameters<typeof decodeAnswer>[1]) => T;

/** A request under way, and what ends it once its time is over or the run has ended. */
interface Flight {
  readonly end: number;
  readonly aborted: AbortSignal;
  readonly stop: () => void;
}

/** The error of a request whose time is over, or whose run has ended. */
function stoppedError(
  request: string,
  origin: string,
  seconds: number | undefined,
): ExchangeError {
  const found =
    seconds === undefined
      ? diagnostic('unreachable', {
          origin,
          reason: 'the run ended before it answered',
        })
      : diagnostic('timeout', { of: 'request', request, seconds });
  return new ExchangeError('no-answer', found);
}

function proxyOf({ url, env }: DispatcherOptions) {
  const httpsProxy = env['HTTPS_PROXY'] ?? env['https_proxy'] ?? '';
  if (httpsProxy === '' || isLoopback(url)) return undefined;
  if (
    !/^https?:$/.test(
      URL.canParse(httpsProxy) ? new URL(httpsProxy).protocol : '',
    )
  )
    failUsage('HTTPS_PROXY is not an http or https address.');
  return {
    httpsProxy,
    httpProxy: '',
    noProxy: env['NO_PROXY'] ?? env['no_proxy'] ?? '',
  };
}

/** A connector whose errors are seen through a function. */
function failing(
  connect: buildConnector.connector,
  seen: (error: Error) => Error,
): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(seen(error), null);
    });
}

/**
 * Tells the errors of a proxy that opens no tunnel from those of the server at its end. A ProxyError has no code: at
 * UND_ERR_SOCKET, undici would connect again without end when a proxy closes the connection.
 */
function tunnelled(
  connect: buildConnector.connector,
): buildConnector.connector {
  return failing(connect, (error) =>
    PROXY_FAILURES.has(errorCode(error) ?? '') ? new ProxyError(error) : error,
  );
}

const PROXY_FAILURES = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_ABORTED',
  'HTTPParserError',
]);

/** The proxy failed, before anything was sent to the server; the cause says how. */
class ProxyError extends Error {
  constructor(cause: Error) {
    super('the proxy failed', { cause });
  }
}

function failureOf(
  thrown: unknown,
  request: string,
  origin: string,
): ExchangeError {
  const code = errorCode(thrown) ?? '';
  const isProxy = thrown instanceof ProxyError;
  if (!isProxy && code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return badAnswer(request, `it has more than ${LARGEST_ANSWER} bytes`);
  if (
    !isProxy &&
    (code === 'HTTPParserError' ||
      code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
  )
    return badAnswer(request, 'it is not valid HTTP');
  const reason = `${isProxy ? 'the proxy of HTTPS_PROXY failed: ' : ''}${systemReason(thrown)}`;
  const phase = isProxy || NOT_SENT.has(code) ? 'not-sent' : 'no-answer';
  return new ExchangeError(
    phase,
    diagnostic('unreachable', { origin, reason }),
  );
}

/** Codes of failures that come before a request leaves this machine. */
const NOT_SENT = new Set([
  ...[
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
  ],
]);
