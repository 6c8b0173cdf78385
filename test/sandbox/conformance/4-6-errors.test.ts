import { expect, test } from 'vitest';
import { at, listAt } from '../../support/at.ts';
import { type Sending, useSandbox } from '../../support/sandbox.ts';
import {
  ASSETS,
  LOGS,
  patchAttributes,
  patchOptions,
  THREAT,
} from '../../support/sandbox-requests.ts';

const sandbox = useSandbox({ raiseErrors: true });
const send = (path: string, sending?: Sending) =>
  sandbox().send('GET', path, sending);
const errors = async (sending?: Sending) =>
  (await send('/api/integrations/errors', sending)).body;
const link = (id: string) =>
  `/api/integration-errors?filter[integration.id]=${id}`;
const raise = () => patchOptions(sandbox(), THREAT, { timeout: { value: 1 } });

test('4.6 errors: none at first, one after a change, and its count rises with the next', async () => {
  expect(await errors()).toEqual({ data: [], jsonapi: { version: '1.0' } });
  await raise();
  expect(at(await errors(), 'data', 0, 'attributes', 'error-count')).toBe(1);
  sandbox().pass(60);
  await patchAttributes(sandbox(), THREAT, { autosubscribe: true });
  expect(listAt(await errors(), 'data')).toHaveLength(1);
  expect(at(await errors(), 'data', 0, 'attributes')).toMatchObject({
    'error-count': 2,
    'occurred-on': '2026-01-15 12:01:00.000000Z',
  });
});

test('4.6 errors: those of all integrations, by whoever met them; a refused change raises none', async () => {
  await patchOptions(sandbox(), ASSETS, { port: { value: 'x' } });
  expect((await send(link(ASSETS))).body).toMatchObject({ data: [] });
  const body = { data: { id: ASSETS, attributes: { autosubscribe: true } } };
  await sandbox().send('PATCH', `/api/integrations/${ASSETS}`, {
    as: 'manager',
    body,
  });
  await raise();
  const found = listAt(await errors(), 'data').map((error) => [
    at(error, 'attributes', 'integration-id'),
    at(error, 'attributes', 'meta', 'affected_users'),
  ]);
  expect(found).toEqual([
    [ASSETS, { 2: { id: '2', username: 'manager' } }],
    [THREAT, { 1: { id: '1', username: 'admin' } }],
  ]);
});

test('2.2 and 2.3 the links to errors: of an integration, and of one error', async () => {
  await raise();
  const [error] = listAt((await send(link(THREAT))).body, 'data');
  expect(at(error, 'attributes', 'integration-id')).toBe(THREAT);
  const self = String(at(error, 'links', 'self'));
  expect(at((await send(self)).body, 'data')).toEqual(error);
  expect((await send(self.replace(THREAT, LOGS))).status).toBe(404);
});
