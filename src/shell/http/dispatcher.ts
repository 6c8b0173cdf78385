import { isUtf8 } from 'node:buffer';
import { EventEmitter } from 'node:events';
import {
  Agent,
  buildConnector,
  type Dispatcher,
  EnvHttpProxyAgent,
  Pool,
} from 'undici';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { isLoopback } from '../../core/model/loopback.ts';
import { proxyIn } from '../../core/model/proxy.ts';
import { encodeOpen, reveal } from '../../core/model/secret.ts';
import { errorCode, failUsage, systemReason } from '../failure.ts';
import {
  type Answer,
  badAnswer,
  ExchangeError,
  type Request,
  requestName,
} from './exchange.ts';

export interface DispatcherOptions {
  url: URL;
  connections: number;
  /** Seconds for one request; by default 30, and 60 for a PATCH. */
  timeout?: number | undefined;
  insecure?: boolean | undefined;
  /** Certificates that are trusted in addition to the usual ones. */
  ca?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** A request under way. */
interface Flight {
  /** When its time is over. */
  end: number;
  aborted: AbortSignal;
  stop: () => void;
}

/** A connection opens in the time of a reading. */
const READ_TIMEOUT = 30;

const MEDIA_TYPE = 'application/vnd.api+json';

/** Some servers answer with plain JSON, and refuse clients without it. */
const ACCEPTED = `${MEDIA_TYPE}, application/json`;

const UNANSWERED = 'the run ended before it answered';

/** Milliseconds after which deadlines are looked at again. */
const TICK = 50;

/**
 * The connections to one server. One clock serves the deadlines of all requests
 * and holds whatever a connection does: undici does not end a silent handshake.
 */
export class ServerDispatcher {
  readonly #dispatcher: Dispatcher;
  readonly #timeout: number | undefined;
  readonly #origin: string;
  readonly #base: string;
  /**
   * No Set: each table that it has outgrown leads to the next, so that a dead
   * one in old memory keeps all requests since.
   */
  #inFlight: Flight[] = [];
  readonly #clock: NodeJS.Timeout;
  /** Milliseconds, without those in which the process stood still. */
  #time = 0;

  constructor(options: DispatcherOptions) {
    this.#dispatcher = dispatcherFor(options);
    this.#timeout = options.timeout;
    this.#origin = options.url.origin;
    this.#base = options.url.pathname.replace(/\/$/, '');
    this.#clock = setInterval(() => this.#stopLate(), TICK).unref();
  }

