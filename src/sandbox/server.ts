import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { isLoopback } from '../core/model/loopback.ts';
import { readCatalog } from './catalog.ts';
import { Refusal, SandboxError } from './refusal.ts';
import { ROUTES } from './routes.ts';
import type { SandboxOptions, Service, User } from './service.ts';
import { openStore } from './store.ts';

interface AppEnv {
  readonly Bindings: HttpBindings & { readonly outgoing: ServerResponse };
  readonly Variables: { body?: unknown };
}

type AppContext = Context<AppEnv>;
type Route = (typeof ROUTES)[number];

/** The media type of the API: section 9. */
const MEDIA_TYPE = 'application/vnd.api+json';

/** How many milliseconds requests in flight may still take once the server closes. */
const GRACE = 5000;

/**
 * Starts the service and resolves when it listens, with its address (without a slash at the end). `close` answers the
 * requests in flight. Rejects with a SandboxError for reasons that a user can fix.
 */
export async function startSandbox(options: SandboxOptions) {
  const { host, port, dataFile } = options;
  const store = await openStore(await readCatalog(options), dataFile);
  const app = createApp({ ...options, store, sessions: new Map() });
  // Node's own server: the other kinds of the adapter need options that are not given.
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
  }) as Server;
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw new SandboxError(`it cannot listen on ${host}, port ${port}`, error);
  });
  return { url: urlOf(server, host), close: () => close(server) };
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port =
    typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), GRACE).unref();
  await once(server, 'close');
}

/** The service as a hono application. Every error becomes an error document. */
function createApp(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(watch(service));
  app.use(async ({ req }, next) => {
    refuseForeign(service.host, req.raw.headers);
    await next();
  });
  for (const route of ROUTES)
    app.on(route.method, route.path, async (context) =>
      respond(context, 200, await answer(service, route, context)),
    );
  app.notFound((context) =>
    fail(context, new Refusal(404, 'No such address.')),
  );
  app.onError((error, context) => fail(context, error));
  return app;
}

/** Waits before each answer, and reports each exchange and each fault. */
function watch({
  now,
  latency = 0,
  onExchange,
  onFault,
}: Service): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const started = now();
    if (latency > 0) await sleep(latency);
    await next();
    const { incoming, outgoing } = context.env;
    const { method = '', url = '' } = incoming;
    const durationMs = now() - started;
    onExchange?.({
      method,
      path: url,
      status: outgoing.statusCode,
      durationMs,
      body: context.get('body'),
    });
    const { error } = context;
    if (error !== undefined && !(error instanceof Refusal)) onFault?.(error);
  };
}

/** Sends a document; past the streams of hono's adapter, which copy it. */
function respond(
  { env }: AppContext,
  status: number,
  document: object,
): Response {
  const body = JSON.stringify(document);
  env.outgoing
    .writeHead(status, {
      'content-type': MEDIA_TYPE,
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
  return RESPONSE_ALREADY_SENT;
}

function fail(context: AppContext, error: unknown): Response {
  const { status, document } =
    error instanceof Refusal
      ? error
      : new Refusal(500, 'The sandbox failed to answer.');
  return respond(context, status, document);
}

/** Checks a request against its route and answers it. */
async function answer(
  service: Service,
  route: Route,
  context: AppContext,
): Promise<object> {
  const { token, user } = authenticate(
    service,
    route,
    context.req.header('authorization'),
  );
  const query = new URL(context.req.url).searchParams;
  const body = await readBody(route, context);
  return route.run(service, {
    user,
    token,
    query,
    body,
    params: context.req.param(),
  });
}

const NOBODY: User = { id: '0', username: 'nobody', role: 'user' };

/** The user of the bearer token. Refuses a token that is not valid (401), and a role without the right (403). */
function authenticate(
  { sessions, now }: Service,
  { access }: Route,
  header = '',
) {
  const token = /^bearer +(\S+)$/i.exec(header)?.[1] ?? '';
  if (access === 'public') return { token, user: NOBODY };
  const { user, expiresAt } = sessions.get(token) ?? {
    user: NOBODY,
    expiresAt: 0,
  };
  if (expiresAt <= Math.floor(now() / 1000))
    throw new Refusal(
      401,
      'The bearer token is missing, expired or no longer valid.',
      {
        header: 'Authorization',
      },
    );
  if (access === 'manager' && user.role === 'user')
    throw new Refusal(
      403,
      'This needs the role integration manager or administrator.',
    );
  return { token, user };
}

/** The parsed body of a PATCH or a login. Refuses another media type (415), and what is not JSON (400). */
async function readBody(
  { method, path }: Route,
  { req, set }: AppContext,
): Promise<unknown> {
  if (method === 'GET' || path.endsWith('/logout')) return undefined;
  const type = req.header('content-type') ?? '';
  if (!/^application\/vnd\.api\+json *(; *charset=utf-8)?$/i.test(type))
    throw new Refusal(415, `The header Content-Type must be ${MEDIA_TYPE}.`, {
      header: 'Content-Type',
    });
  const body: unknown = await req.json().catch(() => {
    throw new Refusal(400, 'The body is not JSON.', { pointer: '' });
  });
  set('body', body);
  return body;
}

/**
 * Refuses what the page of another site sends through a browser: to a name that it made point here (Host; an IP address is no
 * such name), or across sites (Origin). `own` is the address that the sandbox listens on.
 */
function refuseForeign(own: string, headers: Headers): void {
  const authority = `http://${headers.get('host')}`;
  const url = URL.canParse(authority) ? new URL(authority) : undefined;
  const isName = (name: string) =>
    name !== own.toLowerCase() && isIP(name.replace(/[[\]]/g, '')) === 0;
  if (url === undefined || (!isLoopback(url) && isName(url.hostname)))
    throw new Refusal(403, 'The sandbox does not answer to this name.', {
      header: 'Host',
    });
  if ((headers.get('origin') ?? url.origin) !== url.origin)
    throw new Refusal(
      403,
      'The sandbox does not answer the pages of other sites.',
      { header: 'Origin' },
    );
}
