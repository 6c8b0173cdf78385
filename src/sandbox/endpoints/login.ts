import { isRecord } from '../../core/model/json.ts';
import type { IssuedToken } from '../access/sessions.ts';
import { type User, userOf } from '../access/users.ts';
import type { Answer, Call, Service } from '../service.ts';
import { refusal } from '../wire/refusal.ts';

/** Section 4.1, POST /api/users/login: a token for credentials; 401 if they are wrong, 400 for a malformed body. */
export function login({ sessions }: Service, { body }: Call): Answer {
  const { identification, password } = isRecord(body) ? body : {};
  if (typeof identification !== 'string' || typeof password !== 'string')
    throw refusal(400, 'The body must have identification and password.', { pointer: '' });
  const user = userOf(identification, password);
  if (user === undefined) throw refusal(401, 'The username or the password is wrong.');
  return tokenAnswer(user, sessions.issue(user));
}

/** Section 4.2, GET /api/users/refresh: a new token that expires later. */
export function refresh({ sessions }: Service, { user }: Call): Answer {
  return tokenAnswer(user, sessions.issue(user));
}

/** Section 4.3, POST /api/users/logout: ends the validity of the token. */
export function logout({ sessions }: Service, { token }: Call): Answer {
  sessions.revoke(token);
  return { data: null };
}

/** The token payload of section 2.1. */
function tokenAnswer({ id, username, role }: User, { token, expiresAt }: IssuedToken): Answer {
  return { data: { token, expiration_time: expiresAt, users: { id, username, role } } };
}
