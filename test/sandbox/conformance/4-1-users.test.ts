import { describe, expect, test } from 'vitest';
import { at } from '../../support/at.ts';
import { START, useSandbox } from '../../support/sandbox.ts';
import { problemsOf } from '../../support/sandbox-requests.ts';

const LIFETIME = 600;
const sandbox = useSandbox({ tokenLifetime: LIFETIME });
const login = (body: unknown, headers = {}) =>
  sandbox().send('POST', '/api/users/login', { as: 'nobody', body, headers });
const reads = async (token: string) => (await sandbox().send('GET', '/api/integrations', { token })).status;

describe('4.1 POST /api/users/login', () => {
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
  test.each([
    ['a wrong password', { identification: 'admin', password: 'wrong' }],
    ['an unknown user', { identification: 'nobody', password: 'nobody' }],
    ['an empty password', { identification: 'admin', password: '' }],
    ['the name of a built-in property', { identification: '__proto__', password: 'admin' }],
  ])('4.1 %s is 401', async (_, body) => expect((await login(body)).status).toBe(401));
  test('4.1 a wrong name and a wrong password are told in the same words', async () => {
    const [wrongName, wrongPassword] = [
      { identification: 'x', password: 'admin' },
      { identification: 'admin', password: 'x' },
    ];
    expect((await login(wrongName)).body).toEqual((await login(wrongPassword)).body);
  });
  test.each([
    ['no JSON', 'identification=admin', ['']],
    ['a list', [], ['']],
    ['no name', { password: 'admin' }, ['']],
    ['no password', { identification: 'admin' }, ['']],
    ['a number as password', { identification: 'admin', password: 1 }, ['']],
    ['a JSON:API wrapping', { data: { identification: 'admin', password: 'admin' } }, ['']],
  ])('4.1 a payload of %s is 400', async (_, body, pointers) =>
    expect(problemsOf(await login(body))).toEqual({ status: 400, pointers }),
  );
  test.each(['application/json', 'text/plain', '', 'application/vnd.api+json; ext="https://example.com"'])(
    '4.1 the media type %j is 415',
    async (type) => {
      const reply = await login({ identification: 'admin', password: 'admin' }, { 'content-type': type });
      expect(problemsOf(reply)).toEqual({ status: 415, pointers: ['Content-Type'] });
    },
  );
  test('4.1 the media type may be in other case and name its charset', async () => {
    const headers = { 'content-type': 'Application/Vnd.Api+JSON; charset=utf-8' };
    expect((await login({ identification: 'admin', password: 'admin' }, headers)).status).toBe(200);
  });
});

describe('4.2 GET /api/users/refresh', () => {
  test('4.2 refresh: a new token in the same form, which expires later', async () => {
    const token = await sandbox().login('admin');
    sandbox().pass(100);
    const reply = await sandbox().send('GET', '/api/users/refresh', { token });
    expect(reply.status).toBe(200);
    expect(at(reply.body, 'data', 'token')).not.toBe(token);
    expect(at(reply.body, 'data', 'expiration_time')).toBe(START / 1000 + 100 + LIFETIME);
    expect(at(reply.body, 'data', 'users', 'username')).toBe('admin');
  });
  test('4.2 refresh: the new token outlives the old one', async () => {
    const token = await sandbox().login('admin');
    sandbox().pass(LIFETIME - 1);
    const reply = await sandbox().send('GET', '/api/users/refresh', { token });
    expect(await reads(token)).toBe(200);
    sandbox().pass(1);
    expect(await reads(token)).toBe(401);
    expect(await reads(String(at(reply.body, 'data', 'token')))).toBe(200);
  });
  test('4.2 refresh: without a token it is 401', async () =>
    expect((await sandbox().send('GET', '/api/users/refresh', { as: 'nobody' })).status).toBe(401));
});

describe('4.3 POST /api/users/logout', () => {
  test('4.3 logout: 200, and the token is no longer valid', async () => {
    const token = await sandbox().login('admin');
    expect(await reads(token)).toBe(200);
    expect((await sandbox().send('POST', '/api/users/logout', { token })).status).toBe(200);
    expect(await reads(token)).toBe(401);
  });
  test('4.3 logout: a second one with the same token is 401', async () => {
    const token = await sandbox().login('admin');
    await sandbox().send('POST', '/api/users/logout', { token });
    expect((await sandbox().send('POST', '/api/users/logout', { token })).status).toBe(401);
  });
  test('4.3 logout: without a token it is 401', async () =>
    expect((await sandbox().send('POST', '/api/users/logout', { as: 'nobody' })).status).toBe(401));
});
