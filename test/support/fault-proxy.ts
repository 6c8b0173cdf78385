import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { type Fault, type Hooks, inflict, type Passed } from './faults.ts';

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

export interface FaultProxy {
  readonly url: string;
  /** Methods and paths of all requests, without the query, in the order in which they came. */
  readonly seen: string[];
  readonly kinds: RequestKind[];
  /** From now on connections are refused, until `comeBack`. */
  goDown(): void;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** A proxy before a service that ends with the test; `fault` says what goes wrong, undefined passes the request on. */
export async function faultyProxy(
  target: string,
  fault: (seen: Seen) => Fault | undefined,
): Promise<FaultProxy> {
  const proxy = await startFaultProxy(target, fault);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** What is called while a request passes, with its number from 1 on; see `Hooks`. */
export interface PassingHooks {
  readonly before?: (passing: Seen) => ReturnType<NonNullable<Hooks['before']>>;
  readonly after?: (passing: Seen) => ReturnType<NonNullable<Hooks['after']>>;
}

/** A proxy at which every request can be stopped before and after the service acted; it ends with the test. */
export function turnstile(target: string, { before, after }: PassingHooks): Promise<FaultProxy> {
  return faultyProxy(target, (seen) => {
    const passing = { ...seen, number: seen.number + 1 };
    return { before: () => before?.(passing) ?? true, after: () => after?.(passing) ?? true };
  });
}

/** The same for a caller that closes it. The service gets `headers` in place of those of the client. */
export async function startFaultProxy(
  target: string,
  fault: (seen: Seen) => Fault | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<FaultProxy> {
  const seen: Seen[] = [];
  const names: string[] = [];
  const kinds: RequestKind[] = [];
  const onward = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    const found = look(incoming, seen);
    seen.push(found);
    kinds.push(found.kind);
    names.push(`${found.method} ${found.path}`);
    const goDown = () => server.close();
    const onwards = () => pass(target, incoming, onward, headers);
    const context = { socket: incoming.socket, outgoing, goDown, pass: onwards };
    inflict(fault(found), context).catch(() => incoming.socket.resetAndDestroy());
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    seen: names,
    kinds,
    goDown: () => void server.close(),
    async comeBack() {
      if (!server.listening) await listen(server, port);
    },
    async close() {
      onward.destroy();
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function look({ method = '', url = '' }: IncomingMessage, earlier: readonly Seen[]): Seen {
  const path = url.replace(/\?.*$/, '');
  const hasWritten = earlier.some((each) => each.method === 'PATCH');
  const kind = kindOf(method, url, hasWritten);
  return {
    method,
    path,
    kind,
    number: earlier.length,
    before: earlier.filter((each) => each.method === method && each.path === path).length,
    ofKind: earlier.filter((each) => each.kind === kind).length,
  };
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Sends a request on and reads the whole answer of the service. */
async function pass(
  target: string,
  incoming: IncomingMessage,
  agent: Agent,
  own: Readonly<Record<string, string>>,
): Promise<Passed> {
  const { method, url = '' } = incoming;
  const onward = request(`${target}${url}`, { method, headers: { ...incoming.headers, ...own }, agent });
  incoming.pipe(onward);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const { 'transfer-encoding': _, connection: __, 'keep-alive': ___, ...told } = answer.headers;
  return { status: answer.statusCode ?? 502, headers: told, body: Buffer.concat(chunks) };
}

/**
 * What a request is for, as far as it can be told from outside: `detail` is what is read of one integration, and a read
 * after the first PATCH is a reading back.
 */
export type RequestKind = KindOfApply | 'refresh' | 'other';

/** What an apply sends, whatever it changes. */
export type KindOfApply = (typeof REQUEST_KINDS)[number];

/** The kinds that an apply is made of, in their order. */
export const REQUEST_KINDS = [
  'login',
  'list page 1',
  'list page k',
  'detail',
  'errors',
  'patch options',
  'patch attributes',
  'read back',
  'logout',
] as const;

/** The kind of a request; `hasWritten` tells whether a PATCH came before. */
function kindOf(method: string, url: string, hasWritten: boolean): RequestKind {
  const path = url.replace(/\?.*$/, '');
  const fixed = FIXED.get(`${method} ${path}`);
  if (fixed !== undefined) return fixed;
  if (method === 'PATCH') return 'patch attributes';
  if (method !== 'GET') return 'other';
  if (hasWritten) return 'read back';
  if (path === '/api/integrations') return url.includes('page[number]') ? 'list page k' : 'list page 1';
  return 'detail';
}

const FIXED: ReadonlyMap<string, RequestKind> = new Map([
  ['POST /api/users/login', 'login'],
  ['POST /api/users/logout', 'logout'],
  ['GET /api/users/refresh', 'refresh'],
  ['GET /api/integrations/errors', 'errors'],
  ['PATCH /api/integration-options', 'patch options'],
]);
