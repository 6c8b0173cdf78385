import { describe, expect, test } from 'vitest';
import { useSandbox } from '../../support/sandbox.ts';
import { optionsBody, problemsOf, THREAT } from '../../support/sandbox-requests.ts';

const sandbox = useSandbox();

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
    expect((await sandbox().send('PATCH', '/api/integration-options', { body })).status).toBe(400),
  );
  test('7 a body on an address that takes none is passed over', async () =>
    expect((await sandbox().send('POST', '/api/users/logout', { body: { data: 1 } })).status).toBe(200));
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
