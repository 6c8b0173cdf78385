import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../../src/sandbox/routes.ts';
import { at, listAt } from '../../support/at.ts';
import { useSandbox } from '../../support/sandbox.ts';
import { optionsBody, THREAT } from '../../support/sandbox-requests.ts';

describe('5 tokens', () => {
  const sandbox = useSandbox({ tokenLifetime: 60 });
  const closed = ROUTES.map(
    ({ method, path }) => [method, path.replace(':id', THREAT)] as const,
  );
  test.each(closed.filter(([, path]) => path !== '/api/users/login'))(
    '5.2 %s %s: without a token, or with an expired one, it is 401',
    async (method, path) => {
      const token = await sandbox().login('admin');
      sandbox().pass(60);
      for (const sending of [{ as: 'nobody' }, { token }] as const) {
        const reply = await sandbox().send(method, path, sending);
        expect(reply.status).toBe(401);
      }
    },
  );
  const read = async (authorization: string) => {
    const sending = { as: 'nobody', headers: { authorization } } as const;
    return (await sandbox().send('GET', '/api/integrations', sending)).status;
  };
  test('5.3 a token is valid until the second of its expiry', async () => {
    const token = await sandbox().login('admin');
    sandbox().pass(59);
    expect(await read(`Bearer ${token}`)).toBe(200);
    expect(await read(`bearer ${token}`)).toBe(200);
    sandbox().pass(1);
    expect(await read(`Bearer ${token}`)).toBe(401);
  });
});

describe('5.5 roles', () => {
  const sandbox = useSandbox();
  test.each([
    ['admin', 200],
    ['manager', 200],
    ['user', 403],
  ] as const)(
    '5.5 %s changes options and attributes: %i',
    async (as, status) => {
      const change = async (path: string, body: unknown) =>
        (await sandbox().send('PATCH', path, { as, body })).status;
      const options = optionsBody(THREAT, { timeout: { value: 5 } });
      expect(await change('/api/integration-options', options)).toBe(status);
      const body = {
        data: { id: THREAT, attributes: { autosubscribe: true } },
      };
      expect(await change(`/api/integrations/${THREAT}`, body)).toBe(status);
      // A user is refused before the body is looked at.
      expect(await change('/api/integration-options', 'x')).toBe(
        status === 200 ? 400 : 403,
      );
    },
  );
  test('5.5 user may read integrations, but not the options that are hidden from users', async () => {
    const reply = await sandbox().send('GET', `/api/integrations/${THREAT}`, {
      as: 'user',
    });
    const keys = listAt(reply.body, 'included').map((option) =>
      at(option, 'attributes', 'key'),
    );
    expect(keys).toEqual(['url', 'verifyTls', 'mode', 'types']);
    const path = ['data', 'relationships', 'integration-options', 'data'];
    expect(listAt(reply.body, ...path)).toHaveLength(4);
    expect(reply.text).not.toContain('apiKey');
  });
});
