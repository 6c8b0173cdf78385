import type { ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { isLoopback } from '../core/model/loopback.ts';
import { ERROR_ROUTES } from './errors.ts';
import { INTEGRATION_ROUTES } from './integrations.ts';
import { TOKEN_ROUTES } from './login.ts';
import { OPTION_ROUTE } from './options.ts';
import { Refusal, refusal } from './refusal.ts';
import { mayManage, type Route, type SandboxOptions, type Service, type User } from './service.ts';

interface AppEnv {
  readonly Bindings: HttpBindings & { readonly outgoing: ServerResponse };
  readonly Variables: { body?: unknown };
}

type AppContext = Context<AppEnv>;

/** Everything that the service answers. The first matching path wins. */
export const ROUTES: readonly Route[] = [
  ...TOKEN_ROUTES,
  ...ERROR_ROUTES,
  ...INTEGRATION_ROUTES,
  OPTION_ROUTE,
];

/** The media type of the API: section 9. */
const MEDIA_TYPE = 'application/vnd.api+json';

/** The service as a hono application. Every error becomes an error document. */
export function createApp(service: Service, options: SandboxOptions): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const foreign = originGuard(options.host);
  app.use(watch(options));
  app.use(async ({ req }, next) => {
    const refused = foreign(req.raw.headers);
    if (refused !== undefined) throw refused;
    await next();
  });
  for (const route of ROUTES)
    app.on(route.method, route.path, async (context) =>
      respond(context, 200, await answer(service, route, context)),
    );
  app.notFound((context) => fail(context, refusal(404, 'No such address.')));
  app.onError((error, context) => fail(context, error));
  return app;
}

/** Waits before each answer, and reports each exchange and each fault. */
function watch({ now, latency = 0, onExchange, onFault }: SandboxOptions): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const started = now();
    if (latency > 0) await setTimeout(latency);
    await next();
    const { incoming, outgoing } = context.env;
    const { method = '', url = '' } = incoming;
    const durationMs = now() - started;
    onExchange?.({ method, path: url, status: outgoing.statusCode, durationMs, body: context.get('body') });
    const { error } = context;
    if (error !== undefined && !(error instanceof Refusal && error.status < 500)) onFault?.(error);
  };
}

/** Sends a document; past the streams of hono's adapter, which copy it. */
function respond({ env }: AppContext, status: number, document: object): Response {
  const body = JSON.stringify(document);
  env.outgoing
    .writeHead(status, { 'content-type': MEDIA_TYPE, 'content-length': Buffer.byteLength(body) })
    .end(body);
  return RESPONSE_ALREADY_SENT;
}

function fail(context: AppContext, error: unknown): Response {
  const { status, document } =
    error instanceof Refusal ? error : refusal(500, 'The sandbox failed to answer.');
  return respond(context, status, document);
}

/** Checks a request against its route and answers it. */
async function answer(service: Service, route: Route, context: AppContext): Promise<object> {
  const { token, user } = authenticate(service, route, context.req.header('authorization'));
  const query = new URL(context.req.url).searchParams;
  const body = await readBody(route, context);
  return route.run(service, { user, token, query, body, params: context.req.param() });
}

const NOBODY: User = { id: '0', username: 'nobody', role: 'user' };

/** The user of the bearer token. Refuses a token that is not valid (401), and a role without the right (403). */
function authenticate({ sessions }: Service, { access }: Route, header = '') {
  const token = /^bearer +(\S+)$/i.exec(header)?.[1] ?? '';
  if (access === 'public') return { token, user: NOBODY };
  const user = sessions.userOf(token);
  if (user === undefined)
    throw refusal(401, 'The bearer token is missing, expired or no longer valid.', {
      header: 'Authorization',
    });
  if (access === 'token' || mayManage(user)) return { token, user };
  throw refusal(403, 'This needs the role integration manager or administrator.');
}

/** The parsed body of a PATCH or a login. Refuses another media type (415), and what is not JSON (400). */
async function readBody({ method, path }: Route, { req, set }: AppContext): Promise<unknown> {
  if (method === 'GET' || path.endsWith('/logout')) return undefined;
  const type = req.header('content-type') ?? '';
  if (!/^application\/vnd\.api\+json *(; *charset=utf-8)?$/i.test(type))
    throw refusal(415, `The header Content-Type must be ${MEDIA_TYPE}.`, { header: 'Content-Type' });
  const body: unknown = await req.json().catch(() => {
    throw refusal(400, 'The body is not JSON.', { pointer: '' });
  });
  set('body', body);
  return body;
}

/**
 * Refuses what the page of another site sends through a browser: to a name that it made point here (Host), or across sites
 * (Origin). `host` is the address that the sandbox listens on.
 */
function originGuard(host: string): (headers: Headers) => Refusal | undefined {
  const own = urlOf(host.includes(':') ? `[${host}]` : host)?.hostname;
  // Where it listens on all addresses, each is its own; a name may be anybody's.
  const isOwn = ({ hostname }: URL) =>
    hostname === own || (isIP(host) > 0 && /^[0:.]+$/.test(host) && isIP(hostname.replace(/[[\]]/g, '')) > 0);
  return (headers) => {
    const url = urlOf(headers.get('host') ?? '');
    if (url === undefined || !(isLoopback(url) || isOwn(url)))
      return refusal(403, 'The sandbox does not answer to this name.', { header: 'Host' });
    const origin = headers.get('origin');
    return origin === null || origin === url.origin
      ? undefined
      : refusal(403, 'The sandbox does not answer the pages of other sites.', { header: 'Origin' });
  };
}

function urlOf(authority: string): URL | undefined {
  return URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`) : undefined;
}
