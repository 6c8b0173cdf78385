import { expect, test } from 'vitest';
import { at } from '../../support/at.ts';
import { START, useSandbox } from '../../support/sandbox.ts';

const LIFETIME = 600;
const ADMIN = { identification: 'admin', password: 'admin' };
const sandbox = useSandbox({ tokenLifetime: LIFETIME });
const login = (body: unknown, headers = {}) =>
  sandbox().send('POST', '/api/users/login', { as: 'nobody', body, headers });
const reads = async (token: string) =>
  (await sandbox().send('GET', '/api/integrations', { token })).status;

test.each([
  ['admin', 'administrator'],
  ['manager', 'integration-manager'],
  ['user', 'user'],
])('4.1 %s gets a token, its expiry and its settings', async (name, role) => {
  const reply = await login({ identification: name, password: name });
  expect(reply.status).toBe(200);
  expect(at(reply.body, 'data')).toMatchObject({
    token: expect.stringMatching(/^[\w-]{40,}$/),
    expiration_time: START / 1000 + LIFETIME,
    users: { username: name, role },
  });
});

test('4.1 a wrong name and a wrong password are 401, in the same words', async () => {
  const [wrongName, wrongPassword] = [
    await login({ ...ADMIN, identification: '__proto__' }),
    await login({ ...ADMIN, password: 'x' }),
  ];
  expect([wrongName.status, wrongName.body]).toEqual([401, wrongPassword.body]);
});

test.each([
  ['no JSON', 'identification=admin'],
  ['a number as password', { ...ADMIN, password: 1 }],
])('4.1 a payload of %s is 400', async (_, body) =>
  expect((await login(body)).status).toBe(400),
);

test.each([
  ['application/json', 415],
  ['application/vnd.api+json; ext="https://example.com"', 415],
  ['Application/Vnd.Api+JSON; charset=utf-8', 200],
])('4.1 the media type %j is %i', async (type, status) => {
  const reply = await login(ADMIN, { 'content-type': type });
  expect(reply.status).toBe(status);
});

test('4.2 refresh: a new token in the same form, which outlives the old one', async () => {
  const token = await sandbox().login('admin');
  sandbox().pass(LIFETIME - 1);
  const reply = await sandbox().send('GET', '/api/users/refresh', { token });
  expect(at(reply.body, 'data')).toMatchObject({
    expiration_time: START / 1000 + LIFETIME - 1 + LIFETIME,
    users: { username: 'admin' },
  });
  expect(await reads(token)).toBe(200);
  sandbox().pass(1);
  expect(await reads(token)).toBe(401);
  expect(await reads(String(at(reply.body, 'data', 'token')))).toBe(200);
});

test('4.3 logout: 200, and the token is no longer valid', async () => {
  const token = await sandbox().login('admin');
  const logout = async () =>
    (await sandbox().send('POST', '/api/users/logout', { token })).status;
  expect(await reads(token)).toBe(200);
  expect(await logout()).toBe(200);
  expect(await reads(token)).toBe(401);
  expect(await logout()).toBe(401);
});
