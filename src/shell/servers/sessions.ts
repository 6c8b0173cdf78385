import { resolve } from 'node:path';
import { type Diagnostic, diagnostic, onServer } from '../../core/findings/diagnostic.ts';
import { RETRIES_PER_SERVER } from '../../core/pacing/retry.ts';
import { allOrFail, Failure, findingsOf } from '../failure.ts';
import { Api } from '../http/api.ts';
import { ExchangeError, requestName, type Transport } from '../http/exchange.ts';
import { RetryingTransport } from '../http/retrying-transport.ts';
import { type Credentials, Session } from '../http/session.ts';
import type { Run } from '../run.ts';
import { readRegularFile } from '../sources/files.ts';
import { withAddressHint } from './address-hints.ts';
import { readCredentials, withVariables } from './credentials.ts';
import { LARGEST_CA_FILE, type Server, type ServerOptions } from './server.ts';

const DEFAULTS = { readTimeout: 30, writeTimeout: 60, concurrency: 8 };

/** Milliseconds that a logout may take: it must not hold up the end of a run, but is tried even after the deadline. */
const LOGOUT_TIME = { least: 500, most: 5_000 };

/** An open session with one server. */
export interface OpenServer {
  readonly api: Api;
}

/** What the work on one server led to; a server that failed has only findings. */
export interface ServerResult<S extends Server, T> {
  readonly server: S;
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** What all sessions of a run have in common. */
interface SessionOptions extends ServerOptions {
  /** `read` cannot write, whatever the body asks for. */
  readonly mode: 'read' | 'write';
}

/** A server with an open session. */
export interface Connected<S extends Server> extends OpenServer {
  readonly server: S;
  /** Does some work in the session; what makes it fail becomes its findings. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<ServerResult<S, T>>;
  /** Logs out. */
  readonly close: () => Promise<void>;
}

/** Runs a body in a session with each server, side by side. Results are in the order of `servers`. */
export function onServers<S extends Server, T>(
  run: Run,
  options: SessionOptions,
  servers: readonly S[],
  body: (open: OpenServer, server: S) => Promise<T>,
): Promise<readonly ServerResult<S, T>[]> {
  return withServers(run, options, servers, (all) =>
    Promise.all(all.map((open) => open.attempt(() => body(open, open.server)))),
  );
}

/**
 * Reads the credentials of all servers, opens a session with each, and closes them all after some work. Fails with all
 * credentials that are missing, before any request.
 */
export async function withServers<S extends Server, T>(
  run: Run,
  options: SessionOptions,
  servers: readonly S[],
  work: (all: readonly Connected<S>[]) => Promise<T>,
): Promise<T> {
  const accounts = await allOrFail(
    servers.map(async (server) => ({ server, ...(await readCredentials(run, server.credentialsName)) })),
  );
  const connected = await Promise.all(
    accounts.map(async ({ server, credentials, source }): Promise<Connected<S>> => {
      const label = labeller(server, servers.length);
      const explained = (found: Diagnostic) =>
        label(withVariables(withAddressHint(found, server.url), source));
      const { origin, protocol } = server.url;
      if (options.insecure && protocol === 'https:')
        run.notices.push(label(diagnostic('not-verified', { origin })));
      return connectedTo(run, await openSession(run, options, server, credentials), server, explained);
    }),
  );
  try {
    return await work(connected);
  } finally {
    await Promise.all(connected.map(({ close }) => close()));
  }
}

function connectedTo<S extends Server>(
  run: Run,
  { api, session, transport }: OpenSession,
  server: S,
  explained: (found: Diagnostic) => Diagnostic,
): Connected<S> {
  const { interruption } = run;
  const state = { hasFailed: false };
  return {
    api,
    server,
    attempt: async (work) => {
      try {
        return { server, value: await work(), diagnostics: [] };
      } catch (thrown) {
        state.hasFailed = true;
        const failure =
          thrown instanceof ExchangeError ? new Failure([interruption.expired ?? thrown.diagnostic]) : thrown;
        return { server, diagnostics: findingsOf(failure).map(explained) };
      }
    },
    close: async () => {
      const found = state.hasFailed ? [] : [session.ended?.diagnostic, interruption.expired];
      for (const each of found) if (each !== undefined) run.notices.push(explained(each));
      const problem = await session.logout(logoutSignal(run));
      if (problem !== undefined) run.writer.detail(`The logout failed: ${problem}`);
      await transport.close();
    },
  };
}

/** Ends a logout after some time. After a second signal it is still sent, but waits only a moment for its answer. */
function logoutSignal({ interruption }: Run): AbortSignal {
  const { forced } = interruption;
  const time = AbortSignal.timeout(forced.aborted ? LOGOUT_TIME.least : interruption.remaining(LOGOUT_TIME));
  return forced.aborted ? time : AbortSignal.any([time, forced]);
}

/** All findings of servers, in their order. */
export function findingsOn<S extends Server, T extends { readonly diagnostics: readonly Diagnostic[] }>(
  results: readonly ServerResult<S, T>[],
): readonly Diagnostic[] {
  return results.flatMap(({ server, value, diagnostics }) => [
    ...diagnostics,
    ...(value?.diagnostics ?? []).map(labeller(server, results.length)),
  ]);
}

/** Names the server of a finding if a run has several. */
export function labeller({ name }: Server, count: number): (found: Diagnostic) => Diagnostic {
  return (found) => (count > 1 ? onServer(found, name) : found);
}

interface OpenSession {
  readonly api: Api;
  readonly session: Session;
  readonly transport: Transport;
}

async function openSession(
  run: Run,
  options: SessionOptions,
  server: Server,
  credentials: Credentials,
): Promise<OpenSession> {
  const { concurrency = DEFAULTS.concurrency } = options;
  const { writer, runtime, interruption } = run;
  writer.progress(`Connecting to ${server.url.host} …`);
  const retries = { left: RETRIES_PER_SERVER };
  const transport = new RetryingTransport(await connect(run, { ...options, concurrency }, server), {
    ...runtime,
    stopping: interruption.stopping,
    aborted: interruption.aborted,
    quota: retries,
    concurrency,
    onRetry: (text) => writer.detail(text),
  });
  const session = new Session(transport, credentials, run);
  return { api: new Api(session, writer, { concurrency, retries }), session, transport };
}

async function connect(
  run: Run,
  { mode, timeout, insecure, concurrency }: SessionOptions & Pick<Api, 'concurrency'>,
  { url, ca }: Server,
): Promise<Transport> {
  const { readTimeout, writeTimeout } = DEFAULTS;
  // With undici, which is loaded for the first request.
  const { openTransport } = await import('../http/transport.ts');
  return openTransport({
    url,
    mode,
    connections: concurrency,
    timeout: { read: timeout ?? readTimeout, write: timeout ?? writeTimeout },
    ca: ca === undefined ? undefined : [await extraAuthorities(run), ca],
    insecure,
    env: run.runtime.env,
    aborted: run.interruption.aborted,
    mask: (text) => run.secrets.mask.text(text),
    onExchange: (request, status) => run.writer.detail(`${requestName(request)} ${status ?? 'no answer'}`),
  });
}

/** The certificates that Node trusts in addition to its own. Node itself warns if it cannot read them. */
async function extraAuthorities(run: Run): Promise<string> {
  const { env, cwd } = run.runtime;
  const path = env['NODE_EXTRA_CA_CERTS'] ?? '';
  const content =
    path === '' ? undefined : await readRegularFile(run, resolve(cwd, path), { most: LARGEST_CA_FILE });
  return content !== undefined && 'bytes' in content ? content.bytes.toString() : '';
}
