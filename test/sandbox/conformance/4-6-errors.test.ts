import { describe, expect, test } from 'vitest';
import { at, listAt } from '../../support/at.ts';
import { type Sending, useSandbox } from '../../support/sandbox.ts';
import {
  ASSETS,
  LOGS,
  patchAttributes,
  patchOptions,
  problemsOf,
  THREAT,
} from '../../support/sandbox-requests.ts';

const sandbox = useSandbox({ raiseErrors: true });
const errors = async (sending?: Sending) =>
  (await sandbox().send('GET', '/api/integrations/errors', sending)).body;
const linked = (id: string) => sandbox().send('GET', `/api/integration-errors?filter[integration.id]=${id}`);
const raise = (seconds: number) => patchOptions(sandbox(), THREAT, { timeout: { value: seconds } });

describe('4.6 GET /api/integrations/errors', () => {
  test('4.6 errors: none at first, and the version of JSON:API', async () =>
    expect(await errors()).toEqual({ data: [], jsonapi: { version: '1.0' } }));
  test('4.6 errors: one appears after a change, and its count rises with the next', async () => {
    await raise(1);
    expect(at(await errors(), 'data', 0, 'attributes', 'error-count')).toBe(1);
    sandbox().pass(60);
    await raise(2);
    expect(listAt(await errors(), 'data')).toHaveLength(1);
    expect(at(await errors(), 'data', 0, 'attributes')).toMatchObject({
      'error-count': 2,
      'occurred-on': '2026-01-15 12:01:00.000000Z',
    });
  });
  test('4.6 errors: a refused change raises none', async () => {
    await patchOptions(sandbox(), ASSETS, { port: { value: 'x' } });
    expect((await linked(ASSETS)).body).toMatchObject({ data: [] });
  });
  test('4.6 errors: those of all integrations, by whoever met them', async () => {
    const body = { data: { id: ASSETS, attributes: { autosubscribe: true } } };
    await sandbox().send('PATCH', `/api/integrations/${ASSETS}`, { as: 'manager', body });
    await raise(3);
    const found = listAt(await errors(), 'data').map((error) => [
      at(error, 'attributes', 'integration-id'),
      at(error, 'attributes', 'meta', 'affected_users'),
    ]);
    expect(found).toEqual([
      [ASSETS, { 2: { id: '2', username: 'manager' } }],
      [THREAT, { 1: { id: '1', username: 'admin' } }],
    ]);
  });
  test('4.6 errors: managers see them too', async () =>
    expect(await errors({ as: 'manager' })).toEqual(await errors()));
  test('4.6 errors: users do not: 403', async () =>
    expect(problemsOf(await sandbox().send('GET', '/api/integrations/errors', { as: 'user' })).status).toBe(
      403,
    ));
});

describe('2.2 and 2.3 the links to errors', () => {
  test('2.2 errors link: the errors of that integration', async () => {
    await raise(4);
    const [error] = listAt((await linked(THREAT)).body, 'data');
    expect(at(error, 'attributes', 'integration-id')).toBe(THREAT);
  });
  test('2.2 errors link: without an id it is 400', async () =>
    expect((await sandbox().send('GET', '/api/integration-errors')).status).toBe(400));
  test('2.2 errors link: users may not follow it: 403', async () => {
    const path = `/api/integration-errors?filter[integration.id]=${THREAT}`;
    expect((await sandbox().send('GET', path, { as: 'user' })).status).toBe(403);
  });
  test('2.3 error link: it leads to the same error', async () => {
    await raise(5);
    const [error] = listAt((await linked(THREAT)).body, 'data');
    const reply = await sandbox().send('GET', String(at(error, 'links', 'self')));
    expect([reply.status, at(reply.body, 'data')]).toEqual([200, error]);
  });
  test('2.3 error link: of another integration it is 404', async () => {
    await raise(6);
    const id = at(listAt((await linked(THREAT)).body, 'data')[0], 'id');
    expect((await sandbox().send('GET', `/api/integration/${LOGS}/errors/${id}`)).status).toBe(404);
  });
  test('2.2 a change of attributes raises errors as well', async () => {
    const count = async () =>
      Number(at((await linked(THREAT)).body, 'data', 0, 'attributes', 'error-count') ?? 0);
    const before = await count();
    await patchAttributes(sandbox(), THREAT, { autosubscribe: true });
    expect(await count()).toBe(before + 1);
  });
});
