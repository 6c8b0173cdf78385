import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { User } from './access/accounts.ts';
import { createAdmission } from './access/admission.ts';
import { ROUTES, type Route } from './routes.ts';
import type { Answer, Call, Service } from './service.ts';
import { hasBody, readJsonBody, requireMediaType } from './wire/body.ts';
import { decodeQuery } from './wire/query.ts';
import { Refusal, refusal } from './wire/refusal.ts';
import { createSender, respond } from './wire/respond.ts';

/** A request as hono passes it on; `body` is the parsed body, for the watch. */
interface AppEnv {
  readonly Bindings: HttpBindings & { readonly outgoing: ServerResponse };
  readonly Variables: { body?: unknown };
}

type AppContext = Context<AppEnv>;

/** Called for each request once its answer is ready, with the error behind it, if any. */
type Watch = (context: AppContext, error: unknown) => void;

/** The service as a hono application. Every error becomes an error document; none reaches the server. */
export function createApp(
  service: Service,
  openapi: object | undefined,
  refused: (headers: Headers) => Refusal | undefined,
  watch: Watch,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const sender = createSender(service.settings);
  const notAdmitted = createAdmission(service.settings);
  app.use(async (context, next) => {
    await next();
    watch(context, context.error);
  });
  app.use(async ({ req }, next) => {
    const reason = refused(req.raw.headers) ?? notAdmitted(req.raw.headers);
    if (reason !== undefined) throw reason;
    await next();
  });
  if (openapi !== undefined) {
    app.get(OPENAPI_PATH, ({ env }) =>
      respond(env.outgoing, { status: 200, document: openapi, mediaType: 'application/json' }),
    );
    app.all(OPENAPI_PATH, ({ env, req }) => sender.fail(env.outgoing, wrongMethod(['GET'], req.method)));
  }
  for (const path of new Set(ROUTES.map((route) => route.path))) addPath(app, service, sender, path);
  app.notFound(({ env }) => sender.fail(env.outgoing, refusal(404, 'No such address.')));
  app.onError((error, { env }) => sender.fail(env.outgoing, error));
  return app;
}

const OPENAPI_PATH = '/api/openapi';

/** Adds the methods of one path, and 405 for any other, before a later path with a variable part can match. */
function addPath(
  app: Hono<AppEnv>,
  service: Service,
  { send, fail }: ReturnType<typeof createSender>,
  path: string,
): void {
  const routes = ROUTES.filter((route) => route.path === path);
  for (const route of routes) {
    app.on(route.method, path, async (context) =>
      send(context.env.outgoing, await answer(service, route, context)),
    );
  }
  const methods = routes.map(({ method }) => method);
  app.all(path, ({ env, req }) => fail(env.outgoing, wrongMethod(methods, req.method)));
}

function wrongMethod(methods: readonly string[], method: string): Refusal {
  const allow = methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])).sort();
  const headers = { allow: allow.join(', ') };
  return new Refusal(405, [{ detail: `This address accepts only ${headers.allow}, not ${method}.` }], {
    headers,
  });
}

/** Checks a request against its route and answers it. */
async function answer(service: Service, route: Route, context: AppContext): Promise<Answer> {
  const { token, user } = authenticate(service, route, context.req.header('authorization'));
  const query = decodeQuery(new URL(context.req.url).search, route.query?.(service.settings) ?? []);
  const body = await readBody(service, route, context);
  const call: Call = { user, token, query, body, params: context.req.param() };
  return route.run(service, call);
}

const NOBODY: User = { id: '0', username: 'nobody', role: 'user' };

/** The user of the bearer token. Refuses a token that is missing, expired or logged out, and a role without the right (403). */
function authenticate(
  { sessions, rights, settings }: Service,
  { access }: Route,
  header: string | undefined,
) {
  const token = /^bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '';
  if (access === 'public') return { token, user: NOBODY };
  const user = sessions.userOf(token);
  if (user === undefined)
    throw unauthorized(token === '' ? settings.missingTokenStatus : settings.expiredTokenStatus);
  const isLetIn = { token: true, reader: rights.mayRead(user), manager: rights.mayManage(user) }[access];
  if (isLetIn) return { token, user };
  throw refusal(403, 'This needs the role integration manager or administrator.');
}

function unauthorized(status: string): Refusal {
  const problem = {
    detail: 'The bearer token is missing, expired or no longer valid.',
    source: { header: 'Authorization' },
  };
  const headers = status === '401' ? { 'www-authenticate': 'Bearer' } : {};
  return new Refusal(Number(status), [problem], { headers });
}

async function readBody({ settings }: Service, route: Route, context: AppContext): Promise<unknown> {
  const { raw } = context.req;
  if (route.body || hasBody(raw.headers)) requireMediaType(raw.headers, settings.mediaType);
  if (!route.body) return undefined;
  const body = await readJsonBody(raw);
  context.set('body', body);
  return body;
}
