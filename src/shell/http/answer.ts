import { diagnostic } from '../../core/findings/diagnostic.ts';
import { decodeErrors, errorText } from '../../core/live/error-document.ts';
import { ExchangeError } from './exchange-error.ts';
import { type Answer, type Request, requestName } from './transport.ts';

/** The JSON of a good answer; an ExchangeError for every other status, and for a good one without JSON. */
export function jsonOf(request: Request, answer: Answer): unknown {
  refuseStatus(request, answer);
  if (answer.isJson) return answer.body;
  const name = requestName(request);
  const isJsonType = answer.mediaType.endsWith('json');
  const found =
    isJsonType || answer.mediaType === ''
      ? diagnostic('bad-answer', {
          request: name,
          problem: isJsonType ? 'it is not valid JSON' : 'it is empty',
        })
      : diagnostic('bad-media-type', { request: name, mediaType: answer.mediaType });
  throw new ExchangeError('bad-answer', found, answer.status);
}

/** Takes a good answer with or without a body; a body of another media type shows that somebody else answered. */
export function acknowledged(request: Request, answer: Answer): void {
  refuseStatus(request, answer);
  if (answer.isJson || answer.mediaType === '' || answer.status === 204) return;
  if (!answer.mediaType.endsWith('json')) jsonOf(request, answer);
}

function refuseStatus(request: Request, answer: Answer): void {
  const { status } = answer;
  if (status >= 200 && status < 300) return;
  const name = requestName(request);
  const errors = decodeErrors(answer.body);
  const detail = errorText(errors);
  const told = detail === undefined ? {} : { detail };
  if (status >= 300 && status < 400) {
    throw new ExchangeError('refused', diagnostic('redirected', { request: name, status }), status);
  }
  const found =
    status === 403
      ? diagnostic('not-permitted', { request: name, ...told })
      : diagnostic('http-status', { request: name, status, ...told });
  // A server or gateway that fails may have acted before it failed.
  throw new ExchangeError(status >= 500 ? 'no-answer' : 'refused', found, status, errors);
}
