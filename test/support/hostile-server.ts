import { at, listAt } from './at.ts';
import { CANARY_CATALOG, restored } from './canary.ts';
import { OPEN_POINTS } from './dialects.ts';
import { faultyProxy, type Seen } from './fault-proxy.ts';
import {
  type Asked,
  anyFault,
  type Fault,
  JSON_API,
  type Passed,
} from './faults.ts';
import { liveSandbox } from './live-sandbox.ts';
import { exchange, logIn } from './sandbox.ts';
import { type Seeded, seeded } from './seeded.ts';
import { tempFolder } from './temp.ts';

/** What a hostile server does in one run. */
export interface Hostility {
  readonly seed: number;
  /** The token that it answers a login with. */
  readonly token: string;
  /** A text around the secret in any form. */
  readonly echo: (draw: Seeded) => string;
  /** Which answers may repeat the secret: all, those after the login, or none. */
  readonly echoes: 'all' | 'after the login' | 'none';
}

/** Makes what a hostile server does with each request of a run. */
function hostile(
  hostility: Hostility,
): (seen: Pick<Seen, 'method' | 'path'>) => Fault | undefined {
  const run = { requests: 0 };
  return ({ method, path }) => {
    run.requests += 1;
    const draw = seeded(hostility.seed * 1_009 + run.requests);
    const isLogin = path.endsWith('/login');
    const isRead = method === 'GET' && !path.endsWith('/errors');
    const mayEcho =
      hostility.echoes === 'all' ||
      (hostility.echoes === 'after the login' && !isLogin);
    // The service must see no login, which it would refuse, and no logout, as all runs share one. A list that comes as the
    // service has it would not show the secret that is repeated later.
    if (draw.random() < 0.1)
      return path.startsWith('/api/users/') || isRead
        ? draw.pick(UNSEEN)
        : anyFault(draw, true, 0.01);
    if (mayEcho && draw.random() < (isLogin || isRead ? 0.1 : 0.5))
      return refusalWith(draw, hostility);
    if (isLogin) return json(200, { data: { token: hostility.token } });
    if (path.endsWith('/logout')) return { status: 204 };
    if (method !== 'GET') return undefined;
    const through = async (
      asked: Asked,
      send: (asked: Asked) => Promise<Passed>,
    ) => rewritten(await send(asked), path, draw, hostility);
    return { through };
  };
}

const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) => ({
  status,
  headers: { ...JSON_API, ...headers },
  body: JSON.stringify(body),
});

/** Faults of which the service sees nothing. */
const UNSEEN: readonly Fault[] = [
  'reset',
  json(500, {}),
  json(429, {}, { 'retry-after': '3' }),
];

/** An answer that refuses and repeats the secret in any place. */
function refusalWith(draw: Seeded, hostility: Hostility): Fault {
  const { pick } = draw;
  const says = () => hostility.echo(draw);
  const error = () => ({
    title: says(),
    detail: says(),
    code: says(),
    source: pick([{}, { pointer: `/data/0/${says()}` }, { parameter: says() }]),
    meta: pick([{}, { errors: [{ key: says(), message: says() }] }]),
  });
  const document = pick<() => unknown>([
    () => ({ errors: [error(), error()] }),
    () => ({ errors: [{ source: { pointer: `/${says()}` } }] }),
    () => ({ errors: [{ code: says() }] }),
    () => ({ errors: { [says()]: says() } }),
    () => ({ message: says() }),
    says,
  ])();
  const status = pick([400, 401, 403, 404, 409, 422, 429, 500, 503]);
  const html = {
    'content-type': 'text/html',
    ...headerWith('x-debug', says()),
  };
  const body = `<!doctype html><title>${says()}</title>${says()}`;
  return pick<Fault>([
    json(status, document),
    json(status, document, headerWith('retry-after', says())),
    {
      status: 302,
      headers: headerWith('location', `https://elsewhere.example/${says()}`),
    },
    { status: pick([200, 502]), headers: html, body },
    {
      status: 200,
      headers: headerWith('content-type', `text/${says()}`),
      body: says(),
    },
    { status: 200, headers: JSON_API, body: says() },
    json(200, { data: [{ type: says(), wrong: says() }] }),
  ]);
}

/** A header with a text that a header can hold, or none. */
function headerWith(name: string, text: string): Record<string, string> {
  return /^[\x20-\x7e\xa0-\xff]*$/.test(text) && text.length < 8_000
    ? { [name]: text }
    : {};
}

/** Attributes in which a server has words of its own, by the type of their resource. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  integrations: ['acronym', 'status', 'description'],
  'integration-options': ['name', 'description'],
  text: ['value', 'default'],
};

/** A good answer with the secret in some of these places. */
function rewritten(
  passed: Passed,
  path: string,
  draw: Seeded,
  { echoes, echo }: Hostility,
): Passed {
  if (passed.status !== 200 || echoes === 'none') return passed;
  const body = JSON.parse(passed.body, (_, each) => {
    const { type, attributes } = each ?? {};
    if (type === undefined || attributes === undefined) return each;
    const names = [WORDS[type], WORDS[attributes.type]].flatMap(
      (words) => words ?? [],
    );
    const told = names.flatMap((name) =>
      draw.random() < 0.3 ? [[name, echo(draw)]] : [],
    );
    return {
      ...each,
      attributes: { ...attributes, ...Object.fromEntries(told) },
    };
  });
  if (path.endsWith('/errors')) body.data.push(raised(draw, echo));
  return { ...passed, body: JSON.stringify(body) };
}

/** An integration error whose words repeat the secret. */
function raised(draw: Seeded, echo: Hostility['echo']): object {
  const words = {
    title: echo(draw),
    detail: echo(draw),
    'occurred-on': echo(draw),
    meta: { trace: echo(draw) },
  };
  const attributes = { code: 'E1', ...words, 'error-count': 3, status: 500 };
  return { type: 'integration-errors', id: 'raised', attributes };
}

export type Served = Awaited<ReturnType<typeof hostileServer>>;

/** A sandbox behind a hostile proxy for the runs of a test. */
export async function hostileServer(seed: number) {
  const { pick } = seeded(-1 - seed);
  const dialect = pick(OPEN_POINTS.dialect);
  const settings = {
    dialect,
    passwords: pick(OPEN_POINTS.passwords),
    store: pick(OPEN_POINTS.store),
  };
  const { url } = await liveSandbox({
    catalog: await tempFolder(CANARY_CATALOG),
    settings,
  });
  const behaviour: { current: ReturnType<typeof hostile> } = {
    current: () => undefined,
  };
  const token = await logIn(url, 'admin', true);
  const authorization = `Bearer ${token}`;
  const proxy = await faultyProxy(url, (seen) => behaviour.current(seen), {
    authorization,
  });
  const sending = { token, isFree: true };
  const { body: listed } = await exchange(
    url,
    'GET',
    '/api/integrations',
    sending,
  );
  const id = String(at(listAt(listed, 'data')[0], 'id'));
  return {
    proxy,
    dialect,
    behave: (hostility: Hostility) => {
      behaviour.current = hostile(hostility);
    },
    /** Takes back what a run has written. */
    restore: () =>
      exchange(url, 'PATCH', '/api/integration-options', {
        ...sending,
        body: restored(id),
      }),
  };
}
