import { diagnostic } from '../../core/findings/diagnostic.ts';
import {
  decodeErrors,
  errorText,
  refusalIn,
  type ServerError,
  textError,
} from '../../core/live/error-document.ts';
import { recordOf } from '../../core/model/json.ts';
import { present } from '../../core/model/present.ts';
import { badAnswer, ExchangeError } from './exchange-error.ts';
import { type Answer, type Request, requestName } from './transport.ts';

/** The JSON of a good answer. Throws an ExchangeError for every other status, and for a good answer without JSON. */
export function jsonOf(request: Request, answer: Answer): unknown {
  refuseStatus(request, answer);
  const { isJson, body, mediaType, status, text } = answer;
  if (isJson) return body;
  const name = requestName(request);
  if (text === '') throw badAnswer(name, 'it is empty', status);
  if (mediaType === '' || mediaType.endsWith('json')) throw badAnswer(name, 'it is not valid JSON', status);
  throw new ExchangeError(
    'bad-answer',
    diagnostic('bad-answer', { request: name, problem: `it is ${mediaType}, not application/vnd.api+json` }),
    status,
  );
}

/** Takes a good answer with or without a body. Refuses one that is no JSON: a machine on the way has answered. */
export function acknowledged(request: Request, answer: Answer): void {
  refuseStatus(request, answer);
  if (answer.isJson || answer.text === '' || answer.status === 204) return;
  if (!answer.mediaType.endsWith('json')) jsonOf(request, answer);
}

/** Takes the answer to a PATCH as `acknowledged` does. Refuses one with errors in it: what it is about was not all done. */
export function accepted(request: Request, answer: Answer): void {
  acknowledged(request, answer);
  refuseErrors(request, answer, refusalIn(answer.body, answer.status === 207));
}

/** The JSON of a good answer to a reading. Refuses one with errors in it: it may not be whole. */
export function wholeJsonOf(request: Request, answer: Answer): unknown {
  const body = jsonOf(request, answer);
  refuseErrors(request, answer, refusalIn({ errors: recordOf(body)['errors'] }, false));
  return body;
}

function refuseErrors(
  request: Request,
  { status }: Answer,
  errors: readonly ServerError[] | undefined,
): void {
  if (errors === undefined) return;
  const detail = errorText(errors) ?? 'its answer holds errors';
  const found = diagnostic('bad-answer', { request: requestName(request), status, detail });
  throw new ExchangeError('refused', found, status, errors);
}

function refuseStatus(request: Request, answer: Answer): void {
  const { status } = answer;
  if (status >= 200 && status < 300) return;
  const name = requestName(request);
  if (status >= 300 && status < 400)
    throw new ExchangeError(
      'refused',
      diagnostic('bad-answer', {
        request: name,
        problem: `it redirects (${status})`,
        hint: 'Use the final address as the URL of the server.',
      }),
      status,
    );
  const errors = errorsOf(answer);
  const detail = present({ detail: errorText(errors) ?? UNLIKE_THE_DOCUMENT[status] });
  const found =
    status === 403
      ? diagnostic('not-permitted', { request: name, ...detail })
      : diagnostic('bad-answer', { request: name, status, ...detail });
  // A server or gateway that fails may have acted before it failed.
  throw new ExchangeError(status >= 500 ? 'no-answer' : 'refused', found, status, errors);
}

/** What a server does otherwise than the document says, where it refuses a request without a word. */
const UNLIKE_THE_DOCUMENT: Readonly<Record<number, string>> = {
  406: 'it serves neither application/vnd.api+json nor application/json',
  415: 'it does not take application/vnd.api+json, the media type of the API',
};

/** What an answer says of what went wrong: its error document, or its text where that is for people. */
export function errorsOf({ body, isJson, text }: Answer): readonly ServerError[] {
  return isJson ? decodeErrors(body) : textError(text);
}
