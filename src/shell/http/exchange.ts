import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { withoutCredentials } from '../../core/live/credentials.ts';
import {
  decodeErrors,
  errorText,
  refusalIn,
  type ServerError,
} from '../../core/live/errors.ts';
import { recordOf } from '../../core/model/json.ts';
import type { Secret } from '../../core/model/secret.ts';

/** Counts the attempts of a request. */
export interface Attempts {
  made: number;
}

/**
 * One request. `path` begins with `/api/`; it is appended to the server's
 * address.
 */
export interface Request<T = unknown> {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  /** What to send as JSON; secrets in it are opened on the way. */
  body?: unknown;
  token?: Secret<string> | undefined;
  /**
   * Takes what is wanted from the JSON of a good answer, of which nothing else
   * is kept.
   */
  decode?: ((json: unknown) => T) | undefined;
  /** Ends it and its repetitions; the end of the run without it. */
  aborted?: AbortSignal | undefined;
  /**
   * True if it finishes what another request began: it is sent even when no new
   * request should start.
   */
  finishes?: boolean | undefined;
  /**
   * Counts the attempts of a request that is sent again, so that all count
   * together.
   */
  tally?: Attempts | undefined;
}

/** How far a request came before it failed. */
type Phase =
  /** It never left. */
  | 'not-sent'
  /**
   * It never left, nor will a new one: the session or the run has ended, or the
   * server asks for too long a pause.
   */
  | 'held-back'
  /** It may or may not have acted. */
  | 'no-answer'
  /** The API answered with an error. */
  | 'refused'
  /** Its answer cannot be used, or is not that of the API. */
  | 'bad-answer';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The parts of an answer that an error keeps, if one came. */
interface ErrorAnswer {
  status?: number | undefined;
  headers?: Headers | undefined;
  /** What the API said about it, entry by entry. */
  errors?: readonly ServerError[] | undefined;
}

/** A request that failed, with the finding that says why. */
export class ExchangeError extends Error {
  readonly phase: Phase;
  readonly diagnostic: Diagnostic;
  /** Without the refusals of what answers in place of the API. */
  readonly status: number | undefined;
  /** The head of the answer, whoever gave it: it paces what is sent again. */
  readonly head: {
    status: number | undefined;
    headers: Headers;
  };
  readonly errors: readonly ServerError[];

  constructor(phase: Phase, finding: Diagnostic, answer: ErrorAnswer = {}) {
    super(finding.code);
    this.name = 'ExchangeError';
    this.phase = phase;
    this.diagnostic = finding;
    const { status = 0 } = answer;
    const isOfApi = phase === 'refused' || phase === 'no-answer';
    this.status = status < 300 || isOfApi ? answer.status : undefined;
    this.head = { status: answer.status, headers: answer.headers ?? {} };
    this.errors = answer.errors ?? [];
  }
}

/**
 * Makes the error of an answer that cannot be used; `request` is the name of
 * its request.
 */
export function badAnswer(
  request: string,
  problem: string,
  answer: ErrorAnswer = {},
): ExchangeError {
  const finding = diagnostic('bad-answer', { request, problem });
  return new ExchangeError('bad-answer', finding, answer);
}

/** Takes the error of an exchange as a result. Throws anything else on. */
export function exchangeError(thrown: unknown): ExchangeError {
  if (thrown instanceof ExchangeError) return thrown;
  throw thrown;
}

/**
 * Names a request in messages: by its method and its path without the query.
 */
export function requestName({ method, path }: Request): string {
  return `${method} ${path.replace(/\?.*$/, '')}`;
}

/** An answer of any status, as it came. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** False if its bytes are another text than UTF-8, or none. */
  isUtf8: boolean;
}

/**
 * Decodes the JSON of a good answer; undefined if it is empty, as only those to
 * writes and logins may be. Throws an ExchangeError for any other answer, and
 * for one with errors in it: its subject was not all done, or is not whole.
 */
export function decodeAnswer(
  request: Request,
  answer: Answer,
  mask: (text: string) => string,
): unknown {
  const { status } = answer;
  const isWrite = request.method === 'PATCH';
  const name = requestName(request);
  // What a server says to people is masked before it is cut to fit, which would
  // leave parts of secrets. What is read for its values is not masked.
  const isRead = isGood(answer) && !isWrite;
  const text = isRead ? answer.text : mask(answer.text);
  const tooLarge = sizeProblem(text);
  if (tooLarge !== undefined) throw badAnswer(name, tooLarge, answer);
  if (status >= 300 && status < 400) throw redirection(name, answer, mask);
  const json = answer.isUtf8 ? parsed(text) : undefined;
  const isJson = json !== undefined || mayLackJson(request, answer);
  if (!isJson) throw unreadable(name, answer, mask);
  if (!isGood(answer)) throw refusal(name, answer, decodeErrors(json));
  const errors = refusalIn(isRead ? errorsIn(json, text, mask) : json);
  if (errors !== undefined) throw refusal(name, answer, errors);
  return json;
}

