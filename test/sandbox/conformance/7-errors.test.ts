import { expect, test } from 'vitest';
import { useSandbox } from '../../support/sandbox.ts';

const sandbox = useSandbox();

test.each([
  ['GET', '/'],
  ['GET', '/api/integrations/'],
  ['POST', '/api/users/nothing'],
])('7 %s %s: an unknown address is 404', async (method, path) =>
  expect((await sandbox().send(method, path)).status).toBe(404),
);

test('7 a body that is nested too deep is 400', async () => {
  const body = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(
    (await sandbox().send('PATCH', '/api/integration-options', { body }))
      .status,
  ).toBe(400);
  expect(sandbox().faults).toEqual([]);
});

test('9 a GET needs no media type', async () => {
  const headers = { 'content-type': 'text/plain' };
  expect(
    (await sandbox().send('GET', '/api/integrations', { headers })).status,
  ).toBe(200);
});
