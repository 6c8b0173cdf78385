import { refusedOrigins } from '../../core/config/allowed-origins.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { RETRIES_PER_SERVER } from '../../core/pacing/retry.ts';
import { named } from '../../core/plan/refusals.ts';
import { allOrFail, Failure, fail, findingsOf } from '../failure.ts';
import type { Options } from '../flags.ts';
import { Api } from '../http/api.ts';
import { requestName } from '../http/exchange.ts';
import { ExchangeError } from '../http/exchange-error.ts';
import { RetryingTransport } from '../http/retrying-transport.ts';
import { Session } from '../http/session.ts';
import { openTransport } from '../http/transport.ts';
import type { Run } from '../run.ts';
import { type Account, requireAccount } from './accounts.ts';
import type { Server } from './server.ts';

const DEFAULTS = { readTimeout: 30, writeTimeout: 60, concurrency: 8 };

/** What the work on one server led to; a server that failed has only findings. */
export interface ServerResult<T> {
  readonly server: Server;
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** A server with an open session. */
export interface Connected<S extends Server> {
  readonly server: S;
  readonly api: Api;
  /** Does some work in the session; what makes it fail becomes its findings. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<ServerResult<T>>;
  /** Logs out. */
  readonly close: () => Promise<void>;
}

/** Runs a body that only reads in a session with each server, side by side. Results are in the order of `servers`. */
export function onServers<S extends Server, T>(
  run: Run,
  options: Options,
  servers: readonly S[],
  body: (api: Api, server: S) => Promise<T>,
): Promise<readonly ServerResult<T>[]> {
  return withServers(run, { ...options, mode: 'read' }, servers, (all) =>
    Promise.all(all.map(({ api, server, attempt }) => attempt(() => body(api, server)))),
  );
}

/** The options of the sessions of a run; `read` cannot write, whatever the work asks for. */
type SessionOptions = Options & { readonly mode: 'read' | 'write' };

/**
 * Opens a session with each server, and closes them all after some work. Fails with all origins that are not allowed, or all
 * credentials that are missing, before any request.
 */
export async function withServers<S extends Server, T>(
  run: Run,
  options: SessionOptions,
  servers: readonly S[],
  work: (all: readonly Connected<S>[]) => Promise<T>,
): Promise<T> {
  const refused = refusedOrigins(servers, run.runtime.env);
  if (refused.length > 0) throw new Failure(refused);
  const accounts = await allOrFail(
    servers.map(async (server) => ({ server, account: await requireAccount(run, server) })),
  );
  const connected = await Promise.all(
    accounts.map(({ server, account }) => {
      const explained = (found: readonly Diagnostic[]) => {
        const hints = found.map((each) => hinted(each, server.url, account.source));
        return named(servers, server.name, hints);
      };
      return connect(run, options, server, { account, explained });
    }),
  );
  try {
    return await work(connected);
  } finally {
    await Promise.all(connected.map(({ close }) => close()));
  }
}

/** All findings of servers, in their order. */
export function findingsOn(
  results: readonly ServerResult<{ readonly diagnostics: readonly Diagnostic[] }>[],
): readonly Diagnostic[] {
  return results.flatMap(({ server, value, diagnostics }) => [
    ...diagnostics,
    ...named(results, server.name, value?.diagnostics ?? []),
  ]);
}

/** Does some work for each server without a session: nothing is sent, and nobody logs in. */
export function onSnapshots<S extends Server, T>(
  servers: readonly S[],
  work: (server: S) => Promise<T>,
): Promise<readonly ServerResult<T>[]> {
  return Promise.all(
    servers.map((server) =>
      attempted(
        server,
        (found) => named(servers, server.name, found),
        () => work(server),
      ),
    ),
  );
}

/** Adds to findings what helps, and their server if a run has several. */
type Explained = (found: readonly Diagnostic[]) => readonly Diagnostic[];

async function attempted<T>(
  server: Server,
  explained: Explained,
  work: () => Promise<T>,
): Promise<ServerResult<T>> {
  try {
    return { server, value: await work(), diagnostics: [] };
  } catch (thrown) {
    return { server, diagnostics: explained(findingsOf(thrown)) };
  }
}

async function connect<S extends Server>(
  run: Run,
  options: SessionOptions,
  server: S,
  { account, explained }: { readonly account: Account; readonly explained: Explained },
): Promise<Connected<S>> {
  const { writer, runtime, secrets, interruption, notices } = run;
  const { url } = server;
  const { concurrency = DEFAULTS.concurrency, insecure } = options;
  if (insecure && url.protocol === 'https:')
    notices.push(...explained([diagnostic('not-verified', { origin: url.origin })]));
  writer.progress(`Connecting to ${url.host} …`);
  const retries = { left: RETRIES_PER_SERVER };
  const transport = new RetryingTransport(await transportTo(run, options, server), {
    ...runtime,
    stopping: interruption.stopping,
    aborted: interruption.aborted,
    quota: retries,
    concurrency,
    onRetry: (text) => writer.detail(text),
  });
  const remember = (secret: Parameters<typeof secrets.given>[0]) => secrets.given(secret);
  const session = new Session(transport, account.credentials, { now: runtime.now, remember });
  const onProgress = (text: string) => writer.progress(text);
  const state = { hasFailed: false };
  return {
    server,
    api: new Api({ session, concurrency, retries, onProgress }),
    attempt: (work) =>
      attempted(server, explained, () =>
        work().catch((thrown: unknown) => {
          state.hasFailed = true;
          if (!(thrown instanceof ExchangeError)) throw thrown;
          return fail(interruption.expired ?? thrown.diagnostic);
        }),
      ),
    close: async () => {
      const unsaid = state.hasFailed ? [] : [session.ended?.diagnostic, interruption.expired];
      notices.push(...explained(unsaid.flatMap((each) => each ?? [])));
      const problem = await session.logout(logoutSignal(run));
      if (problem !== undefined) writer.detail(`The logout failed: ${problem}`);
      await transport.close();
    },
  };
}

function transportTo(
  { runtime, secrets, interruption, writer }: Run,
  { mode, timeout, insecure, concurrency = DEFAULTS.concurrency }: SessionOptions,
  { url, ca }: Server,
) {
  const { readTimeout, writeTimeout } = DEFAULTS;
  return openTransport({
    ...{ url, mode, insecure, connections: concurrency, env: runtime.env, aborted: interruption.aborted },
    timeout: { read: timeout ?? readTimeout, write: timeout ?? writeTimeout },
    ca: ca === undefined ? undefined : [ca],
    mask: (text) => secrets.mask.text(text),
    onExchange: (request, status) => writer.detail(`${requestName(request)} ${status ?? 'no answer'}`),
  });
}

/** Milliseconds that a logout may take: it must not hold up the end of a run, but is tried even after the deadline. */
const LOGOUT_TIME = { least: 500, most: 5_000 };

/** Ends a logout after some time. After a second signal it is still sent, but waits only a moment for its answer. */
function logoutSignal({ interruption }: Run): AbortSignal {
  const { forced } = interruption;
  if (forced.aborted) return AbortSignal.timeout(LOGOUT_TIME.least);
  return AbortSignal.any([AbortSignal.timeout(interruption.remaining(LOGOUT_TIME)), forced]);
}

/** The end of paths of pages, and of the API itself, that are copied with an address. */
const PAGE = /(?:\/(?:api(?:\/.*)?|log-?in|sign-?in|index\.html|integrations?|settings|admin|home))+$/i;

/** Adds what to check: the variables of refused credentials, and the likely address if the URL is that of a page. */
function hinted(found: Diagnostic, { origin, pathname }: URL, source: Account['source']): Diagnostic {
  const likely = `${origin}${pathname.replace(PAGE, '')}`;
  const hint = PAGE.test(pathname) ? { hint: `The URL ends like that of a page. Try ${likely}` } : {};
  if (found.code === 'bad-answer') return { ...found, facts: { ...found.facts, ...hint } };
  if (found.code !== 'login-refused') return found;
  // A server that refuses a password has found its API.
  const { status } = found.facts;
  return { ...found, facts: { ...found.facts, ...source, ...(status === 401 ? {} : hint) } };
}
