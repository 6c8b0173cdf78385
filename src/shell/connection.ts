import { type Diagnostic, diagnostic } from '../core/diagnostic.ts';
import type { Credentials } from './credentials.ts';
import { Failure } from './failure.ts';
import { Api } from './http/api.ts';
import { ExchangeError } from './http/exchange-error.ts';
import { Session } from './http/session.ts';
import { openTransport, requestName } from './http/transport.ts';
import type { Run } from './run.ts';

/** The options of every command that speaks to a server; times are in seconds. */
export interface ConnectionOptions {
  readonly timeout?: number | undefined;
  readonly deadline?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly caFile?: string | undefined;
  readonly insecure?: boolean | undefined;
}

export interface Target {
  readonly url: URL;
  readonly credentials: Credentials;
  /** `read` cannot write, whatever the code above asks for. */
  readonly mode: 'read' | 'write';
}

const DEFAULT_TIMEOUT = { read: 30, write: 60 };
const DEFAULT_DEADLINE = 1_800;
const DEFAULT_CONCURRENCY = 8;

/** Opens a session, gives its calls to the body, and ends it with a logout, whatever happens in between. */
export async function withServer<T>(
  run: Run,
  options: ConnectionOptions,
  target: Target,
  body: (api: Api) => Promise<T>,
): Promise<T> {
  const { talk, interruption } = run;
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  const deadline = options.deadline ?? DEFAULT_DEADLINE;
  const transport = await openTransport({
    ...target,
    connections: concurrency,
    timeout: {
      read: options.timeout ?? DEFAULT_TIMEOUT.read,
      write: options.timeout ?? DEFAULT_TIMEOUT.write,
    },
    caFile: options.caFile,
    insecure: options.insecure,
    env: run.runtime.env,
    onExchange: (request, status) => talk.detail(`${requestName(request)} ${status ?? 'no answer'}`),
  });
  const session = new Session(transport, target.credentials, {
    now: run.runtime.now,
    remember: (secret) => run.secrets.add(secret),
  });
  const expiry = { expired: false };
  const timer = setTimeout(() => {
    expiry.expired = true;
    interruption.expire();
  }, deadline * 1000);
  try {
    const api = new Api({
      session,
      concurrency,
      aborted: interruption.aborted,
      onProgress: (text) => talk.progress(text),
    });
    return await body(api);
  } catch (thrown) {
    throw thrown instanceof ExchangeError
      ? new Failure([expiry.expired ? diagnostic('run-deadline', { seconds: deadline }) : thrown.diagnostic])
      : thrown;
  } finally {
    clearTimeout(timer);
    const problem = await session.logout();
    if (problem !== undefined) run.notices.push(diagnostic('logout-failed', { reason: problem }));
    await transport.close();
  }
}

/** The finding in whatever a call threw; anything else is thrown on. */
export function findingOf(thrown: unknown): Diagnostic {
  if (thrown instanceof ExchangeError) return thrown.diagnostic;
  throw thrown;
}
