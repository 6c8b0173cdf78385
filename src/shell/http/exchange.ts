import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import type { decodeErrors } from '../../core/live/errors.ts';
import type { Secret } from '../../core/model/secret.ts';

/** One request. `path` begins with `/api/`; it is appended to the server's address. */
export interface Request<T = unknown> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** What to send as JSON; secrets in it are opened on the way. */
  readonly body?: unknown;
  readonly token?: Secret<string> | undefined;
  /** Takes what is wanted from the JSON of a good answer, of which nothing else is kept. */
  readonly decode?: (json: unknown) => T;
  /** Ends it and its repetitions; the end of the run without it. */
  readonly aborted?: AbortSignal | undefined;
  /** True if it finishes what another request began: it is sent even when no new request should start. */
  readonly finishes?: boolean;
  /** Counts the attempts of a request that is sent again, so that all count together. */
  readonly tally?: { made: number };
}

/** A request that failed, with the finding that says why. */
export class ExchangeError extends Error {
  /**
   * How far it came: `not-sent` never left, `no-answer` may or may not have acted, `refused` has an error as its answer,
   * `bad-answer` has one that cannot be used.
   */
  readonly phase: 'not-sent' | 'no-answer' | 'refused' | 'bad-answer';
  readonly diagnostic: Diagnostic;
  /** The status and the headers of the answer, if one came, and what the server said about it, entry by entry. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly errors: ReturnType<typeof decodeErrors>;

  constructor(
    phase: ExchangeError['phase'],
    found: Diagnostic,
    { status, headers = {}, errors = [] }: Partial<Pick<ExchangeError, 'status' | 'headers' | 'errors'>> = {},
  ) {
    super(found.code);
    this.name = 'ExchangeError';
    this.phase = phase;
    this.diagnostic = found;
    this.status = status;
    this.headers = headers;
    this.errors = errors;
  }
}

/** The error of an answer that cannot be used; `request` is the name of its request. */
export function badAnswer(request: string, problem: string, status?: number): ExchangeError {
  return new ExchangeError('bad-answer', diagnostic('bad-answer', { request, problem }), { status });
}

/** Takes the error of an exchange as a result. Throws anything else on. */
export function exchangeError(thrown: unknown): ExchangeError {
  if (thrown instanceof ExchangeError) return thrown;
  throw thrown;
}

/** The name of a request in messages: its method and its path without the query. */
export function requestName({ method, path }: Pick<Request, 'method' | 'path'>): string {
  return `${method} ${path.replace(/\?.*$/, '')}`;
}
