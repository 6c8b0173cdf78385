import { resolve } from 'node:path';
import pMap from 'p-map';
import { environmentName } from '../../core/config/project.ts';
import { refusedOrigins } from '../../core/config/server-url.ts';
import {
  type MistypedVariables,
  mistypedVariables,
} from '../../core/config/server-variables.ts';
import { leftoverIn } from '../../core/config/text-flaws.ts';
import { LEFTOVERS } from '../../core/findings/configuration.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/json.ts';
import { hide } from '../../core/model/secret.ts';
import { allOrFail, fail, failUsage, findingsOf } from '../failure.ts';
import type { Options } from '../flags.ts';
import { Api } from '../http/api.ts';
import { ExchangeError } from '../http/exchange.ts';
import { Session } from '../http/session.ts';
import type { Run } from '../run.ts';
import { readTextFile, unreadable } from '../sources/files.ts';
import type { Server } from './server.ts';

/** What the work on one server led to; a server that failed has only findings. */
export interface ServerResult<T> {
  readonly server: Server;
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** The names of the servers on which work failed. */
export function unworked(results: readonly ServerResult<unknown>[]): string[] {
  const failed = results.filter(({ value }) => value === undefined);
  return failed.map(({ server }) => server.name);
}

/** Findings with the name of their server if that is not the only one. */
export function named(
  isNamed: boolean,
  name: string,
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  return isNamed ? found.map((each) => ({ ...each, server: name })) : found;
}

/** All findings of servers, in their order, with the name of the server if there are several. */
export function findingsOn(
  { part }: Run,
  results: readonly ServerResult<{
    readonly diagnostics: readonly Diagnostic[];
  }>[],
): readonly Diagnostic[] {
  const isNamed = (part.shard?.servers ?? results).length > 1;
  return results.flatMap(({ server, value, diagnostics }) =>
    named(isNamed, server.name, [
      ...diagnostics,
      ...(value?.diagnostics ?? []),
    ]),
  );
}

/** Does some work that only reads for each server, some at a time, in a session with each that ends with its work. */
export async function onServers<S extends Server, T>(
  run: Run,
  options: Options,
  servers: readonly S[],
  work: (api: Api, server: S) => Promise<T>,
): Promise<readonly ServerResult<T>[]> {
  const opened = await openers(run, { ...options, mode: 'read' }, servers);
  return eachAtOnce(run, options, opened, async (open) => {
    const { api, server, attempt, close } = await open();
    try {
      return await attempt(() => work(api, server));
    } finally {
      await close();
    }
  });
}

/** Does some work for each of some servers, so many at a time as a flag says. */
export function eachAtOnce<S, T>(
  { writer }: Run,
  { serversAtOnce: concurrency = 8 }: Options,
  servers: readonly S[],
  work: (server: S) => Promise<T>,
): Promise<readonly T[]> {
  const state = { done: 0 };
  const one = async (server: S) => {
    const result = await work(server);
    state.done += 1;
    if (servers.length > concurrency)
      writer.progress(`${state.done} of ${servers.length} servers`);
    return result;
  };
  return pMap(servers, one, { concurrency });
}

/** The options of the sessions of a run; `read` cannot write, whatever the work asks for. */
type SessionOptions = Options & { readonly mode: 'read' | 'write' };

/** A server with an open session. */
interface Connected<S extends Server> {
  readonly server: S;
  readonly api: Api;
  /** Does some work in the session; what makes it fail becomes its findings. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<ServerResult<T>>;
  /** Logs out, and notes what no work has failed with. */
  readonly close: () => Promise<void>;
}

/** Opens a session with each server, and closes them all after some work. */
export async function withServers<S extends Server, T>(
  run: Run,
  options: SessionOptions,
  servers: readonly S[],
  work: (all: readonly Connected<S>[]) => Promise<T>,
): Promise<T> {
  const opened = await openers(run, options, servers);
  const connected = await Promise.all(opened.map((open) => open()));
  try {
    return await work(connected);
  } finally {
    await Promise.all(connected.map(({ close }) => close()));
  }
}

/**
 * What opens a session with each server. Fails with all origins that are not allowed, or all credentials that are missing,
 * before any request.
 */
async function openers<S extends Server>(
  run: Run,
  options: SessionOptions,
  servers: readonly S[],
) {
  const refused = refusedOrigins(servers, run.runtime.env);
  if (refused.length > 0) fail(...refused);
  const mistyped = mistypedFor(run, servers);
  const accounts = await allOrFail(
    servers.map(async (server) => {
      const account = await findAccount(run, server, mistyped);
      return { server, account: 'code' in account ? fail(account) : account };
    }),
  );
  const isNamed = (run.part.shard?.servers ?? servers).length > 1;
  const notice = (name: string, found: readonly Diagnostic[]) =>
    run.notices.push(...named(isNamed, name, found));
  for (const { name, url } of servers)
    if (options.insecure && url.protocol === 'https:')
      notice(name, [diagnostic('not-verified', { origin: url.origin })]);
  for (const [server, { word, variable, meant }] of mistyped) {
    const facts = { word, of: 'server', variable } as const;
    const hint = `Did you mean ${meant}?`;
    const severity = 'warning';
    notice(server, [diagnostic('unknown-name', { ...facts, hint, severity })]);
  }
  return accounts.map(
    ({ server, account }) =>
      () =>
        connect(run, options, server, account, (found) =>
          notice(server.name, found),
        ),
  );
}

async function connect<S extends Server>(
  run: Run,
  options: SessionOptions,
  server: S,
  { credentials, source }: Account,
  notice: (found: readonly Diagnostic[]) => void,
): Promise<Connected<S>> {
  const { writer, runtime, interruption } = run;
  const { concurrency = 8, mode, timeout, insecure } = options;
  const { url, ca } = server;
  writer.progress(`Connecting to ${url.host} …`);
  // With undici, which is loaded for the first request.
  const { Transport } = await import('../http/transport.ts');
  // All requests of a run to this server share its retries.
  const retries = { left: 20 };
  const { stopping, aborted } = interruption;
  const transport = new Transport({
    ...{
      ...runtime,
      url,
      ca,
      mode,
      insecure,
      retries,
      stopping,
      aborted,
      connections: concurrency,
    },
    timeout: { read: timeout ?? 30, write: timeout ?? 60 },
    mask: (text) => writer.mask.text(text),
    log: (text) => writer.detail(text),
  });
  const session = new Session(
    (request) => transport.send(request),
    credentials,
    run,
  );
  const state = { hasFailed: false };
  const explained = (thrown: unknown) => {
    state.hasFailed = true;
    const found =
      thrown instanceof ExchangeError
        ? [interruption.expired ?? thrown.diagnostic]
        : findingsOf(thrown);
    return found.map((each) => hinted(each, url, source));
  };
  return {
    server,
    api: new Api(session, writer, { concurrency, retries }),
    attempt: async (work) => {
      try {
        return { server, value: await work(), diagnostics: [] };
      } catch (thrown) {
        return { server, diagnostics: explained(thrown) };
      }
    },
    close: async () => {
      // All is done: a deadline that ends during the logout is no failure.
      const unsaid = state.hasFailed
        ? []
        : [session.ended?.diagnostic, interruption.expired];
      const problem = await session.logout(logoutSignal(run));
      if (problem !== undefined) writer.detail(`The logout failed: ${problem}`);
      await transport.close();
      notice(
        unsaid.flatMap((each) =>
          each === undefined ? [] : [hinted(each, url, source)],
        ),
      );
    },
  };
}

/** Ends a logout after some time, or with the run. After the deadline or a second signal it is sent, but waits only a moment. */
function logoutSignal({
  interruption: { forced, aborted, expired },
}: Run): AbortSignal {
  if (forced.aborted || expired !== undefined) return AbortSignal.timeout(500);
  return AbortSignal.any([
    AbortSignal.timeout(5_000),
    aborted.aborted ? forced : aborted,
  ]);
}

/** The end of paths of pages, and of the API itself, that are copied with an address. */
const PAGE =
  /(?:\/(?:api(?:\/.*)?|log-?in|sign-?in|index\.html|integrations?|settings|admin|home))+$/i;

/** Adds what to check: the variables of refused credentials, and the likely address if the URL is that of a page. */
function hinted(
  found: Diagnostic,
  { origin, pathname }: URL,
  source: Account['source'],
): Diagnostic {
  const likely = `${origin}${pathname.replace(PAGE, '')}`;
  const hint = PAGE.test(pathname)
    ? { hint: `The URL ends like that of a page. Try ${likely}` }
    : {};
  if (found.code === 'bad-answer')
    return { ...found, facts: { ...found.facts, ...hint } };
  if (found.code !== 'login-refused') return found;
  // A server that refuses a password has found its API.
  const { status } = found.facts;
  return {
    ...found,
    facts: { ...found.facts, ...source, ...(status === 401 ? {} : hint) },
  };
}

/** The credentials of a server, and what to check if they are refused. */
interface Account {
  readonly credentials: ConstructorParameters<typeof Session>[1];
  /** The variables that they come from, and the variable of a token to use instead. */
  readonly source: { readonly variables: string; readonly token?: string };
}

/** The variables that were likely meant for servers of a run, by the names of these. */
function mistypedFor(
  { runtime: { env } }: Run,
  servers: readonly Server[],
): MistypedVariables {
  const own = servers.flatMap(({ credentialsName }) => credentialsName ?? []);
  const set = Object.keys(env).filter((name) => env[name] !== '');
  const project = servers[0]?.projectServers ?? [];
  const names = project.map(({ name }) => name);
  return mistypedVariables(own, names, set);
}

/** Reads the credentials of a server from the environment; the finding if there are none. */
export async function findAccount(
  run: Run,
  { credentialsName }: Server,
  mistyped?: MistypedVariables,
): Promise<Account | Diagnostic> {
  const own =
    credentialsName === undefined
      ? []
      : [`SETPOINT_SERVER_${environmentName(credentialsName)}_`];
  // The first that are set count, and no two are mixed.
  const prefixes = [...own, 'SETPOINT_'];
  for (const prefix of prefixes) {
    const found =
      tokenUnder(run, `${prefix}TOKEN`) ?? (await loginUnder(run, prefix));
    if (found !== undefined) return found;
  }
  return diagnostic('no-credentials', {
    prefix: prefixes[0] ?? '',
    ...present({ mistyped: mistyped?.get(credentialsName ?? '') }),
  });
}

function tokenUnder(
  { runtime, writer }: Run,
  variables: string,
): Account | undefined {
  const text = runtime.env[variables] ?? '';
  if (text === '') return undefined;
  checkLogin(variables, text);
  const hint = 'Copy the token alone, without Bearer, line breaks or quotes.';
  if (!/^[\x21-\x7e]+$/.test(text))
    failUsage(
      `${variables} contains a character that no token can have.`,
      hint,
    );
  const token = hide(text);
  writer.addSecret(token);
  return { credentials: { kind: 'token', token }, source: { variables } };
}

/** Fails if a part of a login ends in white space, or is what a tool left in its place: accounts lock. */
function checkLogin(holder: string, text: string): void {
  if (/\s$/.test(text))
    failUsage(
      `${holder} ends in white space.`,
      'Set it without. A file with line ends of Windows leaves a carriage return.',
    );
  const leftover = leftoverIn(text);
  if (leftover === undefined) return;
  const { words, hint } = LEFTOVERS[leftover];
  failUsage(`${holder} holds ${words}, not the login itself.`, hint);
}

async function loginUnder(
  run: Run,
  prefix: string,
): Promise<Account | undefined> {
  const value = (name: string) => run.runtime.env[`${prefix}${name}`] ?? '';
  const file = value('PASSWORD') === '' ? value('PASSWORD_FILE') : '';
  const names = [
    `${prefix}USERNAME`,
    `${prefix}PASSWORD${file === '' ? '' : '_FILE'}`,
  ] as const;
  const username = value('USERNAME');
  const text =
    file === ''
      ? value('PASSWORD')
      : await readPasswordFile(run, file, names[1]);
  if (username === '' && text === '') return undefined;
  if (username === '' || text === '')
    fail(
      diagnostic('no-credentials', {
        prefix,
        missing: names[text === '' ? 1 : 0],
      }),
    );
  checkLogin(names[0], username);
  checkLogin(file === '' ? names[1] : `The file of ${names[1]}`, text);
  const password = hide(text);
  // Those of variables are known from the start.
  if (file !== '') run.writer.addSecret(password);
  const source = { variables: names.join(' and '), token: `${prefix}TOKEN` };
  return { credentials: { kind: 'login', username, password }, source };
}

async function readPasswordFile(
  run: Run,
  path: string,
  variable: string,
): Promise<string> {
  const found = await readTextFile(run, resolve(run.runtime.cwd, path), {
    most: 64 * 1024,
  });
  if (!('text' in found))
    return fail(unreadable(`the file that ${variable} names`, found));
  return found.text.replace(/\r?\n$/, '');
}
