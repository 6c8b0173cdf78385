import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { installAll } from './catalog.ts';
import { Refusal, SandboxError } from './refusal.ts';
import { ROUTES, type Route } from './routes.ts';
import type { SandboxOptions, Service, User } from './service.ts';
import { openStore } from './store.ts';

/** A sandbox that listens. */
export interface RunningSandbox {
  /** Its address, without a slash at the end. */
  url: string;
  /** Ends it, after the requests in flight are answered. */
  close: () => Promise<void>;
}

/** What hono knows of a request. */
interface AppEnv {
  Bindings: HttpBindings & { outgoing: ServerResponse };
  Variables: { body?: unknown };
}

type AppContext = Context<AppEnv>;

/**
 * Starts the service, and resolves when it listens. Rejects with a SandboxError
 * for reasons that a user can fix.
 */
export async function startSandbox(
  options: SandboxOptions,
): Promise<RunningSandbox> {
  const { host, port, dataFile } = options;
  const store = await openStore(installAll(options), dataFile);
  const app = createApp({ ...options, store, sessions: new Map() });
  // Node's own server: the others of the adapter need options not given here.
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
  }) as Server;
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (thrown) {
    throw new SandboxError(`it cannot listen on ${host}, port ${port}`, thrown);
  }
  return { url: urlOf(server, host), close: () => close(server) };
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Milliseconds for which requests in flight may go on in a closing server. */
const GRACE = 5000;

async function close(server: Server): Promise<void> {
  server.close();
  setTimeout(() => server.closeAllConnections(), GRACE).unref();
  await once(server, 'close');
}

/** The service as a hono application. Every error becomes a document. */
function createApp(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(watch(service));
  app.use(async (context, next) => {
    refuseForeign(service.host, context.req.raw.headers);
    await next();
  });
  for (const route of ROUTES) {
    app.on(route.method, route.path, async (context) => {
      const document = await answer(service, route, context);
      return respond(context, 200, document);
    });
  }
  app.notFound(() => {
    throw new Refusal(404, 'No such address.');
  });
  app.onError((error, context) => {
    const failed = new Refusal(500, 'The sandbox failed to answer.');
    const { status, document } = error instanceof Refusal ? error : failed;
    return respond(context, status, document);
  });
  return app;
}

/** Waits before each answer, and reports each exchange and each fault. */
function watch(service: Service): MiddlewareHandler<AppEnv> {
  const { latency = 0, onExchange, onFault } = service;
  return async (context, next) => {
    if (latency > 0) await sleep(latency);
    await next();
    const { incoming, outgoing } = context.env;
    const { method = '', url = '' } = incoming;
    onExchange?.({
      method,
      path: url,
      status: outgoing.statusCode,
      body: context.get('body'),
    });
    const { error } = context;
    if (error !== undefined && !(error instanceof Refusal)) onFault?.(error);
  };
}

/** Sends a document, past the streams of hono's adapter, which copy it. */
function respond(
  context: AppContext,
  status: number,
  document: object,
): Response {
  const body = JSON.stringify(document);
  const headers = {
    'content-type': MEDIA_TYPE,
    'content-length': Buffer.byteLength(body),
  };
  context.env.outgoing.writeHead(status, headers).end(body);
  return RESPONSE_ALREADY_SENT;
}

/** Checks a request against its route and answers it. */
async function answer(
  service: Service,
  route: Route,
  context: AppContext,
): Promise<object> {
  const { req } = context;
  const header = req.header('authorization') ?? '';
  const token = /^bearer +(\S+)$/i.exec(header)?.[1] ?? '';
  const user = userOf(service, route, token);
  const query = new URL(req.url).searchParams;
  const body = await readBody(route, context);
  const params = req.param();
  return route.run({ service, user, token, query, body, params });
}

const NOBODY: User = { id: '0', username: 'nobody', role: 'user' };

/** The user of a token. Refuses a dead token (401) and a weak role (403). */
function userOf(service: Service, route: Route, token: string): User {
  const { sessions, now } = service;
  if (route.access === 'public') return NOBODY;
  const session = sessions.get(token);
  if (session === undefined || session.expiresAt <= Math.floor(now() / 1000)) {
    const detail = 'The bearer token is missing, expired or no longer valid.';
    throw new Refusal(401, detail);
  }
  const { user } = session;
  if (route.access === 'manager' && user.role === 'user') {
    const role = 'integration manager or administrator';
    throw new Refusal(403, `This needs the role ${role}.`);
  }
  return user;
}

/** The media type of the API: section 9. */
const MEDIA_TYPE = 'application/vnd.api+json';

/**
 * The parsed body of a PATCH or a login. Refuses another media type (415), and
 * other text than JSON (400).
 */
async function readBody(route: Route, context: AppContext): Promise<unknown> {
  const { method, path } = route;
  if (method === 'GET' || path.endsWith('/logout')) return undefined;
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/vnd\.api\+json *(; *charset=utf-8)?$/i.test(type)) {
    const detail = `The header Content-Type must be ${MEDIA_TYPE}.`;
    throw new Refusal(415, detail);
  }
  const body: unknown = await context.req.json().catch(() => {
    throw new Refusal(400, 'The body is not JSON.');
  });
  context.set('body', body);
  return body;
}

/**
 * Refuses what comes by a name that a site made point here, as its page could
 * read the answers. `own` is the address that the sandbox listens on. Pages of
 * other names need not be refused: browsers let them send no body of this media
 * type, and read nothing.
 */
function refuseForeign(own: string, headers: Headers): void {
  const authority = `http://${headers.get('host')}`;
  const url = URL.canParse(authority) ? new URL(authority) : undefined;
  const name = url?.hostname.replace(/[[\]]/g, '') ?? '';
  // No site can have made these names point here.
  const isOwn = ['localhost', own.toLowerCase()].includes(name);
  if (isOwn || isIP(name) !== 0) return;
  throw new Refusal(403, 'The sandbox does not answer to this name.');
}
