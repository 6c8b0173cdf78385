import { randomBytes } from 'node:crypto';
import { isRecord } from '../core/model/json.ts';
import { Refusal } from './refusal.ts';
import type { Route, Service, User } from './service.ts';

/** Each user's password is the username. */
const USERS: readonly User[] = [
  { id: '1', username: 'admin', role: 'administrator' },
  { id: '2', username: 'manager', role: 'integration-manager' },
  { id: '3', username: 'user', role: 'user' },
];

/** Sections 4.1 to 4.3: tokens. */
export const TOKEN_ROUTES: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/api/users/login', access: 'public' },
    /** A token for credentials; 401 if they are wrong, 400 for a malformed body. */
    run: (service, { body }) => {
      const { identification, password } = isRecord(body) ? body : {};
      if (typeof identification !== 'string' || typeof password !== 'string')
        throw new Refusal(400, 'The body must have identification and password.', { pointer: '' });
      const user = USERS.find(({ username }) => username === identification && username === password);
      if (user === undefined) throw new Refusal(401, 'The username or the password is wrong.');
      return newToken(service, user);
    },
  },
  {
    ...{ method: 'GET', path: '/api/users/refresh', access: 'token' },
    /** A new token that expires later. */
    run: (service, { user }) => newToken(service, user),
  },
  {
    ...{ method: 'POST', path: '/api/users/logout', access: 'token' },
    run: ({ sessions }, { token }) => {
      sessions.delete(token);
      return { data: null };
    },
  },
];

/** Makes a token, and the payload of section 2.1 for it. */
function newToken({ sessions, now, tokenLifetime = 86_400 }: Service, user: User): object {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = Math.floor(now() / 1000) + tokenLifetime;
  sessions.set(token, { user, expiresAt });
  return { data: { token, expiration_time: expiresAt, users: user } };
}
