import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { decodeErrors, errorText, refusalIn } from '../../core/live/errors.ts';
import { present, recordOf } from '../../core/model/json.ts';
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
    {
      status,
      headers = {},
      errors = [],
    }: Partial<Pick<ExchangeError, 'status' | 'headers' | 'errors'>> = {},
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
export function badAnswer(
  request: string,
  problem: string,
  status?: number,
): ExchangeError {
  return new ExchangeError(
    'bad-answer',
    diagnostic('bad-answer', { request, problem }),
    { status },
  );
}

/** Takes the error of an exchange as a result. Throws anything else on. */
export function exchangeError(thrown: unknown): ExchangeError {
  if (thrown instanceof ExchangeError) return thrown;
  throw thrown;
}

/** The name of a request in messages: its method and its path without the query. */
export function requestName({
  method,
  path,
}: Pick<Request, 'method' | 'path'>): string {
  return `${method} ${path.replace(/\?.*$/, '')}`;
}

/** An answer of any status, as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: ExchangeError['headers'];
  readonly text: string;
}

/**
 * The JSON of a good answer; undefined if it is empty, as only those to writes and logins may be. Throws an ExchangeError for
 * any other answer, and for one with errors in it: what it is about was not all done, or is not whole.
 */
export function decodeAnswer(
  { method, path }: Request,
  answer: Answer,
  mask: (text: string) => string,
): unknown {
  const { status, headers } = answer;
  const request = requestName({ method, path });
  const isGood = status >= 200 && status < 300;
  // What a server says to people is masked before it is cut to fit, which would leave parts of secrets.
  const text = isGood && method !== 'PATCH' ? answer.text : mask(answer.text);
  const tooLarge = sizeProblem(text);
  if (tooLarge !== undefined) throw badAnswer(request, tooLarge);
  const json = parsed(text);
  if (!isGood) throw refusal(request, answer, decodeErrors(json));
  const mediaType = String(headers['content-type'] ?? '')
    .replace(/\s*;.*$/s, '')
    .toLowerCase();
  // Of a write that took, an answer may be cut; of a login it is what matters.
  const mayBeCut = mediaType.endsWith('json') && path !== '/api/users/login';
  const mayBeEmpty =
    method !== 'GET' && (text === '' || status === 204 || mayBeCut);
  if (json === undefined && !mayBeEmpty)
    throw badAnswer(request, problemOf(text, mediaType), status);
  const errors = refusalIn(
    method === 'PATCH' ? json : { errors: recordOf(json)['errors'] },
  );
  if (errors === undefined) return json;
  const found = diagnostic('bad-answer', {
    request,
    status,
    detail: errorText(errors) ?? 'its answer holds errors',
  });
  throw new ExchangeError('refused', found, { status, errors });
}

/** The object or list that a text is, whatever its media type. */
function parsed(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Why a good answer is not JSON: a machine on the way may have sent it. */
function problemOf(text: string, mediaType: string): string {
  if (text === '') return 'it is empty';
  const isJson = mediaType === '' || mediaType.endsWith('json');
  return isJson
    ? 'it is not valid JSON'
    : `it is ${mediaType}, not application/vnd.api+json`;
}

/** The error for an answer that is not a good one. */
function refusal(
  request: string,
  { status, headers }: Answer,
  errors: ExchangeError['errors'],
): ExchangeError {
  const detail = present({ detail: errorText(errors) });
  const redirected = {
    problem: `it redirects (${status})`,
    hint: 'Use the final address as the URL of the server.',
  };
  const found =
    status === 403
      ? diagnostic('not-permitted', { request, ...detail })
      : diagnostic('bad-answer', {
          request,
          ...(status < 400 ? redirected : { status, ...detail }),
        });
  // A server or gateway that fails may have acted before it failed.
  return new ExchangeError(status >= 500 ? 'no-answer' : 'refused', found, {
    status,
    headers,
    errors,
  });
}

/** The most objects and lists that are taken in one answer: more would cost more than they tell. */
const MOST_OBJECTS = 400_000;

/** Why a JSON text is too large to be parsed; brackets inside of its texts count too. */
function sizeProblem(json: string): string | undefined {
  // Each has two brackets.
  if (json.length <= 2 * MOST_OBJECTS) return undefined;
  const state = { left: MOST_OBJECTS };
  for (const mark of ['{', '['])
    for (
      let at = json.indexOf(mark);
      at >= 0 && state.left >= 0;
      at = json.indexOf(mark, at + 1)
    )
      state.left -= 1;
  return state.left < 0
    ? `it holds more than ${MOST_OBJECTS} objects`
    : undefined;
}
