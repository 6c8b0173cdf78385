import { Socket } from 'node:net';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import { isLoopback } from '../../core/model/loopback.ts';
import { errorCode, failUsage } from '../failure.ts';

export interface DispatcherOptions {
  readonly url: URL;
  readonly connections: number;
  /** Seconds for one request; a PATCH has its own. A connection opens in the time of a reading, or not at all. */
  readonly timeout: { readonly read: number; readonly write: number };
  readonly insecure?: boolean | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Sends requests; `destroy` ends all connections at once, also those that are still opening. */
export interface OpenDispatcher {
  readonly send: (
    url: string,
    options: Pick<Dispatcher.RequestOptions, 'method' | 'signal' | 'headers' | 'body'>,
  ) => Promise<Dispatcher.ResponseData>;
  readonly destroy: () => Promise<void>;
}

/** The proxy failed, before anything was sent to the server; the cause says how. */
export class ProxyError extends Error {
  constructor(cause: Error) {
    super('the proxy failed', { cause });
    this.name = 'ProxyError';
  }
}

/** The largest answer that is read, in bytes. */
export const LARGEST_ANSWER = 16 * 1024 * 1024;

/** A dispatcher for one server, through a proxy if the environment names one; undici is loaded here. */
export async function openDispatcher(
  options: DispatcherOptions,
  ca: readonly string[] | undefined,
): Promise<OpenDispatcher> {
  const undici = await import('./undici.ts');
  const tls = {
    ...(ca === undefined ? {} : { ca: [...ca] }),
    // Always set: otherwise NODE_TLS_REJECT_UNAUTHORIZED decides.
    rejectUnauthorized: options.insecure !== true,
    timeout: Math.ceil(options.timeout.read * 1000),
  };
  const sockets = new Set<Socket>();
  const direct = undici.buildConnector(tls);
  const factory = (origin: string | URL, pool: Pool.Options) => {
    const connect = typeof pool.connect === 'function' ? failing(pool.connect, tunnelFailure) : direct;
    return new undici.Pool(origin, { ...pool, connect: watched(connect, sockets) });
  };
  const toProxy = failing(direct, (error) => new ProxyError(error));
  const clientFactory = (origin: URL, pool: object) =>
    new undici.Pool(origin, { ...pool, connect: watched(toProxy, sockets) });
  const limits = {
    connections: options.connections,
    // Each request has a deadline of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: LARGEST_ANSWER,
    factory,
  };
  const proxy = proxyOf(options);
  const through = { ...limits, ...proxy, clientFactory, requestTls: tls, proxyTls: tls };
  const dispatcher = proxy === undefined ? new undici.Agent(limits) : new undici.EnvHttpProxyAgent(through);
  return {
    send: (url, request) => undici.request(url, { ...request, dispatcher }),
    destroy: async () => {
      const destroyed = dispatcher.destroy();
      for (const socket of sockets) socket.destroy();
      await destroyed;
    },
  };
}

function proxyOf({ url, env }: DispatcherOptions) {
  const httpsProxy = env['HTTPS_PROXY'] ?? env['https_proxy'] ?? '';
  if (httpsProxy === '' || isLoopback(url)) return undefined;
  if (!/^https?:$/.test(URL.canParse(httpsProxy) ? new URL(httpsProxy).protocol : ''))
    failUsage('HTTPS_PROXY is not an http or https address.');
  return { httpsProxy, httpProxy: '', noProxy: env['NO_PROXY'] ?? env['no_proxy'] ?? '' };
}

/**
 * A connector whose sockets are known from their first moment: undici forgets those that it is still opening when it is
 * destroyed, and a handshake without an answer would keep the process alive.
 */
function watched(connect: buildConnector.connector, sockets: Set<Socket>): buildConnector.connector {
  return (options, callback) => {
    const socket: unknown = connect(options, callback);
    if (!(socket instanceof Socket)) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
}

/** A connector whose errors are seen through a function. */
function failing(connect: buildConnector.connector, seen: (error: Error) => Error): buildConnector.connector {
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
function tunnelFailure(error: Error): Error {
  return PROXY_FAILURES.has(errorCode(error) ?? '') ? new ProxyError(error) : error;
}

const PROXY_FAILURES = new Set(['UND_ERR_SOCKET', 'UND_ERR_ABORTED', 'HTTPParserError']);
