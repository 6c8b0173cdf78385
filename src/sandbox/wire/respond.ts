import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { UnwritableError } from '../state/store.ts';
import { MEDIA_TYPE } from './body.ts';
import { errorDocument, Refusal, refusal } from './refusal.ts';

/** An answer as it goes over the wire; without a document it has no body. */
export interface WireAnswer {
  readonly status: number;
  readonly document?: object | Buffer;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends an answer and returns what tells hono so. The answer goes past the streams of the adapter, which would copy it,
 * and write to the console where a client leaves early.
 */
export function respond(
  outgoing: ServerResponse,
  { status, document, mediaType = MEDIA_TYPE, headers }: WireAnswer,
): Response {
  const body = bodyOf(document);
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) };
  outgoing.writeHead(status, { 'content-type': mediaType, ...length, ...headers }).end(body);
  return RESPONSE_ALREADY_SENT;
}

/** Text where it is short, as it then leaves in one piece with the header. */
function bodyOf(document: object | undefined): string | Buffer {
  if (document === undefined) return '';
  return Buffer.isBuffer(document) ? document : JSON.stringify(document);
}

/** A change that could not be kept is not our fault; what else was not foreseen is. */
const UNFORESEEN = (error: unknown): [number, string] =>
  error instanceof UnwritableError
    ? [503, 'The change could not be kept: the data file can no longer be written.']
    : [500, 'The sandbox failed to answer.'];

/** The answer to a request that could not be served: that of the refusal, 503 or 500. */
export function failure(error: unknown): WireAnswer {
  const refused = error instanceof Refusal ? error : refusal(...UNFORESEEN(error));
  return { status: refused.status, document: errorDocument(refused), headers: refused.headers };
}
