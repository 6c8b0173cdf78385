import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { at } from '../../support/at.ts';
import { startTestSandbox } from '../../support/sandbox.ts';

/** The status of an answer, and the header that it blames. */
async function answerTo(host: string, headers: Readonly<Record<string, string>>, method = 'GET') {
  const sandbox = await startTestSandbox({ host });
  try {
    const { port } = new URL(sandbox.url);
    const named = Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', port)]);
    const sending = request({
      host: '127.0.0.1',
      port,
      method,
      path: '/api/integrations',
      headers: Object.fromEntries(named),
    });
    const [answer]: IncomingMessage[] = await once(sending.end(), 'response');
    const body: unknown = JSON.parse(answer === undefined ? '' : await text(answer));
    return [answer?.statusCode, at(body, 'errors', 0, 'source', 'header')];
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
