import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { at } from '../../support/at.ts';
import { withSandbox } from '../../support/sandbox.ts';

/** Answered like any request without a token. */
const ANSWERED = [401, 'Authorization'];
const REFUSED = [403, 'Host'];

test.each([
  ['127.0.0.1', '127.0.0.1:PORT', undefined, ANSWERED],
  ['127.0.0.1', 'LocalHost:PORT', undefined, ANSWERED],
  ['127.0.0.1', '[::1]:PORT', undefined, ANSWERED],
  ['127.0.0.1', 'localhost:PORT', 'http://localhost:PORT', ANSWERED],
  ['0.0.0.0', '192.0.2.7:PORT', undefined, ANSWERED],
  ['0.0.0.0', '[2001:db8::7]:PORT', undefined, ANSWERED],
  ['127.0.0.1', 'evil.example:PORT', undefined, REFUSED],
  ['127.0.0.1', '127.0.0.1.evil.example', undefined, REFUSED],
  ['0.0.0.0', 'evil.example:PORT', undefined, REFUSED],
  ['127.0.0.1', 'localhost:PORT', 'http://evil.example', [403, 'Origin']],
  ['127.0.0.1', 'localhost:PORT', 'http://localhost:1', [403, 'Origin']],
  ['127.0.0.1', 'localhost:PORT', 'https://localhost:PORT', [403, 'Origin']],
  ['127.0.0.1', 'localhost:PORT', 'null', [403, 'Origin']],
])('on %s a request to %s from %s gets %j', async (own, to, from, answer) => {
  await withSandbox({ host: own }, async ({ url }) => {
    const { port } = new URL(url);
    const headers = {
      host: to.replace('PORT', port),
      ...(from === undefined ? {} : { origin: from.replace('PORT', port) }),
    };
    for (const method of answer === ANSWERED
      ? ['GET']
      : ['GET', 'PATCH', 'OPTIONS']) {
      const sending = request({
        host: '127.0.0.1',
        port,
        method,
        path: '/api/integrations',
        headers,
      });
      const [given]: IncomingMessage[] = await once(sending.end(), 'response');
      const body: unknown = JSON.parse(
        given === undefined ? '' : await text(given),
      );
      expect([
        given?.statusCode,
        at(body, 'errors', 0, 'source', 'header'),
      ]).toEqual(answer);
    }
  });
});
