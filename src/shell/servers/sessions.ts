import { resolve } from 'node:path';
import { type Diagnostic, diagnostic, onServer } from '../../core/findings/diagnostic.ts';
import { type Fingerprint, fingerprinter } from '../../core/plan/fingerprint.ts';
import { allOrFail, Failure, findingsOf } from '../failure.ts';
import { Api } from '../http/api.ts';
import { ExchangeError } from '../http/exchange-error.ts';
import { RetryingTransport } from '../http/retrying-transport.ts';
import { type Credentials, Session } from '../http/session.ts';
import { openTransport, requestName, type Transport } from '../http/transport.ts';
import type { Run } from '../run.ts';
import { readRegularFile } from '../sources/regular-file.ts';
import { fingerprintKey, readCredentials } from './credentials.ts';
import { LARGEST_CA_FILE, type Server, type ServerOptions } from './server.ts';

const DEFAULTS = { readTimeout: 30, writeTimeout: 60, deadline: 1_800, concurrency: 8 };

/** Milliseconds that a logout may take: it must not hold up the end of a run, but is tried even after the deadline. */
const LOGOUT_TIME = { least: 500, most: 5_000 };

/** An open session with one server, and what it takes to keep secrets out of its plan. */
export interface OpenServer {
  readonly api: Api;
  readonly fingerprint: Fingerprint;
  /** Secrets known before any server has answered: a plan must not depend on which one answers first. */
  readonly secrets: readonly string[];
}

/** What the work on one server led to; a server that failed has only findings. */
interface ServerResult<S extends Server, T> {
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
      credentials: await readCredentials(run, server.credentialsName),
    })),
  );
  const secrets = [...run.secrets];
  return Promise.all(
    accounts.map(async ({ server, credentials }): Promise<ServerResult<S, T>> => {
      const label = labeller(server, servers.length);
      const fingerprint = fingerprinter(fingerprintKey(run.runtime.env, credentials, server.url.origin));
      const notice = (found: Diagnostic) => run.notices.push(label(found));
      try {
        const value = await inSession(run, options, server, credentials, notice, (api) =>
          body({ api, fingerprint, secrets }, server),
        );
        return { server, value, diagnostics: [] };
      } catch (thrown) {
        options.onFailure?.();
        return { server, diagnostics: findingsOf(thrown).map(label) };
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
function labeller({ name }: Server, count: number): (found: Diagnostic) => Diagnostic {
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
  const transport = await connect(run, { ...options, concurrency }, server);
  const session = new Session(transport, credentials, {
    now: run.runtime.now,
    remember: (secret) => run.secrets.add(secret),
  });
  const deadline = new Deadline(options.deadline ?? DEFAULTS.deadline, () => interruption.expire());
  try {
    const onProgress = (text: string) => run.console.progress(text);
    const result = await body(new Api({ session, concurrency, aborted: interruption.aborted, onProgress }));
    if (deadline.finding !== undefined) notice(deadline.finding);
    return result;
  } catch (thrown) {
    if (!(thrown instanceof ExchangeError)) throw thrown;
    throw new Failure([deadline.finding ?? thrown.diagnostic]);
  } finally {
    deadline.stop();
    const problem = await session.logout(deadline.remaining(LOGOUT_TIME), interruption.forced);
    if (problem !== undefined) notice(diagnostic('logout-failed', { reason: problem }));
    await transport.close();
  }
}

async function connect(
  run: Run,
  options: SessionOptions & { readonly concurrency: number },
  { url, ca }: Server,
): Promise<Transport> {
  const { mode, timeout, insecure, concurrency } = options;
  const authorities = ca === undefined ? undefined : [await extraAuthorities(run), ca];
  const { readTimeout, writeTimeout } = DEFAULTS;
  const transport = await openTransport({
    url,
    mode,
    connections: concurrency,
    timeout: { read: timeout ?? readTimeout, write: timeout ?? writeTimeout },
    ca: authorities,
    insecure,
    env: run.runtime.env,
    onExchange: (request, status) => run.console.detail(`${requestName(request)} ${status ?? 'no answer'}`),
  });
  const onRetry = (text: string) => run.console.detail(text);
  const { stopping } = run.interruption;
  return new RetryingTransport(transport, {
    ...run.runtime,
    quota: run.retries,
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

/** The time that a run may take. */
class Deadline {
  /** The finding for the end of the run; undefined before the time is up. */
  finding: Diagnostic | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #end: number;

  constructor(seconds: number, onExpiry: () => void) {
    this.#end = performance.now() + seconds * 1000;
    this.#timer = setTimeout(() => {
      this.finding = diagnostic('run-deadline', { seconds });
      onExpiry();
    }, seconds * 1000);
  }

  /** The whole milliseconds that are left, within limits. */
  remaining({ least, most }: { readonly least: number; readonly most: number }): number {
    return Math.ceil(Math.min(most, Math.max(least, this.#end - performance.now())));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
