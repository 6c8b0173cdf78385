import type { SandboxSettings } from '../settings.ts';
import { Refusal, refusal } from './refusal.ts';

/** The media type of the API: section 9. */
export const MEDIA_TYPE = 'application/vnd.api+json';

/** The largest body, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** The depth at which a body is refused; documented bodies need six. */
const MAX_DEPTH = 32;

/** Whether a request carries a body, by its headers. */
export function hasBody(headers: Headers): boolean {
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;
}

/** Refuses any media type but that of the API (section 1): 415. */
export function requireMediaType(headers: Headers, accepted: SandboxSettings['mediaType']): void {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (accepted === 'json' && type === 'application/json') return;
  const plain = parameters.every((parameter) => parameter === 'charset=utf-8' || parameter === '');
  if (type === MEDIA_TYPE && plain) return;
  throw refusal(415, `The header Content-Type must be ${MEDIA_TYPE}.`, { header: 'Content-Type' });
}

/** Reads and parses a JSON body. Refuses one that is too large (413), not JSON or nested too deep (400). */
export async function readJsonBody(request: Request): Promise<unknown> {
  const text = decodeText(await readBytes(request));
  const body = parseJson(text);
  if (isTooDeep(body)) throw refusal(400, 'The body is nested too deep.', { pointer: '' });
  return body;
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (length > MOST_DRAINED) throw tooLarge();
  try {
    return length <= MAX_BYTES ? new Uint8Array(await request.arrayBuffer()) : await readChunks(request);
  } catch (error) {
    throw error instanceof Refusal ? error : refusal(400, 'The body ended early.');
  }
}

/** How many bytes of a body that is too large are read before its client is refused. */
const MOST_DRAINED = 64 * 1024 * 1024;

/** Reads a body to its end, since a client that still sends does not read the answer; keeps no more than MAX_BYTES. */
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

/** Closes the connection, since the rest of the body may still be in it. */
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

/** Whether parsed JSON is nested so deep that nothing recursive may touch it; found without recursion. */
function isTooDeep(value: unknown): boolean {
  const rest: [unknown, number][] = [[value, 0]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [item, depth] = next;
    if (typeof item !== 'object' || item === null) continue;
    if (depth >= MAX_DEPTH) return true;
    for (const child of Object.values(item)) rest.push([child, depth + 1]);
  }
  return false;
}
