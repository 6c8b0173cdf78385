import type { ServerError } from '../../core/live/errors.ts';
import type { Secret } from '../../core/model/secret.ts';

/** One request. `path` begins with `/api/`; it is appended to the server's address. */
export interface Request<T = unknown> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** What to send as JSON; secrets in it are opened on the way. */
  readonly body?: unknown;
  readonly token?: Secret<string> | undefined;
  /** Takes what is wanted from a good answer, of which nothing else is kept. Throws an ExchangeError if it cannot be used. */
  readonly decode?: (content: Content) => T;
  /** Ends it and its repetitions; the end of the run without it. */
  readonly aborted?: AbortSignal | undefined;
  /** True if it finishes what another request began: it is sent even when no new request should start. */
  readonly finishes?: boolean;
  /** Counts the attempts of a request that is sent again, so that all count together. */
  readonly tally?: { made: number };
}

/** An answer of any status. */
export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Content['headers'];
  /** What was decoded from a good answer. */
  readonly value?: T;
  /** What any other one says of what went wrong. */
  readonly errors: readonly ServerError[];
}

/** What came as an answer: its text and, if that is JSON, what it holds. */
export interface Content {
  /** The name of its request. */
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly mediaType: string;
  readonly text: string;
  readonly json?: { readonly body: unknown };
}

/** Sends requests to one server. It keeps connections; `close` ends them, also those that hang. */
export interface Transport {
  /** Returns the answer of any status. Throws an ExchangeError if none came or it cannot be used. */
  readonly send: <T>(request: Request<T>) => Promise<Answer<T>>;
  readonly close: () => Promise<void>;
}

/** The name of a request in messages: its method and its path without the query. */
export function requestName({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path.replace(/\?.*$/, '')}`;
}
