import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { checkAnswer } from '../../support/contract.ts';
import { useSandbox } from '../../support/sandbox.ts';
import { optionsBody, problemsOf, THREAT } from '../../support/sandbox-requests.ts';

const sandbox = useSandbox();

/** Sends bytes as they are, and reads until the other side ends. */
async function raw(request: string): Promise<{ status: number; body: unknown }> {
  const socket = connect(Number(new URL(sandbox().url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(request);
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: body === '' ? undefined : JSON.parse(body) };
}

describe('7 error documents', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/api'],
    ['GET', '/api/integrations/'],
    ['GET', '/api/integrations/a/b'],
    ['POST', '/api/users/nothing'],
    ['GET', '/api/integration'],
    ['GET', '/API/integrations'],
    ['DELETE', '/api/unknown'],
    ['GET', '/api/openapi'],
  ])('7 %s %s: an unknown address is 404', async (method, path) =>
    expect(problemsOf(await sandbox().send(method, path)).status).toBe(404),
  );
  test.each([
    ['GET', '/api/users/login', 'POST'],
    ['POST', '/api/users/refresh', 'GET, HEAD'],
    ['GET', '/api/users/logout', 'POST'],
    ['POST', '/api/integrations', 'GET, HEAD'],
    ['PATCH', '/api/integrations/errors', 'GET, HEAD'],
    ['DELETE', `/api/integrations/${THREAT}`, 'GET, HEAD, PATCH'],
    ['PUT', '/api/integration-options', 'GET, HEAD, PATCH'],
    ['OPTIONS', '/api/integration-errors', 'GET, HEAD'],
    ['POST', `/api/integration/${THREAT}/errors/x`, 'GET, HEAD'],
  ])('7 %s %s: a wrong method is 405 and told what is right', async (method, path, allow) => {
    const reply = await sandbox().send(method, path);
    expect([problemsOf(reply).status, reply.headers.get('allow')]).toEqual([405, allow]);
  });
  test('7 a body that is too large is 413', async () => {
    const body = optionsBody(THREAT, { url: { value: 'x'.repeat(1024 * 1024) } });
    expect((await sandbox().send('PATCH', '/api/integration-options', { body })).status).toBe(413);
  });
  test('7 a body of many megabytes is 413, also where nobody is logged in', async () => {
    const body = JSON.stringify({ identification: 'x'.repeat(20_000_000), password: '' });
    const reply = await sandbox().send('POST', '/api/users/login', { as: 'nobody', body });
    expect(reply.status).toBe(413);
  });
  test('7 a body that is too large is 413 where its size is not told ahead', async () => {
    const token = await sandbox().login('admin');
    const chunks = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < 20; sent += 1) controller.enqueue(new Uint8Array(100_000).fill(32));
        controller.close();
      },
    });
    const headers = { 'content-type': 'application/vnd.api+json', authorization: `Bearer ${token}` };
    const init = { method: 'PATCH', headers, body: chunks, duplex: 'half' } as const;
    expect((await fetch(`${sandbox().url}/api/integration-options`, init)).status).toBe(413);
  });
  test('7 a body of almost the greatest size is taken', async () => {
    const body = optionsBody(THREAT, { url: { value: 'x'.repeat(1024 * 1023) } });
    expect((await sandbox().send('PATCH', '/api/integration-options', { body })).status).toBe(200);
  });
  test.each([
    ['lists', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['lists inside of data', `{"data":[{"attributes":${'['.repeat(40)}${']'.repeat(40)}}]}`],
  ])('7 a body that is nested too deep is 400: %s', async (_, body) =>
    expect(problemsOf(await sandbox().send('PATCH', '/api/integration-options', { body }))).toEqual({
      status: 400,
      pointers: [''],
    }),
  );
  test('7 a body on an address that takes none is passed over', async () =>
    expect((await sandbox().send('POST', '/api/users/logout', { body: { data: 1 } })).status).toBe(200));
  test('7 a body of another media type is 415 on an address that takes none', async () =>
    expect(
      (
        await sandbox().send('POST', '/api/users/logout', {
          body: 'x',
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(415));
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['no Host', 'GET /api/integrations HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a bad Host', 'GET /api/integrations HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n', 400],
    [
      'a backslash in the path',
      'GET /api\\integrations HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
    ],
    [
      'bad percent-encoding in the path',
      'GET /api/integrations/%E0%A4%A HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      401,
    ],
    [
      'two lengths',
      'POST /api/users/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
    ],
    [
      'a header that is too large',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
    [
      'an expectation',
      'GET /none HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
      404,
    ],
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', 405],
    [
      'an upgrade',
      'GET /none HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n',
      404,
    ],
    ['TRACE', 'TRACE /api/integrations HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 405],
    [
      'an absolute address',
      'GET http://x/none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      404,
    ],
    ['an asterisk as address', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400],
  ])('7 %s is answered by an error document', async (_, request, status) => {
    const answer = await raw(request);
    expect(answer.status).toBe(status);
    expect(checkAnswer({ method: 'GET', path: '/none' }, { status: 404, body: answer.body })).toEqual([]);
  });
  test('7 none of it was a fault of the sandbox', () => expect(sandbox().faults).toEqual([]));
});

describe('9 media type', () => {
  test.each([
    ['GET', '/api/integrations'],
    ['GET', '/api/integrations/unknown'],
    ['GET', '/api/nothing'],
    ['DELETE', '/api/integrations'],
    ['POST', '/api/users/logout'],
  ])('9 %s %s is answered in the media type of the interface', async (method, path) =>
    expect((await sandbox().send(method, path)).headers.get('content-type')).toBe('application/vnd.api+json'),
  );
  test('9 a GET needs no media type', async () =>
    expect(
      (await sandbox().send('GET', '/api/integrations', { headers: { 'content-type': 'text/plain' } }))
        .status,
    ).toBe(200));
});
