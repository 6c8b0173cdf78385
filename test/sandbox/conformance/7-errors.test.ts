import { describe, expect, test } from 'vitest';
import { useSandbox } from '../../support/sandbox.ts';
import { problemsOf } from '../../support/sandbox-requests.ts';

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
