import { isTooDeep } from '../json.ts';
import type { SandboxSettings } from '../settings.ts';
import { Refusal, refusal } from './refusal.ts';

/** The media type of the interface: section 9. */
export const MEDIA_TYPE = 'application/vnd.api+json';

/** The size in bytes from which on a body is refused. */
const MAX_BYTES = 1024 * 1024;

/** Whether a request carries a body, by its headers. */
export function hasBody(headers: Headers): boolean {
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;
}

/** Refuses a body of another media type than that of the interface (section 1): 415. */
export function requireMediaType(headers: Headers, accepted: SandboxSettings['mediaType']): void {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (accepted === 'json' && type === 'application/json') return;
  const plain = parameters.every((parameter) => parameter === 'charset=utf-8' || parameter === '');
  if (type === MEDIA_TYPE && plain) return;
  throw refusal(415, `The header Content-Type must be ${MEDIA_TYPE}.`, { header: 'Content-Type' });
}

/** Reads and parses a JSON body. Refuses one that is too large (413), no JSON or nested too deep (400). */
export async function readJsonBody(request: Request): Promise<unknown> {
  const text = decodeText(await readBytes(request));
  const body = parseJson(text);
  if (isTooDeep(body)) throw refusal(400, 'The body is nested too deep.', { pointer: '' });
  return body;
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const length = request.headers.get('content-length');
  try {
    return length === null ? await readChunks(request) : await readWhole(request, Number(length));
  } catch (error) {
    throw error instanceof Refusal ? error : refusal(400, 'The body ended early.');
  }
}

/** Bytes that are read past, at most, to tell a client that its body is too large. */
const MOST_DRAINED = 64 * 1024 * 1024;

async function readWhole(request: Request, length: number): Promise<Uint8Array> {
  if (length > MOST_DRAINED) throw tooLarge();
  // A client that still sends does not read the answer, so the body is taken to its end before it is refused.
  if (length > MAX_BYTES) return readChunks(request);
  return new Uint8Array(await request.arrayBuffer());
}

/** Reads a body of unknown size to its end, as the client must be done before it reads the answer; keeps no more than it may. */
async function readChunks(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const read = { bytes: 0 };
  for await (const chunk of request.body ?? []) {
    read.bytes += chunk.byteLength;
    if (read.bytes <= MAX_BYTES) chunks.push(chunk);
  }
  if (read.bytes > MAX_BYTES) throw tooLarge();
  return Buffer.concat(chunks);
}

/** The rest of the body is not read, so the connection cannot be used again. */
function tooLarge(): Refusal {
  const problem = { detail: `The body is larger than ${MAX_BYTES} bytes.` };
  return new Refusal(413, [problem], { headers: { connection: 'close' } });
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusal(400, 'The body is not UTF-8.', { pointer: '' });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(400, 'The body is not JSON.', { pointer: '' });
  }
}
