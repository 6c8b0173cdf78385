import { describe, expect, test } from 'vitest';
import { at, listAt } from '../../support/at.ts';
import { useSandbox } from '../../support/sandbox.ts';
import { optionsBody, problemsOf, THREAT } from '../../support/sandbox-requests.ts';

const ADDRESSES = [
  ['GET', '/api/users/refresh'],
  ['POST', '/api/users/logout'],
  ['GET', '/api/integrations'],
  ['GET', '/api/integrations/errors'],
  ['GET', `/api/integrations/${THREAT}`],
  ['PATCH', `/api/integrations/${THREAT}`],
  ['PATCH', '/api/integration-options'],
  ['GET', `/api/integration-options?filter[integration.id]=${THREAT}`],
  ['GET', `/api/integration-errors?filter[integration.id]=${THREAT}`],
  ['GET', `/api/integration/${THREAT}/errors/x`],
] as const;

describe('5 tokens', () => {
  const sandbox = useSandbox({ tokenLifetime: 60 });
  test.each(ADDRESSES)('5.2 %s %s: without a token it is 401', async (method, path) => {
    const reply = await sandbox().send(method, path, { as: 'nobody' });
    expect(problemsOf(reply)).toEqual({ status: 401, pointers: ['Authorization'] });
  });
  test.each(ADDRESSES)('5.3 %s %s: with an expired token it is 401', async (method, path) => {
    const token = await sandbox().login('admin');
    sandbox().pass(60);
    expect((await sandbox().send(method, path, { token })).status).toBe(401);
  });
  test('5.3 a token is valid until the second of its expiry', async () => {
    const token = await sandbox().login('admin');
    sandbox().pass(59);
    expect((await sandbox().send('GET', '/api/integrations', { token })).status).toBe(200);
    sandbox().pass(1);
    expect((await sandbox().send('GET', '/api/integrations', { token })).status).toBe(401);
  });
  test.each(['Basic YWRtaW46YWRtaW4=', 'Bearer', 'Bearer ', 'Bearer a b', 'nonsense', 'Bearer null'])(
    '5.2 the header Authorization: %j is 401',
    async (authorization) =>
      expect(
        (await sandbox().send('GET', '/api/integrations', { as: 'nobody', headers: { authorization } }))
          .status,
      ).toBe(401),
  );
  test('5.2 the scheme may be in other case', async () => {
    const headers = { authorization: `bearer ${await sandbox().login('admin')}` };
    expect((await sandbox().send('GET', '/api/integrations', { as: 'nobody', headers })).status).toBe(200);
  });
  test('5.3 a token that was altered by one letter is 401', async () => {
    const token = await sandbox().login('admin');
    const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    expect((await sandbox().send('GET', '/api/integrations', { token: altered })).status).toBe(401);
  });
});

describe('5.5 roles', () => {
  const sandbox = useSandbox();
  const patch = (as: 'admin' | 'manager' | 'user') => ({
    options: () =>
      sandbox().send('PATCH', '/api/integration-options', {
        as,
        body: optionsBody(THREAT, { timeout: { value: 5 } }),
      }),
    attributes: () =>
      sandbox().send('PATCH', `/api/integrations/${THREAT}`, {
        as,
        body: { data: { id: THREAT, attributes: { autosubscribe: true } } },
      }),
  });
  test.each(['admin', 'manager'] as const)('5.5 %s may change options and attributes', async (as) => {
    expect((await patch(as).options()).status).toBe(200);
    expect((await patch(as).attributes()).status).toBe(200);
  });
  test('5.5 user may change neither: 403', async () => {
    expect(problemsOf(await patch('user').options()).status).toBe(403);
    expect(problemsOf(await patch('user').attributes()).status).toBe(403);
  });
  test('5.5 user is refused before the body is looked at', async () =>
    expect(
      (await sandbox().send('PATCH', '/api/integration-options', { as: 'user', body: 'x' })).status,
    ).toBe(403));
  test('5.5 user may read integrations, but not the options that are hidden from users', async () => {
    const reply = await sandbox().send('GET', `/api/integrations/${THREAT}`, { as: 'user' });
    const keys = listAt(reply.body, 'included').map((option) => at(option, 'attributes', 'key'));
    expect(keys).toEqual(['url', 'verifyTls', 'mode', 'types']);
    expect(listAt(reply.body, 'data', 'relationships', 'integration-options', 'data')).toHaveLength(4);
    expect(reply.text).not.toContain('apiKey');
  });
});
