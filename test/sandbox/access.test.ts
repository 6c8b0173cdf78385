import { describe, expect, test } from 'vitest';
import { authenticate, type User } from '../../src/sandbox/access/accounts.ts';
import { createRights } from '../../src/sandbox/access/rights.ts';
import { Sessions } from '../../src/sandbox/access/sessions.ts';
import { DEFAULT_SETTINGS } from '../../src/sandbox/settings.ts';

const ADMIN: User = { id: '1', username: 'admin', role: 'administrator' };
const MANAGER: User = { id: '2', username: 'manager', role: 'integration-manager' };
const USER: User = { id: '3', username: 'user', role: 'user' };

describe('accounts', () => {
  test.each([ADMIN, MANAGER, USER])('$username has its name as the password', async (user) => {
    expect(await authenticate(user.username, user.username)).toEqual(user);
  });
  test.each([
    ['admin', 'Admin'],
    ['admin', ''],
    ['admin', 'manager'],
    ['root', 'root'],
  ])('%s with the password %j is nobody', async (username, password) => {
    expect(await authenticate(username, password)).toBeUndefined();
  });
});

describe('sessions', () => {
  const sessionsAt = (clock: { ms: number }, lifetime = 60) => new Sessions(() => clock.ms, lifetime);
  test('a token is a JWT that tells whose it is and when it expires', () => {
    const { token, expiresAt } = sessionsAt({ ms: 1_000_000 }).issue(ADMIN);
    const [header, claims] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header ?? '')).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(JSON.parse(claims ?? '')).toMatchObject({ sub: '1', iat: 1000, exp: 1060 });
    expect(expiresAt).toBe(1060);
  });
  test('a token is valid in its own table only', () => {
    const clock = { ms: 0 };
    const { token } = sessionsAt(clock).issue(ADMIN);
    expect(sessionsAt(clock).userOf(token)).toBeUndefined();
  });
  test('the oldest token ends where there are ten thousand', () => {
    const sessions = sessionsAt({ ms: 0 });
    const tokens = Array.from({ length: 10_001 }, () => sessions.issue(USER).token);
    expect([0, 1, 10_000].map((index) => sessions.userOf(tokens[index] ?? '') !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('rights', () => {
  test('a manager of no integration manages none, but is one', () => {
    const rights = createRights({ ...DEFAULT_SETTINGS, managerScope: [] });
    expect([rights.mayManage(MANAGER), rights.mayManageIntegration(MANAGER, 'a')]).toEqual([true, false]);
    expect(rights.mayManageIntegration(ADMIN, 'a')).toBe(true);
  });
  test('a manager of all manages an integration of any id', () => {
    const rights = createRights(DEFAULT_SETTINGS);
    for (const id of ['a', 'a/b', '.hidden', 'a.b', '{x}'])
      expect(rights.mayManageIntegration(MANAGER, id), id).toBe(true);
  });
});