  /**
   * Returns what is taken from the answer to a request, or throws an
   * ExchangeError. It has its time for the request and all of the answer.
   */
  send<T>(
    request: Request,
    aborted: AbortSignal,
    take: (answer: Answer) => T,
  ): Promise<T> {
    const most = request.method === 'PATCH' ? 60 : READ_TIMEOUT;
    const seconds = this.#timeout ?? most;
    const name = requestName(request);
    return new Promise<T>((resolve, reject) => {
      // Undici takes it for a signal. An AbortController costs ten times more.
      const signal = new EventEmitter();
      const stop = () => {
        this.#land(flight);
        const facts = { of: 'request', request: name, seconds } as const;
        reject(
          aborted.aborted
            ? unreachable('no-answer', this.#origin, UNANSWERED)
            : new ExchangeError('no-answer', diagnostic('timeout', facts)),
        );
        signal.emit('abort');
      };
      const end = this.#time + seconds * 1000;
      const flight: Flight = { end, aborted, stop };
      if (aborted.aborted) return stop();
      this.#inFlight.push(flight);
      this.#exchange(request, signal, take)
        .then(resolve, reject)
        .finally(() => this.#land(flight));
    });
  }

  #land(flight: Flight): void {
    this.#inFlight = this.#inFlight.filter((other) => other !== flight);
  }

  /** Ends all connections. One that is still opening ends with the process. */
  destroy(): Promise<void> {
    clearInterval(this.#clock);
    return this.#dispatcher.destroy();
  }

  async #exchange<T>(
    request: Request,
    signal: EventEmitter,
    take: (answer: Answer) => T,
  ): Promise<T> {
    const { method, body, token } = request;
    const origin = this.#origin;
    const headers: Record<string, string> = {
      accept: ACCEPTED,
      'content-type': MEDIA_TYPE,
    };
    if (token !== undefined) {
      headers['authorization'] = `Bearer ${reveal(token)}`;
    }
    const path = `${this.#base}${request.path}`;
    const text = body === undefined ? null : encodeOpen(body);
    const sent = { method, origin, path, headers, body: text, signal };
    let response: Dispatcher.ResponseData | undefined;
    const parts: Buffer[] = [];
    try {
      response = await this.#dispatcher.request(sent);
      for await (const part of response.body) parts.push(part);
    } catch (thrown) {
      const name = requestName(request);
      throw failureOf(thrown, name, origin, response !== undefined);
    }
    // Long waits end in old memory, which is rarely collected: neither the list
    // nor a promise may keep the text.
    const bytes = Buffer.concat(parts.splice(0));
    // JSON in UTF-8 has no byte that is 0.
    return take({
      status: response.statusCode,
      headers: response.headers,
      text: new TextDecoder().decode(bytes),
      isUtf8: isUtf8(bytes) && !bytes.includes(0),
    });
  }

  #stopLate(): void {
    this.#time += TICK;
    for (const { end, aborted, stop } of this.#inFlight) {
      if (this.#time > end || aborted.aborted) stop();
    }
  }
}

/** The largest answer that is read, in bytes. */
const LARGEST_ANSWER = 16 * 1024 * 1024;

/** A dispatcher for one server, through a proxy if the environment names it. */
function dispatcherFor(options: DispatcherOptions): Dispatcher {
  const tls = tlsOf(options);
  const direct = buildConnector(tls);
  const pools = {
    connections: options.connections,
    // Each request has a deadline of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: LARGEST_ANSWER,
    factory: (origin: string | URL, pool: Pool.Options) => {
      // A proxy agent brings a connector, which opens a tunnel.
      const tunnel = pool.connect;
      const isTunnel = typeof tunnel === 'function';
      const connect = isTunnel ? tunnelled(tunnel) : direct;
      return new Pool(origin, { ...pool, connect });
    },
  };
  const proxy = proxyIn(options.env);
  if (proxy === undefined || isLoopback(options.url)) return new Agent(pools);
  if (!/^https?:\/\//i.test(proxy.address) || !URL.canParse(proxy.address)) {
    failUsage('HTTPS_PROXY is not an http or https address.');
  }
  const connect = withErrors(direct, (error) => new ProxyError(error));
  return new EnvHttpProxyAgent({
    ...pools,
    httpsProxy: proxy.address,
    httpProxy: '',
    noProxy: proxy.except,
    token: proxy.authorization,
    clientFactory: (origin: URL, pool: object) =>
      new Pool(origin, { ...pool, connect }),
    requestTls: tls,
    proxyTls: tls,
  });
}

function tlsOf(options: DispatcherOptions): buildConnector.BuildOptions {
  const { ca, insecure, timeout = READ_TIMEOUT } = options;
  const tls = {
    // Always set: otherwise NODE_TLS_REJECT_UNAUTHORIZED decides.
    rejectUnauthorized: insecure !== true,
    timeout: Math.ceil(timeout * 1000),
  };
  if (ca === undefined) return tls;
  // As `ca`, they would end the trust in all others.
  const { createSecureContext } = process.getBuiltinModule('node:tls');
  const secureContext = createSecureContext();
  secureContext.context.addCACert(ca);
  return { ...tls, secureContext };
}

/**
 * Tells the errors of a proxy that opens no tunnel from those of the server at
 * its end. A ProxyError has no code: at UND_ERR_SOCKET, undici would connect
 * again without end when a proxy closes the connection.
 */
function tunnelled(
  connect: buildConnector.connector,
): buildConnector.connector {
  return withErrors(connect, (error) => {
    const isProxy = PROXY_FAILURES.has(errorCode(error) ?? '');
    return isProxy ? new ProxyError(error) : error;
  });
}

const PROXY_FAILURES = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_ABORTED',
  'HTTPParserError',
]);

/** A connector whose errors go through a function. */
function withErrors(
  connect: buildConnector.connector,
  errorOf: (error: Error) => Error,
): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(errorOf(error), null);
    });
}

/** A failure of the proxy, before anything was sent to the server. */
class ProxyError extends Error {
  /** That of its answer, if it gave one but opened no tunnel. */
  readonly status: number | undefined;

  constructor(cause: Error) {
    super('the proxy failed', { cause });
    const [, status] = /^Proxy response \((\d+)\)/.exec(cause.message) ?? [];
    this.status = status === undefined ? undefined : Number(status);
  }
}

/**
 * The error of an exchange that the connection ended; it is cut if a part of
 * the answer came.
 */
function failureOf(
  thrown: unknown,
  name: string,
  origin: string,
  isCut: boolean,
): ExchangeError {
  const code = errorCode(thrown) ?? '';
  const words = systemReason(thrown);
  if (thrown instanceof ProxyError) {
    const { status } = thrown;
    const refusal = `it opened no tunnel (${status}); check its account`;
    const reason = status === undefined ? words : refusal;
    const problem = `the proxy of HTTPS_PROXY failed: ${reason}`;
    return unreachable('not-sent', origin, problem, status);
  }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return badAnswer(name, `it has more than ${LARGEST_ANSWER} bytes`);
  }
  if (isCut) {
    const reason = 'the connection was closed in the middle of its answer';
    return unreachable('no-answer', origin, reason);
  }
  const isUnknown = /SELF_SIGNED|ISSUER|VERIFY_LEAF/.test(code);
  const remedy = '; --ca-file or tls.caFile must hold its issuer';
  const phase = NOT_SENT.has(code) ? 'not-sent' : 'no-answer';
  return unreachable(phase, origin, isUnknown ? `${words}${remedy}` : words);
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

function unreachable(
  phase: 'not-sent' | 'no-answer',
  origin: string,
  reason: string,
  status?: number,
): ExchangeError {
  const isCutShort = reason === UNANSWERED;
  const finding = diagnostic('unreachable', { origin, reason, isCutShort });
  return new ExchangeError(phase, finding, { status });
}
