import { resolve } from 'node:path';
import { type Diagnostic, diagnostic, onServer } from '../../core/findings/diagnostic.ts';
import { RETRIES_PER_SERVER } from '../../core/pacing/retry.ts';
import { allOrFail, Failure, findingsOf } from '../failure.ts';
import { Api } from '../http/api.ts';
import { ExchangeError } from '../http/exchange-error.ts';
import { RetryingTransport } from '../http/retrying-transport.ts';
import { type Credentials, Session } from '../http/session.ts';
import { openTransport, requestName, type Transport } from '../http/transport.ts';
import type { Run } from '../run.ts';
import { readRegularFile } from '../sources/regular-file.ts';
import { likelyPage, withAddressHint } from './address-hints.ts';
import { readCredentials, withVariables } from './credentials.ts';
import { LARGEST_CA_FILE, type Server, type ServerOptions } from './server.ts';

const DEFAULTS = { readTimeout: 30, writeTimeout: 60, concurrency: 8 };

/** Milliseconds that a logout may take: it must not hold up the end of a run, but is tried even after the deadline. */
const LOGOUT_TIME = { least: 500, most: 5_000 };

/** An open session with one server, and what it takes to keep secrets out of its plan. */
export interface OpenServer {
  readonly api: Api;
  /** Secrets known before any server has answered: a plan must not depend on which one answers first. */
  readonly secrets: readonly string[];
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
  /** Called for each server whose session or body fails. */
  readonly onFailure?: () => void;
}

/**
 * Reads the credentials of all servers, then runs a body in a session with each, side by side. Fails with all credentials
 * that are missing, before any request; a server that fails does not stop the others. Results are in the order of `servers`.
 */
export async function onServers<S extends Server, T>(
  run: Run,
  options: SessionOptions,
  servers: readonly S[],
  body: (open: OpenServer, server: S) => Promise<T>,
): Promise<readonly ServerResult<S, T>[]> {
  const accounts = await allOrFail(
    servers.map(async (server) => ({
      server,
      ...(await readCredentials(run, server.credentialsName)),
    })),
  );
  const secrets = run.secrets.texts;
  return Promise.all(
    accounts.map(async ({ server, credentials, source }): Promise<ServerResult<S, T>> => {
      const label = labeller(server, servers.length);
      const explained = (found: Diagnostic) => withVariables(withAddressHint(found, server.url), source);
      const notice = (found: Diagnostic) => run.notices.push(label(explained(found)));
      try {
        const value = await inSession(run, options, server, credentials, notice, (api) =>
          body({ api, secrets }, server),
        );
        return { server, value, diagnostics: [] };
      } catch (thrown) {
        options.onFailure?.();
        const found = findingsOf(thrown).map(explained);
        return {
          server,
          diagnostics: [...found, ...likelyPage(found, server.url, server.urlPlace)].map(label),
        };
      }
    }),
  );
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

/** Opens a session, runs the body, and logs out, whatever happens in between. */
async function inSession<T>(
  run: Run,
  options: SessionOptions,
  server: Server,
  credentials: Credentials,
  notice: (found: Diagnostic) => void,
  body: (api: Api) => Promise<T>,
): Promise<T> {
  const { interruption } = run;
  const { concurrency = DEFAULTS.concurrency } = options;
  const { origin, protocol } = server.url;
  if (options.insecure && protocol === 'https:') notice(diagnostic('not-verified', { origin }));
  const retries = { left: RETRIES_PER_SERVER };
  const transport = await connect(run, { ...options, concurrency, retries }, server);
  const session = new Session(transport, credentials, {
    now: run.runtime.now,
    remember: (secret) => run.secrets.given(secret),
    aborted: interruption.aborted,
  });
  try {
    const onProgress = (text: string) => run.writer.progress(text);
    const result = await body(
      new Api({ session, concurrency, retries, aborted: interruption.aborted, onProgress }),
    );
    if (session.ended !== undefined) notice(session.ended.diagnostic);
    if (interruption.expired !== undefined) notice(interruption.expired);
    return result;
  } catch (thrown) {
    if (!(thrown instanceof ExchangeError)) throw thrown;
    throw new Failure([interruption.expired ?? thrown.diagnostic]);
  } finally {
    const problem = await session.logout(interruption.remaining(LOGOUT_TIME), interruption.forced);
    if (problem !== undefined) notice(diagnostic('logout-failed', { reason: problem }));
    await transport.close();
  }
}

async function connect(
  run: Run,
  options: SessionOptions & Pick<Api, 'concurrency' | 'retries'>,
  { url, ca }: Server,
): Promise<Transport> {
  const { mode, timeout, insecure, concurrency, retries } = options;
  const authorities = ca === undefined ? undefined : [await extraAuthorities(run), ca];
  const { readTimeout, writeTimeout } = DEFAULTS;
  const transport = await openTransport({
    url,
    mode,
    // One more for what is read beside the requests that take turns.
    connections: concurrency + 1,
    timeout: { read: timeout ?? readTimeout, write: timeout ?? writeTimeout },
    ca: authorities,
    insecure,
    env: run.runtime.env,
    onExchange: (request, status) => run.writer.detail(`${requestName(request)} ${status ?? 'no answer'}`),
  });
  const onRetry = (text: string) => run.writer.detail(text);
  const { stopping } = run.interruption;
  return new RetryingTransport(transport, {
    ...run.runtime,
    quota: retries,
    concurrency,
    onRetry,
    stopping,
  });
}

/** The certificates that Node trusts beside its own. Node itself warns where it cannot read them. */
async function extraAuthorities(run: Run): Promise<string> {
  const { env, cwd } = run.runtime;
  const path = env['NODE_EXTRA_CA_CERTS'] ?? '';
  const content =
    path === '' ? undefined : await readRegularFile(run, resolve(cwd, path), { most: LARGEST_CA_FILE });
  return content !== undefined && 'bytes' in content ? content.bytes.toString() : '';
}
