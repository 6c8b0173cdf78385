import pMap from 'p-map';
import { refusedOrigins } from '../../core/config/server-url.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { explain } from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { allOrFail, fail, findingsOf } from '../failure.ts';
import { Api } from '../http/api.ts';
import { ExchangeError } from '../http/exchange.ts';
import { Session } from '../http/session.ts';
import type { Run } from '../run.ts';
import { type Account, findAccount } from './accounts.ts';
import { named, type ServerResult } from './results.ts';
import type { Server } from './server.ts';

/** What sessions may do; `read` cannot write, whatever the work asks for. */
type Mode = 'read' | 'write';

/** A server with an open session. */
export interface Connected<S extends Server> {
  readonly server: S;
  readonly api: Api;
  /** Does work in the session; an error becomes findings. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<ServerResult<T>>;
  /**
   * Logs out, once, and returns the errors that no work has failed with. A
   * session that nobody closes is closed with all others.
   */
  readonly close: () => Promise<readonly Diagnostic[]>;
}

/** Does work that only reads, in a session with each server, some at a time. */
export function onServers<S extends Server, T>(
  run: Run,
  servers: readonly S[],
  work: (api: Api, server: S) => Promise<T>,
): Promise<readonly ServerResult<T>[]> {
  return withServers(run, 'read', servers, (connected) =>
    eachAtOnce(run, connected, async (connection) => {
      const { api, server, attempt, close } = connection;
      const result = await attempt(() => work(api, server));
      reportReading(run, result, api.installed);
      await close();
      return result;
    }),
  );
}

/**
 * Opens a session with each server, and closes them all after some work. Fails
 * with all origins that are not allowed, or all missing credentials, before any
 * request.
 */
export async function withServers<S extends Server, T>(
  run: Run,
  mode: Mode,
  servers: readonly S[],
  work: (connected: readonly Connected<S>[]) => Promise<T>,
): Promise<T> {
  const refused = refusedOrigins(servers, run.runtime.env);
  if (refused.length > 0) fail(...refused);
  const finding = servers.map(async (server) => {
    const account = await findAccount(run, server);
    return 'code' in account ? fail(account) : { server, account };
  });
  const accounts = await allOrFail(finding);
  for (const server of servers) {
    const { protocol, origin } = server.url;
    if (run.options.insecure !== true || protocol !== 'https:') continue;
    const unverified = diagnostic('not-verified', { origin });
    run.notices.push(...named(server, [unverified]));
  }
  run.progress.read(servers.map(({ name }) => name));
  const connecting = accounts.map(({ server, account }) =>
    connect(run, mode, server, account),
  );
  const connected = await Promise.all(connecting);
  try {
    return await work(connected);
  } finally {
    const ends = await Promise.all(connected.map(({ close }) => close()));
    run.notices.push(...ends.flat());
  }
}

/** Says that a server was read, or why it was not. */
export function reportReading(
  { progress }: Run,
  { server, value, diagnostics }: ServerResult<unknown>,
  installed: number,
): void {
  const [error] = diagnostics;
  if (value === undefined && error !== undefined) {
    const reason = explain(error).message.replace(/\.$/, '');
    progress.ended(server.name, `not read: ${reason}`, 'bad');
    return;
  }
  const read = `${count(installed, 'integration')} read`;
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
  mode: Mode,
  server: S,
  account: Account,
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
    mode,
    insecure,
    retries,
    stopping: interruption.stopping,
    aborted: interruption.aborted,
    connections: concurrency,
    timeout: { read: timeout ?? 30, write: timeout ?? 60 },
    mask: (text) => writer.mask.text(text),
    log: (text) => writer.detail(text),
  });
  const session = new Session(
    (request) => transport.send(request),
    account.credentials,
    writer,
  );
  let hasFailed = false;
  const attempt = async <T>(work: () => Promise<T>) => {
    try {
      return { server, value: await work(), diagnostics: [] };
    } catch (thrown) {
      hasFailed = true;
      const diagnostics =
        thrown instanceof ExchangeError
          ? [interruption.expired ?? thrown.diagnostic]
          : findingsOf(thrown);
      return { server, diagnostics: withVariables(diagnostics, account) };
    }
  };
  const end = async (): Promise<readonly Diagnostic[]> => {
    // All is done: a deadline that ends during the logout is no failure.
    const ended = [session.ended?.diagnostic, interruption.expired];
    const ends = hasFailed ? [] : ended.filter((end) => end !== undefined);
    const problem = await session.logout(logoutSignal(run));
    if (problem !== undefined) writer.detail(`The logout failed: ${problem}`);
    await transport.close();
    return named(server, withVariables(ends, account));
  };
  let ending: Promise<readonly Diagnostic[]> | undefined;
  return {
    server,
    api: new Api(session, run.progress, { concurrency, retries }),
    attempt,
    close: () => {
      ending ??= end();
      return ending;
    },
  };
}

/**
 * Ends a logout after some time, or with the run. After the deadline or a
 * second signal it is sent, but waits only a moment.
 */
function logoutSignal({ interruption }: Run): AbortSignal {
  const { forced, aborted, expired } = interruption;
  if (forced.aborted || expired !== undefined) return AbortSignal.timeout(500);
  const end = aborted.aborted ? forced : aborted;
  return AbortSignal.any([AbortSignal.timeout(5_000), end]);
}

/** Says of refused credentials which variables to check. */
function withVariables(
  diagnostics: readonly Diagnostic[],
  { variables, token }: Account,
): readonly Diagnostic[] {
  return diagnostics.map((finding) =>
    finding.code === 'login-refused'
      ? { ...finding, facts: { ...finding.facts, variables, token } }
      : finding,
  );
}
