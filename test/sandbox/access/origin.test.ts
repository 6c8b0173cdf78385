import { Agent, type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startTestSandbox } from '../../support/sandbox.ts';

/** The status of an answer, and the header that it blames. */
async function answerTo(host: string, headers: Readonly<Record<string, string>>, method = 'GET') {
  const sandbox = await startTestSandbox({ host });
  try {
    const { port } = new URL(sandbox.url);
    const named = Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', port)]);
    const sent = { method, path: '/api/integrations', headers: Object.fromEntries(named) };
    const url = `http://127.0.0.1:${port}`;
    const { status, text } = await sendRaw(url, { ...sent, body: undefined, chunked: false });
    const { errors } = JSON.parse(text) as { errors: readonly { source?: { header?: string } }[] };
    return [status, errors[0]?.source?.header];
  } finally {
    await sandbox.close();
  }
}

/** Answered like any request without a token. */
const ANSWERED = [401, 'Authorization'];

describe('a request is answered', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1:PORT'],
    ['127.0.0.1', 'LocalHost:PORT'],
    ['127.0.0.1', '[::1]:PORT'],
    ['localhost', 'localhost'],
    ['0.0.0.0', '192.0.2.7:PORT'],
    ['0.0.0.0', '[2001:db8::7]:PORT'],
  ])('on %s to %s', async (listening, host) => {
    expect(await answerTo(listening, { host })).toEqual(ANSWERED);
  });
  test('from a page of its own', async () => {
    const headers = { host: 'localhost:PORT', origin: 'http://localhost:PORT' };
    expect(await answerTo('127.0.0.1', headers)).toEqual(ANSWERED);
  });
});

describe('a request is refused', () => {
  test.each([
    ['127.0.0.1', 'evil.example:PORT'],
    ['127.0.0.1', 'localhost.evil.example'],
    ['127.0.0.1', '127.0.0.1.evil.example'],
    ['0.0.0.0', 'evil.example:PORT'],
  ])('on %s to %s', async (listening, host) => {
    expect(await answerTo(listening, { host })).toEqual([403, 'Host']);
  });
  test.each(['http://evil.example', 'http://localhost:1', 'https://localhost:PORT', 'null'])(
    'from %s, whatever its method',
    async (origin) => {
      for (const method of ['GET', 'PATCH', 'OPTIONS'])
        expect(await answerTo('127.0.0.1', { host: 'localhost:PORT', origin }, method)).toEqual([
          403,
          'Origin',
        ]);
    },
  );
});

/** A request as a client without manners sends it. */
interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** True to send the body without telling its size ahead. */
  readonly chunked: boolean;
}

interface RawAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request whatever its method and headers, and reads the whole answer. */
function sendRaw(url: string, { method, path, headers, body, chunked }: RawRequest): Promise<RawAnswer> {
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
