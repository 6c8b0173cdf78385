import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { UnwritableError } from '../state/store.ts';
import { MEDIA_TYPE } from './body.ts';
import { errorDocument, Refusal, refusal } from './refusal.ts';

/** An answer on the wire; without a document it has no body. */
interface WireAnswer {
  readonly status: number;
  readonly document?: object | Buffer;
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
  outgoing.writeHead(status, { 'content-type': mediaType, ...length, ...headers }).end(body);
  return RESPONSE_ALREADY_SENT;
}

/** A text leaves in one piece with the header. */
function bodyOf(document: object | undefined): string | Buffer {
  if (document === undefined) return '';
  return Buffer.isBuffer(document) ? document : JSON.stringify(document);
}

/** The answer to a request that failed: that of its refusal, 503 on a full disk, and 500 for a defect. */
export function failure(error: unknown): WireAnswer {
  const refused = error instanceof Refusal ? error : unforeseen(error);
  return { status: refused.status, document: errorDocument(refused), headers: refused.headers };
}

function unforeseen(error: unknown): Refusal {
  if (!(error instanceof UnwritableError)) return refusal(500, 'The sandbox failed to answer.');
  return refusal(503, 'The change was not kept: the data file can no longer be written.');
}
