import { Agent, type IncomingMessage, request } from 'node:http';

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

async function readAnswer(response: IncomingMessage): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.statusCode ?? 0, contentType: response.headers['content-type'], text };
}
