import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';

/** A request as a client without manners sends it. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** True to send the body without telling its size ahead. */
  readonly chunked: boolean;
}

export interface RawAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request whatever its method and headers, and reads the whole answer. */
export function sendRaw(
  url: string,
  { method, path, headers, body, chunked }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const told = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(body?.byteLength) };
  const length = body === undefined ? {} : told;
  return new Promise((resolve, reject) => {
    const sending = request({ agent, hostname, port, method, path, headers: { ...headers, ...length } });
    sending.on('error', reject);
    sending.on('response', (response) => readAnswer(response).then(resolve, reject));
    if (body !== undefined) sending.write(body);
    sending.end();
  });
}

/** Writes bytes to the port, reads until the other side ends, and tells the status line; empty where nothing came back. */
export function sendBytes(url: string, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), new URL(url).hostname);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1').split('\r\n')[0] ?? ''));
    socket.end(bytes);
  });
}

/** Ends the connections that were kept for further requests. */
export function endRawRequests(): void {
  agent.destroy();
}

async function readAnswer(response: IncomingMessage): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.statusCode ?? 0, contentType: response.headers['content-type'], text };
}
