import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type Asked, type Fault, inflict, type Passed } from './faults.ts';

/** A request as the proxy sees it, before anything is done with it. */
export interface Seen {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly kind: RequestKind;
  /** How many requests came before, of any kind. */
  readonly number: number;
  /** How many requests of this method and path came before. */
  readonly before: number;
  /** How many requests of this kind came before. */
  readonly ofKind: number;
}

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

/** A proxy before a service that ends with the test; `fault` says what goes wrong, undefined passes the request on. */
export async function faultyProxy(
  target: string,
  fault: (seen: Seen) => Fault | undefined,
  headers?: Readonly<Record<string, string>>,
): Promise<FaultProxy> {
  const proxy = await startFaultProxy(target, fault, headers);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** What is waited for while a request passes; `false` leaves it without an answer, and an error breaks the connection. */
export interface PassingHooks {
  /** The service has not seen it yet. */
  readonly before?: (passing: Seen) => Promise<boolean> | boolean;
  /** The service has acted and answered; the client has not seen the answer. */
  readonly after?: (passing: Seen) => Promise<boolean> | boolean;
}

const NEVER = new Promise<never>(() => {});

/** A proxy at which every request can be stopped before and after the service acted; it numbers them from 1 on. */
export function turnstile(
  target: string,
  { before, after }: PassingHooks,
): Promise<FaultProxy> {
  return faultyProxy(target, (seen) => {
    const passing = { ...seen, number: seen.number + 1 };
    const through = async (
      asked: Asked,
      send: (asked: Asked) => Promise<Passed>,
    ) => {
      if ((await before?.(passing)) === false) return NEVER;
      const passed = await send(asked);
      return (await after?.(passing)) === false ? NEVER : passed;
    };
    return { through };
  });
}

/** A proxy for a caller that closes it. The service gets `headers` in place of those of the client. */
export async function startFaultProxy(
  target: string,
  fault: (seen: Seen) => Fault | undefined,
  headers: Readonly<Record<string, string>> = {},
) {
  const seen: Seen[] = [];
  const names: string[] = [];
  const kinds: RequestKind[] = [];
  // A busy machine may close one that is kept while a request is sent.
  const onward = new Agent();
  const server = createServer((incoming, outgoing) => {
    const found = look(incoming, seen);
    seen.push(found);
    kinds.push(found.kind);
    names.push(`${found.method} ${found.path}`);
    const context = {
      socket: incoming.socket,
      outgoing,
      goDown: () => server.close(),
      ask: () => asked(incoming, headers),
      send: (each: Asked) => send(target, each, onward),
    };
    inflict(fault(found), context).catch(() =>
      incoming.socket.resetAndDestroy(),
    );
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    /** Methods and paths of all requests, without the query, in the order in which they came. */
    seen: names,
    kinds,
    /** After a last answer. */
    async comeBack() {
      if (!server.listening) await listen(server, port);
    },
    async close() {
      onward.destroy();
      server.closeAllConnections();
      if (server.listening)
        await new Promise((resolve) => server.close(resolve));
    },
  };
}

function look(
  { method = '', url = '' }: IncomingMessage,
  earlier: readonly Seen[],
): Seen {
  const path = url.replace(/\?.*$/, '');
  const hasWritten = earlier.some((each) => each.method === 'PATCH');
  const kind = kindOf(method, url, hasWritten);
  return {
    method,
    path,
    kind,
    number: earlier.length,
    before: earlier.filter(
      (each) => each.method === method && each.path === path,
    ).length,
    ofKind: earlier.filter((each) => each.kind === kind).length,
  };
}

async function listen(
  server: ReturnType<typeof createServer>,
  port: number,
): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function asked(
  incoming: IncomingMessage,
  own: Readonly<Record<string, string>>,
): Promise<Asked> {
  const { method = '', url = '', headers } = incoming;
  return {
    method,
    url,
    headers: { ...headers, ...own },
    body: await text(incoming),
  };
}

/** Sends a request on and reads the whole answer of the service. */
async function send(
  target: string,
  { method, url, headers, body }: Asked,
  agent: Agent,
): Promise<Passed> {
  const { 'content-length': _, 'transfer-encoding': __, ...others } = headers;
  const onward = request(`${target}${url}`, { method, headers: others, agent });
  onward.end(body);
  // `once` gives the arguments of the event: for a response, the one answer.
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  const {
    'transfer-encoding': ___,
    connection,
    'keep-alive': ____,
    ...told
  } = answer.headers;
  return {
    status: answer.statusCode ?? 502,
    headers: told,
    body: await text(answer),
  };
}

/**
 * What a request is for, as far as it can be told from outside: `detail` is what is read of one integration, and a read
 * after the first PATCH is a reading back.
 */
export type RequestKind =
  | 'login'
  | 'refresh'
  | 'list page 1'
  | 'list page k'
  | 'detail'
  | 'errors'
  | 'patch options'
  | 'patch attributes'
  | 'read back'
  | 'logout'
  | 'other';

/** The kind of a request; `hasWritten` tells whether a PATCH came before. */
function kindOf(method: string, url: string, hasWritten: boolean): RequestKind {
  const path = url.replace(/\?.*$/, '');
  const fixed = FIXED.get(`${method} ${path}`);
  if (fixed !== undefined) return fixed;
  if (method === 'PATCH') return 'patch attributes';
  if (method !== 'GET') return 'other';
  if (hasWritten) return 'read back';
  if (path === '/api/integrations')
    return url.includes('page[number]') ? 'list page k' : 'list page 1';
  return 'detail';
}

const FIXED: ReadonlyMap<string, RequestKind> = new Map([
  ['POST /api/users/login', 'login'],
  ['POST /api/users/logout', 'logout'],
  ['GET /api/users/refresh', 'refresh'],
  ['GET /api/integrations/errors', 'errors'],
  ['PATCH /api/integration-options', 'patch options'],
]);