function isGood({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** The errors in an answer that was read for its values, masked. */
function errorsIn(
  json: unknown,
  text: string,
  mask: (text: string) => string,
): unknown {
  if (recordOf(json)['errors'] === undefined) return undefined;
  const { errors } = recordOf(parsed(mask(text)));
  return { errors };
}

/**
 * True if an answer of the API need not be JSON: it may be empty, or be cut
 * after a write that took.
 */
function mayLackJson({ method }: Request, answer: Answer): boolean {
  const isEmpty = answer.text.trim() === '' || answer.status === 204;
  if (isEmpty) return method !== 'GET' || !isGood(answer);
  const isWritten = method === 'PATCH' && isGood(answer);
  return isWritten && answer.isUtf8 && isLikeJson(answer);
}

/** True for what begins as the JSON of the API does, UTF-16 included. */
function isLikeJson({ text }: Answer): boolean {
  return /^[\s\0\uFFFD]*[{[]/.test(text);
}

/** Parses the object or list that a text is, whatever its media type. */
function parsed(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(withExactNumbers(text));
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A number in a value that may be too long to be kept; hardly any answer has
 * one.
 */
const LONG_NUMBER = /"value"\s*:\s*(?:\[[^\]"]*?)?-?\d[\d.]{15}/;

/**
 * Quotes the numbers that JSON.parse would round; those inside of texts stay.
 */
function withExactNumbers(text: string): string {
  if (!LONG_NUMBER.test(text)) return text;
  let isInText = false;
  return text.replace(/\\.|"|-?\d[\d.eE+-]{15,}/g, (token) => {
    if (token === '"') isInText = !isInText;
    if (isInText || token.length < 16) return token;
    return String(Number(token)) === token ? token : `"${token}"`;
  });
}

/** Makes the error of an answer that is no JSON: something else gave it. */
function unreadable(
  request: string,
  answer: Answer,
  mask: (text: string) => string,
): ExchangeError {
  const problem = isGood(answer) ? problemOf(answer) : undefined;
  if (problem !== undefined) return badAnswer(request, problem, answer);
  const { status, headers, text } = answer;
  const type = firstWords(String(headers['content-type'] ?? ''), mask);
  const words = isCompressed(answer) ? 'compressed' : firstWords(text, mask);
  const parts = [type.replace(/;.*$/, ''), words];
  const said = parts.filter((part) => part !== '').join(': ');
  const foreign = said || 'nothing readable';
  const finding = diagnostic('bad-answer', { request, status, foreign });
  return new ExchangeError('bad-answer', finding, answer);
}

/** Words why the JSON of an answer cannot be read; undefined if it has none. */
function problemOf(answer: Answer): string | undefined {
  if (answer.text.trim() === '') return 'it is empty';
  if (isCompressed(answer)) return 'it is compressed, which nobody asked for';
  if (!isLikeJson(answer)) return undefined;
  return answer.isUtf8
    ? 'its JSON is cut off or damaged'
    : 'it is not UTF-8 text';
}

function isCompressed({ headers }: Answer): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding !== 'identity';
}

/** The title of a page, or the first words of a text, without secrets. */
function firstWords(text: string, mask: (text: string) => string): string {
  const start = mask(text.replaceAll('\0', '')).slice(0, 8_192);
  const [, title] = /<title[^>]*>\s*([^<\s][^<]*)/i.exec(start) ?? [];
  const body = start.replace(/<(style|script)\b.*?<\/\1>/gis, ' ');
  const words = withoutCredentials(title ?? body.replace(/<[^>]*>?/g, ' '));
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}

/** Makes the error of an answer that names another address. */
function redirection(
  request: string,
  answer: Answer,
  mask: (text: string) => string,
): ExchangeError {
  const { status, headers } = answer;
  const target = mask(String(headers['location'] ?? ''));
  // Neither a login nor a query is shown.
  const [, address = ''] =
    /^(?:[a-z]+:)?(?:\/\/(?:[^/?#]*@)?)?([^?#]*)/i.exec(target) ?? [];
  const to = address === '' ? '' : ` to ${firstWords(address, mask)}`;
  const problem = `it redirects (${status})${to}`;
  const hint = 'Use the final address as the URL of the server.';
  const finding = diagnostic('bad-answer', { request, problem, hint });
  return new ExchangeError('bad-answer', finding, answer);
}

/** Makes the error of an answer of the API that says what went wrong. */
function refusal(
  request: string,
  answer: Answer,
  errors: readonly ServerError[],
): ExchangeError {
  const { status, headers } = answer;
  const said = errorText(errors);
  const detail = isGood(answer) ? (said ?? 'its answer holds errors') : said;
  const finding =
    status === 403
      ? diagnostic('not-permitted', { request, detail })
      : diagnostic('bad-answer', { request, status, detail });
  // A server or gateway that fails may have acted before it failed.
  const phase = status >= 500 ? 'no-answer' : 'refused';
  return new ExchangeError(phase, finding, { status, headers, errors });
}

/**
 * The most objects and lists that are taken in one answer: more would cost more
 * than they tell.
 */
const MOST_OBJECTS = 400_000;

/**
 * Finds whether a JSON text is too large to be parsed; brackets inside of its
 * texts count too.
 */
function sizeProblem(json: string): string | undefined {
  // Each has two brackets.
  if (json.length <= 2 * MOST_OBJECTS) return undefined;
  let objects = 0;
  for (const bracket of ['{', '[']) {
    let position = json.indexOf(bracket);
    while (position >= 0 && objects <= MOST_OBJECTS) {
      objects += 1;
      position = json.indexOf(bracket, position + 1);
    }
  }
  if (objects <= MOST_OBJECTS) return undefined;
  return `it holds more than ${MOST_OBJECTS} objects`;
}
