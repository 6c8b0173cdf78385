import { isRecord } from '../core/model/json.ts';
import { refusal } from './refusal.ts';
import { type Route, type Service, type User, userOf } from './service.ts';

/** Sections 4.1 to 4.3: tokens. */
export const TOKEN_ROUTES: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/api/users/login', access: 'public' },
    /** A token for credentials; 401 if they are wrong, 400 for a malformed body. */
    run: (service, { body }) => {
      const { identification, password } = isRecord(body) ? body : {};
      if (typeof identification !== 'string' || typeof password !== 'string')
        throw refusal(400, 'The body must have identification and password.', { pointer: '' });
      const user = userOf(identification, password);
      if (user === undefined) throw refusal(401, 'The username or the password is wrong.');
      return tokenAnswer(service, user);
    },
  },
  {
    ...{ method: 'GET', path: '/api/users/refresh', access: 'token' },
    /** A new token that expires later. */
    run: (service, { user }) => tokenAnswer(service, user),
  },
  {
    ...{ method: 'POST', path: '/api/users/logout', access: 'token' },
    run: ({ sessions }, { token }) => {
      sessions.revoke(token);
      return { data: null };
    },
  },
];

/** The token payload of section 2.1. */
function tokenAnswer({ sessions }: Service, user: User): object {
  const { token, expiresAt } = sessions.issue(user);
  return { data: { token, expiration_time: expiresAt, users: user } };
}
