import { mkdtemp, rm } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at, listAt } from './at.ts';
import { CANARY_CATALOG, restored } from './canary.ts';
import { startDialect } from './dialects.ts';
import { type FaultProxy, type Seen, startFaultProxy } from './fault-proxy.ts';
import { anyFault, type Fault, type Passed } from './faults.ts';
import { exchange, logIn } from './sandbox.ts';
import { type Seeded, seeded } from './seeded.ts';
import { writeFiles } from './temp.ts';

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

const TYPE = { 'content-type': 'application/vnd.api+json' };

/** Makes what a hostile server does with each request of a run. */
function hostile(hostility: Hostility): (seen: Pick<Seen, 'method' | 'path'>) => Fault | undefined {
  const run = { requests: 0 };
  return ({ method, path }) => {
    run.requests += 1;
    const draw = seeded(hostility.seed * 1_009 + run.requests);
    const isLogin = path.endsWith('/login');
    const isRead = method === 'GET' && !path.endsWith('/errors');
    const isTooEarly = {
      all: false,
      'after the login': isLogin,
      none: true,
    };
    const share = isLogin || isRead ? 0.1 : 0.5;
    const isSession = path.startsWith('/api/users/');
    // The service must see no login, which it would refuse, and no logout, as all runs share one. A list that comes as the
    // service has it would not show the secret that is repeated later.
    if (draw.random() < 0.1) return isSession || isRead ? draw.pick(UNSEEN) : quickFault(draw);
    if (!isTooEarly[hostility.echoes] && draw.random() < share) return refusal(draw, hostility);
    if (isLogin)
      return { status: 200, headers: TYPE, body: JSON.stringify({ data: { token: hostility.token } }) };
    if (path.endsWith('/logout')) return { status: 204 };
    if (method !== 'GET') return undefined;
    return { rewrite: (passed) => rewritten(passed, path, draw, hostility) };
  };
}

/** Faults of which the service sees nothing. */
const UNSEEN: readonly Fault[] = [
  'reset',
  { status: 500, headers: TYPE, body: '{"errors":[{"title":"Broken"}]}' },
  { status: 429, headers: { ...TYPE, 'retry-after': '3' } },
];

const SLOW: ReadonlySet<Fault> = new Set([
  'silence',
  'silence-after',
  'drip',
  'drip-headers',
  'half',
  'flood',
]);

/** Any fault, but seldom one that takes time. */
function quickFault(draw: Seeded): Fault {
  const fault = anyFault(draw, true);
  return SLOW.has(fault) && draw.random() < 0.9 ? 'reset' : fault;
}

/** An answer that refuses and repeats the secret in any place. */
function refusal(draw: Seeded, hostility: Hostility): Fault {
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
    () => ({ error: { message: says() } }),
    () => [says(), { [says()]: 1 }],
    () => says(),
  ])();
  const status = pick([400, 401, 403, 404, 409, 422, 429, 500, 503]);
  const page = `<!doctype html><title>${says()}</title>${says()}`;
  return pick<Fault>([
    { status, headers: TYPE, body: JSON.stringify(document) },
    { status, headers: TYPE, body: JSON.stringify(document) },
    { status, headers: { ...TYPE, ...headersWith('retry-after', says()) }, body: JSON.stringify(document) },
    { status: 302, headers: headersWith('location', `https://elsewhere.example/${says()}`) },
    { status: 200, headers: { 'content-type': 'text/html', ...headersWith('x-debug', says()) }, body: page },
    { status: 502, headers: { 'content-type': 'text/html' }, body: page },
    { status: 200, headers: headersWith('content-type', `text/${says()}`), body: says() },
    { status: 200, headers: TYPE, body: says() },
    { status: 200, headers: TYPE, body: JSON.stringify({ data: [{ type: says(), wrong: says() }] }) },
  ]);
}

/** A header with a text that a header can hold, or none. */
function headersWith(name: string, text: string): Record<string, string> {
  return /^[\x20-\x7e\xa0-\xff]*$/.test(text) && text.length < 8_000 ? { [name]: text } : {};
}

type Json = Record<string, unknown>;

