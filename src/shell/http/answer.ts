import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import {
  decodeErrors,
  errorText,
  refusalIn,
  type ServerError,
  textError,
} from '../../core/live/error-document.ts';
import { hasTooManyObjects, SERVER_LIMITS } from '../../core/live/limits.ts';
import { present, recordOf } from '../../core/model/json.ts';
import { badAnswer, ExchangeError, type Request, requestName } from './exchange.ts';

/** An answer of any status, as it came. */
interface Answer {
  readonly status: number;
  readonly headers: ExchangeError['headers'];
  readonly text: string;
}

/**
 * The JSON of a good answer; undefined if it is empty, as only those to writes and logins may be. Throws an ExchangeError for
 * any other answer, and for one with errors in it: what it is about was not all done, or is not whole.
 */
export function jsonOf({ method, path }: Request, answer: Answer): unknown {
  const { status, headers, text } = answer;
  const request = requestName({ method, path });
  if (hasTooManyObjects(text))
    throw badAnswer(request, `it holds more than ${SERVER_LIMITS.objects} objects`);
  const mediaType = String(headers['content-type'] ?? '')
    .replace(/;.*$/s, '')
    .trim()
    .toLowerCase();
  const json = parsed(text);
  if (status < 200 || status >= 300) {
    const errors = json === undefined ? textError(text) : decodeErrors(json);
    // A server or gateway that fails may have acted before it failed.
    const phase = status >= 500 ? 'no-answer' : 'refused';
    throw new ExchangeError(phase, refusalOf(request, status, errors), { status, headers, errors });
  }
  const mayBeEmpty = method !== 'GET' && (text === '' || status === 204 || mediaType.endsWith('json'));
  if (json === undefined && !mayBeEmpty) throw badAnswer(request, problemOf(text, mediaType), status);
  const errors = refusalIn(method === 'PATCH' ? json : { errors: recordOf(json)['errors'] });
  if (errors === undefined) return json;
  const detail = errorText(errors) ?? 'its answer holds errors';
  throw new ExchangeError('refused', diagnostic('bad-answer', { request, status, detail }), {
    status,
    errors,
  });
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
  return isJson ? 'it is not valid JSON' : `it is ${mediaType}, not application/vnd.api+json`;
}

function refusalOf(request: string, status: number, errors: readonly ServerError[]): Diagnostic {
  if (status < 400) {
    const hint = 'Use the final address as the URL of the server.';
    return diagnostic('bad-answer', { request, problem: `it redirects (${status})`, hint });
  }
  const detail = present({ detail: errorText(errors) });
  if (status === 403) return diagnostic('not-permitted', { request, ...detail });
  return diagnostic('bad-answer', { request, status, ...detail });
}
