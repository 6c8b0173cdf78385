import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { withSandbox } from '../../support/sandbox.ts';

/** Answered like any request without a token. */
const ANSWERED = 401;
const REFUSED = 403;

test.each([
  ['127.0.0.1', '127.0.0.1:PORT', ANSWERED],
  ['127.0.0.1', 'LocalHost:PORT', ANSWERED],
  ['127.0.0.1', '[::1]:PORT', ANSWERED],
  ['0.0.0.0', '192.0.2.7:PORT', ANSWERED],
  ['0.0.0.0', '[2001:db8::7]:PORT', ANSWERED],
  ['127.0.0.1', 'evil.example:PORT', REFUSED],
  ['127.0.0.1', '127.0.0.1.evil.example', REFUSED],
  ['0.0.0.0', 'evil.example:PORT', REFUSED],
])('on %s a request to %s gets %i', async (own, to, answer) => {
  await withSandbox({ host: own }, async ({ url }) => {
    const { port } = new URL(url);
    const headers = { host: to.replace('PORT', port) };
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
      given?.resume();
      expect(given?.statusCode).toBe(answer);
    }
  });
});
