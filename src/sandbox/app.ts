import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { originGuard } from './access/origin.ts';
import { mayManage, type User } from './access/users.ts';
import { logout } from './endpoints/login.ts';
import type { Exchange } from './exchange.ts';
import { ROUTES, type Route } from './routes.ts';
import type { Answer, Service } from './service.ts';
import { UnwritableError } from './state/snapshot.ts';
import { decodeQuery } from './wire/query.ts';
import { Refusal, refusal } from './wire/refusal.ts';

interface AppEnv {
  readonly Bindings: HttpBindings & { readonly outgoing: ServerResponse };
  readonly Variables: { body?: unknown };
}

type AppContext = Context<AppEnv>;

/** What surrounds the endpoints. */
export interface Surroundings {
  readonly host: string;
  /** Milliseconds before each answer. */
  readonly latency?: number;
  /** Called once a request, before its answer can reach the client. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Receives every error behind an answer of 500 or 503. */
  readonly onFault?: (error: unknown) => void;
}

/** The media type of the API: section 9. */
const MEDIA_TYPE = 'application/vnd.api+json';

const MAX_BODY = 1024 * 1024;

/** The service as a hono application. Every error becomes an error document. */
export function createApp(service: Service, surroundings: Surroundings): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const foreign = originGuard(surroundings.host);
  app.use(watch(service.now, surroundings));
  app.use(async ({ req }, next) => {
    const refused = foreign(req.raw.headers);
    if (refused !== undefined) throw refused;
    await next();
  });
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    const routes = ROUTES.filter((route) => route.path === path);
    for (const route of routes)
      app.on(route.method, path, async (context) =>
        respond(context, 200, await answer(service, route, context)),
      );
    app.all(path, (context) => fail(context, wrongMethod(routes)));
  }
  app.notFound((context) => fail(context, refusal(404, 'No such address.')));
  app.onError((error, context) => fail(context, error));
  return app;
}

/** Waits before each answer, and reports each exchange and each fault. */
function watch(
  now: () => number,
  { latency = 0, onExchange, onFault }: Surroundings,
): (context: AppContext, next: () => Promise<void>) => Promise<void> {
  return async (context, next) => {
    const started = now();
    if (latency > 0) await setTimeout(latency);
    await next();
    const { incoming, outgoing } = context.env;
    const { method = '', url = '' } = incoming;
    const durationMs = now() - started;
    onExchange?.({ method, path: url, status: outgoing.statusCode, durationMs, body: context.get('body') });
    if (context.error !== undefined && !(context.error instanceof Refusal)) onFault?.(context.error);
  };
}

/** Sends a document; past the streams of hono's adapter, which copy it. */
function respond({ env }: AppContext, status: number, document: object, headers = {}): Response {
  const body = JSON.stringify(document);
  const length = Buffer.byteLength(body);
  env.outgoing
    .writeHead(status, { 'content-type': MEDIA_TYPE, 'content-length': length, ...headers })
    .end(body);
  return RESPONSE_ALREADY_SENT;
}

function fail(context: AppContext, error: unknown): Response {
  const { status, document, headers } = error instanceof Refusal ? error : unforeseen(error);
  return respond(context, status, document, headers);
}

function unforeseen(error: unknown): Refusal {
  if (error instanceof UnwritableError)
    return refusal(503, 'The change was not kept: the data file cannot be written.');
  return refusal(500, 'The sandbox failed to answer.');
}

function wrongMethod(routes: readonly Route[]): Refusal {
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const allow = methods.sort().join(', ');
  return new Refusal(405, [{ detail: `This address accepts only ${allow}.` }], { allow });
}

/** Checks a request against its route and answers it. */
async function answer(service: Service, route: Route, context: AppContext): Promise<Answer> {
  const { token, user } = authenticate(service, route, context.req.header('authorization'));
  const query = decodeQuery(new URL(context.req.url).search, route.query ?? []);
  const body = await readBody(route, context);
  return route.run(service, { user, token, query, body, params: context.req.param() });
}

const NOBODY: User = { id: '0', username: 'nobody', role: 'user' };

/** The user of the bearer token. Refuses a token that is not valid (401), and a role without the right (403). */
function authenticate({ sessions }: Service, { access }: Route, header = '') {
  const token = /^bearer +(\S+)$/i.exec(header)?.[1] ?? '';
  if (access === 'public') return { token, user: NOBODY };
  const user = sessions.userOf(token);
  if (user === undefined) throw UNAUTHORIZED;
  if (access === 'token' || mayManage(user)) return { token, user };
  throw refusal(403, 'This needs the role integration manager or administrator.');
}

const UNAUTHORIZED = new Refusal(
  401,
  [
    {
      detail: 'The bearer token is missing, expired or no longer valid.',
      source: { header: 'Authorization' },
    },
  ],
  { 'www-authenticate': 'Bearer' },
);

/** The parsed body of a PATCH or a login. Refuses another media type (415), and what is not JSON (400). */
async function readBody({ method, run }: Route, { req, set }: AppContext): Promise<unknown> {
  if (method === 'GET' || run === logout) return undefined;
  const type = req.header('content-type') ?? '';
  if (!/^application\/vnd\.api\+json *(; *charset=utf-8)?$/i.test(type))
    throw refusal(415, `The header Content-Type must be ${MEDIA_TYPE}.`, { header: 'Content-Type' });
  const text = await readText(req.raw);
  try {
    const body: unknown = JSON.parse(text);
    set('body', body);
    return body;
  } catch {
    throw refusal(400, 'The body is not JSON.', { pointer: '' });
  }
}

/** Reads a body to its end, since a client that still sends does not read the answer. Keeps no more than MAX_BODY bytes. */
async function readText({ body }: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size <= MAX_BODY) chunks.push(chunk);
  }
  if (size <= MAX_BODY) return Buffer.concat(chunks).toString();
  throw refusal(413, `The body is larger than ${MAX_BODY} bytes.`);
}
