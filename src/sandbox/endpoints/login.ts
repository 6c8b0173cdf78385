import { isRecord } from '../../core/model/json.ts';
import { authenticate, type User } from '../access/accounts.ts';
import type { IssuedToken } from '../access/sessions.ts';
import type { Answer, Call, Service } from '../service.ts';
import type { SandboxSettings } from '../settings.ts';
import { Refusal, refusal } from '../wire/refusal.ts';

/** Section 4.1, POST /api/users/login: a token for credentials; 401 where they are wrong, 400 for a malformed body. */
export function login({ sessions, settings }: Service, { body }: Call): Answer {
  const { identification, password } = decodeCredentials(body);
  const user = authenticate(identification, password);
  if (user === undefined) throw refusal(401, 'The username or the password is wrong.');
  return tokenAnswer(user, sessions.issue(user), settings);
}

/** Section 4.2, GET /api/users/refresh: a new token that expires later, in the same form. */
export function refresh({ sessions, settings }: Service, { user, token }: Call): Answer {
  if (settings.refresh === 'replaces') sessions.revoke(token);
  return tokenAnswer(user, sessions.issue(user), settings);
}

/** Section 4.3, POST /api/users/logout: ends the validity of the token. */
export function logout({ sessions, settings }: Service, { token }: Call): Answer {
  sessions.revoke(token);
  return settings.logoutAnswer === 'empty' ? { status: 200 } : { status: 200, document: { data: null } };
}

function decodeCredentials(body: unknown): { readonly identification: string; readonly password: string } {
  if (!isRecord(body))
    throw refusal(400, 'The body must be an object with identification and password.', { pointer: '' });
  const { identification, password } = body;
  if (typeof identification === 'string' && typeof password === 'string') return { identification, password };
  const wrong = Object.entries({ identification, password }).filter(([, value]) => typeof value !== 'string');
  throw new Refusal(
    400,
    wrong.map(([name]) => ({
      detail: `${name} is required and must be a string.`,
      source: { pointer: `/${name}` },
    })),
  );
}

/** The token payload of section 2.1; the settings place `expiration_time`. */
function tokenAnswer(user: User, { token, expiresAt }: IssuedToken, settings: SandboxSettings): Answer {
  const expiration = { expiration_time: expiresAt };
  const data = {
    token,
    ...(settings.expiration === 'data' ? expiration : {}),
    ...(settings.userSettings === 'users'
      ? { users: { id: user.id, username: user.username, role: user.role } }
      : {}),
  };
  const top = settings.expiration === 'top' ? expiration : {};
  const meta = settings.expiration === 'meta' ? { meta: expiration } : {};
  return { status: 200, document: { data, ...top, ...meta } };
}
