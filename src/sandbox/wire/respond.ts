import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { SandboxSettings } from '../settings.ts';
import { UnwritableError } from '../state/store.ts';
import { MEDIA_TYPE } from './body.ts';
import { errorDocument, Refusal, refusal } from './refusal.ts';

/** An answer on the wire; without a document it has no body. */
interface WireAnswer {
  readonly status: number;
  readonly document?: object | Buffer;
  /** The type of the API where it is absent; none where it is empty. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends an answer and returns the mark that hono expects. It bypasses the streams of the adapter, which copy the answer and
 * write to the console where a client disconnects.
 */
export function respond(
  outgoing: ServerResponse,
  { status, document, mediaType = MEDIA_TYPE, headers }: WireAnswer,
): Response {
  const body = bodyOf(document);
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) };
  const type = mediaType === '' ? {} : { 'content-type': mediaType };
  outgoing.writeHead(status, { ...type, ...length, ...headers }).end(body);
  return RESPONSE_ALREADY_SENT;
}

/** A text leaves in one piece with the header. */
function bodyOf(document: object | undefined): string | Buffer {
  if (document === undefined) return '';
  return Buffer.isBuffer(document) ? document : JSON.stringify(document);
}

/** Sends answers, and what became of requests that failed, in the forms of the settings. */
export function createSender({ answerType, errorBody }: SandboxSettings) {
  const mediaType = ANSWER_TYPES[answerType];
  const send = (outgoing: ServerResponse, answer: WireAnswer) =>
    respond(outgoing, mediaType === undefined ? answer : { ...answer, mediaType });
  const fail = (outgoing: ServerResponse, error: unknown) => send(outgoing, failure(error, errorBody));
  return { send, fail };
}

/** The type of every answer, whatever it holds; undefined where each has its own. */
const ANSWER_TYPES: Record<SandboxSettings['answerType'], string | undefined> = {
  api: undefined,
  json: 'application/json',
  text: 'text/plain',
  none: '',
};

const ERROR_BODIES: Record<
  SandboxSettings['errorBody'],
  (refused: Refusal) => Pick<WireAnswer, 'document' | 'mediaType'>
> = {
  errors: (refused) => ({ document: errorDocument(refused) }),
  error: ({ message }) => ({ document: { error: { message } } }),
  message: ({ message }) => ({ document: { message } }),
  text: ({ message }) => ({ document: Buffer.from(message), mediaType: 'text/plain' }),
  empty: () => ({}),
};

/** The answer to a request that failed: that of its refusal, 503 on a full disk, and 500 for a defect. */
export function failure(error: unknown, form: SandboxSettings['errorBody'] = 'errors'): WireAnswer {
  const refused = error instanceof Refusal ? error : unforeseen(error);
  return { status: refused.status, headers: refused.headers, ...ERROR_BODIES[form](refused) };
}

function unforeseen(error: unknown): Refusal {
  if (!(error instanceof UnwritableError)) return refusal(500, 'The sandbox failed to answer.');
  return refusal(503, 'The change was not kept: the data file can no longer be written.');
}
