import pMap from 'p-map';
import { refusedOrigins } from '../../core/config/server-url.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { count } from '../../core/findings/words.ts';
import { isWriting } from '../../core/plan/plan-document.ts';
import { allOrFail, fail, findingsOf } from '../failure.ts';
import { Api } from '../http/api.ts';
import { ExchangeError } from '../http/exchange.ts';
import { type Credentials, Session } from '../http/session.ts';
import type { Run } from '../run.ts';
import { findCredentials } from './accounts.ts';
import { named, type ServerResult } from './results.ts';
import type { Server } from './server.ts';

/** A server with an open session. */
export interface Connected<S extends Server> {
  server: S;
  api: Api;
  /** Does work in the session; an error becomes findings. */
  attempt: <T>(work: () => Promise<T>) => Promise<ServerResult<T>>;
  /** Logs out. A session that nobody closes is closed with all others. */
  close: () => Promise<void>;
}

/**
 * Does work that only reads, in a session with each server, some at a time.
 * What a signal cuts short is no result.
 */
export async function onServers<S extends Server, T>(
  run: Run,
  servers: readonly S[],
  work: (api: Api, server: S) => Promise<T>,
): Promise<readonly ServerResult<T>[]> {
  const results = await withServers(run, servers, (connected) =>
    eachAtOnce(run, connected, async (connection) => {
      const { api, server, attempt, close } = connection;
      const result = await attempt(() => work(api, server));
      reportReading(run, result, api.installed);
      await close();
      return result;
    }),
  );
  const { signal, ended } = run.interruption;
  if (signal !== undefined && ended !== undefined) fail(ended);
  return results;
}

/**
 * Opens a session with each server, and closes them all after some work. Fails
 * with all origins that are not allowed, or all missing credentials, before any
 * request.
 */
export async function withServers<S extends Server, T>(
  run: Run,
  servers: readonly S[],
  work: (connected: readonly Connected<S>[]) => Promise<T>,
): Promise<T> {
  const refused = refusedOrigins(servers, run.runtime.env);
  if (refused.length > 0) fail(...refused);
  const finding = servers.map(async (server) => {
    const credentials = await findCredentials(run, server);
    return 'code' in credentials ? fail(credentials) : { server, credentials };
  });
  const accounts = await allOrFail(finding);
  for (const server of servers) {
    const { protocol, origin } = server.url;
    if (run.options.insecure !== true || protocol !== 'https:') continue;
    const unverified = diagnostic('not-verified', { origin });
    run.notices.push(...named(server, [unverified]));
  }
  run.progress.read(servers.map(({ name }) => name));
  const connecting = accounts.map(({ server, credentials }) =>
    connect(run, server, credentials),
  );
  const connected = await Promise.all(connecting);
  try {
    return await work(connected);
  } finally {
    await Promise.all(connected.map(({ close }) => close()));
  }
}

/** Says that a server was read, or that it was not. */
export function reportReading(
  { progress }: Run,
  { server, value, diagnostics }: ServerResult<unknown>,
  installed: number,
): void {
  if (value === undefined && diagnostics.length > 0) {
    progress.ended(server.name, 'not read', 'bad');
    return;
  }
  // Some commands read none.
  const read =
    installed === 0 ? 'read' : `${count(installed, 'integration')} read`;
  progress.ended(server.name, read, 'good');
}

/** Does work for each server, as many at a time as a flag says. */
export function eachAtOnce<Item, T>(
  { options: { serversAtOnce: concurrency = 8 } }: Run,
  items: readonly Item[],
  work: (item: Item) => Promise<T>,
): Promise<readonly T[]> {
  return pMap(items, work, { concurrency });
}

async function connect<S extends Server>(
  run: Run,
  server: S,
  credentials: Credentials,
): Promise<Connected<S>> {
  const { interruption, writer, runtime } = run;
  const { concurrency = 8, timeout, insecure } = run.options;
  // All requests of a run to this server share its retries.
  const retries = { left: 20 };
  // With undici, which is loaded for the first request.
  const { Transport } = await import('../http/transport.ts');
  const transport = new Transport({
    ...runtime,
    url: server.url,
    ca: server.ca,
    // All other commands cannot write, whatever their work asks for.
    mode: isWriting(run.command) ? 'write' : 'read',
    insecure,
    retries,
    stopping: interruption.stopping,
    aborted: interruption.aborted,
    connections: concurrency,
    timeout,
    mask: (text) => writer.mask.text(text),
    log: (text) => writer.detail(text),
  });
  const session = new Session(
    (request) => transport.send(request),
    credentials,
    writer,
  );
  const attempt = async <T>(work: () => Promise<T>) => {
    try {
      const value = await work();
      // What ended the session, or the run, ended a part of the work.
      const ends = [session.ended?.diagnostic, interruption.ended];
      const diagnostics = ends.filter((end) => end !== undefined);
      return { server, value, diagnostics };
    } catch (thrown) {
      const diagnostics =
        thrown instanceof ExchangeError
          ? [interruption.ended ?? thrown.diagnostic]
          : findingsOf(thrown);
      return { server, diagnostics };
    }
  };
  const close = async (): Promise<void> => {
    const { aborted } = interruption;
    // A run that has ended waits only a moment for a logout.
    const bound = aborted.aborted
      ? AbortSignal.timeout(500)
      : AbortSignal.any([AbortSignal.timeout(5_000), aborted]);
    await session.logout(bound);
    await transport.close();
  };
  const api = new Api({
    session,
    concurrency,
    retries,
    onPage: () => run.progress.page(),
  });
  return { server, api, attempt, close };
}
