import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { decodeErrors, errorText, refusalIn, type ServerError, textError } from '../../core/live/errors.ts';
import { present, recordOf } from '../../core/model/json.ts';
import { type Answer, type Content, type Request, requestName } from './exchange.ts';
import { badAnswer, ExchangeError } from './exchange-error.ts';

/** What came as an answer, parsed. */
export function contentOf(
  request: string,
  status: number,
  headers: Content['headers'],
  text: string,
): Content {
  const mediaType = String(headers['content-type'] ?? '')
    .replace(/;.*$/s, '')
    .trim()
    .toLowerCase();
  return { request, status, headers, mediaType, text, ...present({ json: parsed(text, mediaType) }) };
}

/** A body that is an object or a list is JSON whatever its media type; one of another form only if the type says so. */
function parsed(text: string, mediaType: string): Content['json'] {
  try {
    const body: unknown = JSON.parse(text);
    const isNamed = /^(application\/([\w.-]+\+)?json|text\/json)$/.test(mediaType);
    return isNamed || (typeof body === 'object' && body !== null) ? { body } : undefined;
  } catch {
    return undefined;
  }
}

/** The JSON of a good answer. Throws an ExchangeError for one without JSON: a machine on the way has answered. */
export function jsonOf({ request, status, mediaType, text, json }: Content): unknown {
  if (json !== undefined) return json.body;
  if (text === '') throw badAnswer(request, 'it is empty', status);
  const isJson = mediaType === '' || mediaType.endsWith('json');
  const problem = isJson ? 'it is not valid JSON' : `it is ${mediaType}, not application/vnd.api+json`;
  throw badAnswer(request, problem, status);
}

/** Takes a good answer with or without a body. */
export function acknowledged(content: Content): unknown {
  const { json, mediaType, text, status } = content;
  const isEmpty = text === '' || status === 204 || mediaType.endsWith('json');
  return json === undefined && isEmpty ? undefined : jsonOf(content);
}

/** Takes the answer to a PATCH. Refuses one with errors in it: what it is about was not all done. */
export function accepted(content: Content): void {
  refuseErrors(content, refusalIn(acknowledged(content)));
}

/** The JSON of a good answer to a reading. Refuses one with errors in it: it may not be whole. */
export function wholeJsonOf(content: Content): unknown {
  const body = jsonOf(content);
  refuseErrors(content, refusalIn({ errors: recordOf(body)['errors'] }));
  return body;
}

function refuseErrors({ request, status }: Content, errors: readonly ServerError[] | undefined): void {
  if (errors === undefined) return;
  const detail = errorText(errors) ?? 'its answer holds errors';
  throw new ExchangeError('refused', diagnostic('bad-answer', { request, status, detail }), status, errors);
}

/** What a good answer holds. Throws an ExchangeError for every other one. */
export function takeValue<T>(request: Request<T>, { status, value, errors }: Answer<T>): T | undefined {
  if (status >= 200 && status < 300) return value;
  // A server or gateway that fails may have acted before it failed.
  const phase = status >= 500 ? 'no-answer' : 'refused';
  throw new ExchangeError(phase, refusalOf(requestName(request), status, errors), status, errors);
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

/** What an answer says of what went wrong: its error document, or its text if that is for people. */
export function errorsIn({ json, text }: Content): readonly ServerError[] {
  return json === undefined ? textError(text) : decodeErrors(json.body);
}
