import { type Diagnostic, diagnostic, onServer } from '../core/findings/diagnostic.ts';
import type { Credentials } from './credentials.ts';
import { Failure } from './failure.ts';
import { Api } from './http/api.ts';
import { ExchangeError } from './http/exchange-error.ts';
import { retrying } from './http/retrying.ts';
import { Session } from './http/session.ts';
import { openTransport, requestName, type Transport } from './http/transport.ts';
import type { Run } from './run.ts';

/** The options of every command that speaks to a server; times are in seconds. */
export interface ConnectionOptions {
  readonly timeout?: number | undefined;
  readonly deadline?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly caFile?: string | undefined;
  readonly insecure?: boolean | undefined;
}

export interface Connection {
  readonly url: URL;
  readonly credentials: Credentials;
  /** `read` cannot write, whatever the code above asks for. */
  readonly mode: 'read' | 'write';
  /** Said of findings where a run has several servers. */
  readonly name?: string | undefined;
}

const DEFAULT_TIMEOUT = { read: 30, write: 60 };
const DEFAULT_DEADLINE = 1_800;
const DEFAULT_CONCURRENCY = 8;

/** Milliseconds that a logout may take: it must not hold up the end of a run, but is tried also when the time is up. */
const LOGOUT_TIME = { least: 500, most: 5_000 };

/** Opens a session, gives its calls to the body, and ends it with a logout, whatever happens in between. */
export async function withServer<T>(
  run: Run,
  options: ConnectionOptions,
  target: Connection,
  body: (api: Api) => Promise<T>,
): Promise<T> {
  const { interruption } = run;
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  const transport = await connect(run, options, target, concurrency);
  const session = new Session(transport, target.credentials, {
    now: run.runtime.now,
    remember: (secret) => run.secrets.add(secret),
  });
  const deadline = new Deadline(options.deadline ?? DEFAULT_DEADLINE, () => interruption.expire());
  const notice = (found: Diagnostic) =>
    run.notices.push(target.name === undefined ? found : onServer(found, target.name));
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

/** A transport to the server that tries again where that is safe. */
async function connect(
  run: Run,
  options: ConnectionOptions,
  target: Connection,
  concurrency: number,
): Promise<Transport> {
  const { read, write } = DEFAULT_TIMEOUT;
  const transport = await openTransport({
    url: target.url,
    mode: target.mode,
    connections: concurrency,
    timeout: { read: options.timeout ?? read, write: options.timeout ?? write },
    caFile: options.caFile,
    insecure: options.insecure,
    env: run.runtime.env,
    onExchange: (request, status) => run.console.detail(`${requestName(request)} ${status ?? 'no answer'}`),
  });
  const onRetry = (text: string) => run.console.detail(text);
  const { stopping } = run.interruption;
  return retrying(transport, { ...run.runtime, quota: run.retries, concurrency, onRetry, stopping });
}

/** The time that a run may take. */
class Deadline {
  /** What there is to say once the time is up. */
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

/** The finding in whatever a call threw; anything else is thrown on. */
export function findingOf(thrown: unknown): Diagnostic {
  if (thrown instanceof ExchangeError) return thrown.diagnostic;
  throw thrown;
}
