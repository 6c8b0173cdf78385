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
  const json = parsed(text, mediaType);
  if (status < 200 || status >= 300) {
    const errors = json === undefined ? textError(text) : decodeErrors(json.body);
    // A server or gateway that fails may have acted before it failed.
    const phase = status >= 500 ? 'no-answer' : 'refused';
    throw new ExchangeError(phase, refusalOf(request, status, errors), { status, headers, errors });
  }
  const mayBeEmpty = method !== 'GET' && (text === '' || status === 204 || mediaType.endsWith('json'));
  if (json === undefined && !mayBeEmpty) throw badAnswer(request, problemOf(text, mediaType), status);
  const errors = refusalIn(method === 'PATCH' ? json?.body : { errors: recordOf(json?.body)['errors'] });
  if (errors === undefined) return json?.body;
  const detail = errorText(errors) ?? 'its answer holds errors';
  throw new ExchangeError('refused', diagnostic('bad-answer', { request, status, detail }), {
    status,
    errors,
  });
}

/** A body that is an object or a list is JSON whatever its media type; one of another form only if the type says so. */
function parsed(text: string, mediaType: string): { readonly body: unknown } | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const isNamed = /^(application\/([\w.-]+\+)?json|text\/json)$/.test(mediaType);
    return isNamed || (typeof body === 'object' && body !== null) ? { body } : undefined;
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
  const detail = present({ detail: errorText(errors) ?? UNLIKE_THE_DOCUMENT[status] });
  if (status === 403) return diagnostic('not-permitted', { request, ...detail });
  return diagnostic('bad-answer', { request, status, ...detail });
}

/** What a server does otherwise than the document says, if it refuses a request without a word. */
const UNLIKE_THE_DOCUMENT: Readonly<Record<number, string>> = {
  406: 'it serves neither application/vnd.api+json nor application/json',
  415: 'it does not take application/vnd.api+json, the media type of the API',
};