/** Says something now and then. */
type Tell = () => string | undefined;

/** A good answer with the secret in places where a server has words of its own. */
function rewritten(passed: Passed, path: string, draw: Seeded, hostility: Hostility): Passed {
  if (passed.status !== 200) return passed;
  const document = JSON.parse(String(passed.body)) as { data: Json | Json[]; included?: Json[] };
  const mayEcho = hostility.echoes !== 'none';
  const tell: Tell = () => (mayEcho && draw.random() < 0.3 ? hostility.echo(draw) : undefined);
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, each]) => [name, visit(each)]);
    const { attributes, ...resource } = Object.fromEntries(entries) as Json & { attributes?: Json };
    if (attributes === undefined) return resource;
    return { ...resource, attributes: { ...attributes, ...changed(resource, attributes, tell) } };
  };
  const { data, ...rest } = visit(document) as typeof document;
  const more = mayEcho && path.endsWith('/errors') ? [raised(draw, hostility)] : [];
  const body = {
    ...rest,
    data: Array.isArray(data) ? [...data, ...more] : data,
  };
  const { 'content-length': _, ...headers }: OutgoingHttpHeaders = passed.headers;
  return { ...passed, headers, body: Buffer.from(JSON.stringify(body)) };
}

/** The attributes of one resource that are other than the service has them. */
function changed({ type }: Json, attributes: Json, tell: Tell): Json {
  const told = (...names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const text = tell();
        return text === undefined ? [] : [[name, text]];
      }),
    );
  if (type === 'integrations') return told('acronym', 'status', 'description');
  if (type !== 'integration-options') return {};
  const words = told('name', 'description');
  return attributes['type'] === 'text' ? { ...words, ...told('value', 'default') } : words;
}

/** An integration error whose words repeat the secret. */
function raised(draw: Seeded, { echo }: Hostility): Json {
  return {
    type: 'integration-errors',
    id: 'raised',
    attributes: {
      code: 'E1',
      title: echo(draw),
      detail: echo(draw),
      'error-count': 3,
      'occurred-on': echo(draw),
      meta: { trace: echo(draw) },
      status: 500,
    },
  };
}

const SETTINGS = {
  dialect: ['included', 'inline', 'detail', 'options'],
  passwords: ['clear', 'clear', 'masked', 'null', 'absent'],
  store: ['typed', 'strings'],
} as const;

/** A sandbox behind a proxy, and what serves its runs. */
export interface Served {
  readonly proxy: FaultProxy;
  readonly dialect: string;
  readonly behave: (hostility: Hostility) => void;
  /** Takes back what a run has written. */
  readonly restore: () => Promise<unknown>;
}

/** Starts a sandbox behind a hostile proxy for the runs of a test. */
export async function withServer(seed: number, body: (served: Served) => Promise<void>): Promise<void> {
  const { pick } = seeded(-1 - seed);
  const catalog = await folderWith(CANARY_CATALOG);
  const dialect = pick(SETTINGS.dialect);
  const passwords = pick(SETTINGS.passwords);
  const { url, close } = await startDialect(
    { catalog },
    { dialect, passwords, store: pick(SETTINGS.store), echo: 'value' },
  );
  const behaviour: { current: ReturnType<typeof hostile> } = { current: () => undefined };
  const token = await logIn(url, 'admin', true);
  const authorization = `Bearer ${token}`;
  const proxy = await startFaultProxy(url, (seen) => behaviour.current(seen), { authorization });
  const sending = { token, isFree: true };
  const { body: listed } = await exchange(url, 'GET', '/api/integrations', sending);
  const id = String(at(listAt(listed, 'data')[0], 'id'));
  try {
    await body({
      proxy,
      dialect,
      behave: (hostility) => {
        behaviour.current = hostile(hostility);
      },
      restore: () => exchange(url, 'PATCH', '/api/integration-options', { ...sending, body: restored(id) }),
    });
  } finally {
    await proxy.close();
    await close();
    await rm(catalog, { recursive: true });
  }
}

/** A new folder with these files, which the caller removes. */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-canary-'));
  await writeFiles(folder, files);
  return folder;
}
