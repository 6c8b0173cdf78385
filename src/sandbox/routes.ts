import { randomBytes } from 'node:crypto';
import { recordOf } from '../core/model/json.ts';
import { changeAttributes, changeOptions } from './changes.ts';
import {
  encodeIntegration,
  encodeOptions,
  identityOf,
  visibleTo,
} from './encode.ts';
import { Refusal } from './refusal.ts';
import type { Call, User } from './service.ts';
import type { Integration } from './store.ts';

/** An address of the service. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  /** Who may call it: all, logged-in users, or those who may change things. */
  access: 'public' | 'token' | 'manager';
  /** Makes the document that answers with 200. */
  run: (call: Call) => object | Promise<object>;
}

/** Everything that the service answers. The first matching path wins. */
export const ROUTES: readonly Route[] = [
  // Sections 4.1 to 4.3: tokens.
  {
    method: 'POST',
    path: '/api/users/login',
    access: 'public',
    run: logIn,
  },
  {
    method: 'GET',
    path: '/api/users/refresh',
    access: 'token',
    run: newToken,
  },
  {
    method: 'POST',
    path: '/api/users/logout',
    access: 'token',
    run: logOut,
  },
  {
    method: 'GET',
    path: '/api/integrations/errors',
    access: 'manager',
    run: listErrors,
  },
  {
    method: 'GET',
    path: '/api/integration-errors',
    access: 'manager',
    run: listErrorsOfIntegration,
  },
  {
    method: 'GET',
    path: '/api/integration/:id/errors/:errorId',
    access: 'manager',
    run: readError,
  },
  {
    method: 'GET',
    path: '/api/integrations',
    access: 'token',
    run: listIntegrations,
  },
  {
    method: 'GET',
    path: '/api/integrations/:id',
    access: 'token',
    run: readIntegration,
  },
  {
    method: 'GET',
    path: '/api/integration-options',
    access: 'token',
    run: listOptions,
  },
  {
    method: 'PATCH',
    path: '/api/integration-options',
    access: 'manager',
    run: changeOptions,
  },
  {
    method: 'PATCH',
    path: '/api/integrations/:id',
    access: 'manager',
    run: changeAttributes,
  },
];

/** The users. The password of each is the username. */
const USERS: readonly User[] = [
  { id: '1', username: 'admin', role: 'administrator' },
  { id: '2', username: 'manager', role: 'integration-manager' },
  { id: '3', username: 'user', role: 'user' },
];

function logIn(call: Call): object {
  const { identification, password } = recordOf(call.body);
  if (typeof identification !== 'string' || typeof password !== 'string') {
    const detail = 'The body must have identification and password.';
    throw new Refusal(400, detail);
  }
  const user = USERS.find(
    ({ username }) => username === identification && username === password,
  );
  if (user === undefined) {
    throw new Refusal(401, 'The username or the password is wrong.');
  }
  return newToken({ ...call, user });
}

/** Makes a token, and the payload of section 2.1 for it. */
function newToken({ service, user }: Call): object {
  const { sessions, now, tokenLifetime = 86_400 } = service;
  const token = randomBytes(32).toString('base64url');
  const expiresAt = Math.floor(now() / 1000) + tokenLifetime;
  sessions.set(token, { user, expiresAt });
  return { data: { token, expiration_time: expiresAt, users: user } };
}

function logOut({ service, token }: Call): object {
  service.sessions.delete(token);
  return { data: null };
}

/** Section 9: the version that answers about integration errors declare. */
const jsonapi = { version: '1.0' } as const;

/** All integration errors: this list is not paged. */
function listErrors({ service }: Call): object {
  const data = service.store.all().flatMap(({ errors }) => errors);
  return { data, jsonapi };
}

/** The errors of one integration; none if it is unknown. */
function listErrorsOfIntegration({ service, query }: Call): object {
  const integration = service.store.find(idOf(query));
  return { data: integration?.errors ?? [], jsonapi };
}

function readError({ service, params }: Call): object {
  const { id = '', errorId } = params;
  const integration = service.store.find(id);
  const data = integration?.errors.find((error) => error.id === errorId);
  if (data !== undefined) return { data, jsonapi };
  throw new Refusal(404, 'There is no such integration error.');
}

/** Section 8: the default page size. */
const DEFAULT_SIZE = 100;

/** One page of the integrations that match the filters. */
function listIntegrations(call: Call): object {
  const { query } = call;
  const number = numberParameter(query, 'page[number]', 1);
  const size = numberParameter(query, 'page[size]', DEFAULT_SIZE);
  const matching = matchingFilters(call);
  const data: object[] = [];
  const included: object[] = [];
  const page = matching.slice((number - 1) * size, number * size);
  for (const integration of page) {
    const encoded = encodeIntegration(call, integration, 'list');
    data.push(encoded.data);
    included.push(...encoded.included);
  }
  const meta = { page: { number, size, total: matching.length } };
  return { data, included, meta };
}

function matchingFilters({ service, user, query }: Call): Integration[] {
  const status = query.get('filter[integration.status]');
  const withErrors = query.get('filter[integration.integration-errors]');
  return service.store.all().filter((integration) => {
    if (status !== null && integration.attributes['status'] !== status) {
      return false;
    }
    const { errors } = visibleTo(user, integration);
    return withErrors === null || withErrors === String(errors.length > 0);
  });
}

function readIntegration(call: Call): object {
  const { service, params } = call;
  return encodeIntegration(call, service.store.get(params['id']), 'single');
}

/** The options behind the link of an integration; none if it is unknown. */
function listOptions({ service, user, query }: Call): object {
  const integration = service.store.find(idOf(query));
  if (integration === undefined) return { data: [] };
  const { id, options } = visibleTo(user, integration);
  const data = encodeOptions(service, id, options);
  // Then the attributes come with the integration alone.
  return { data: service.dialect === 'detail' ? data.map(identityOf) : data };
}

/** Section 2.2: the id in the links of relationships. */
function idOf(query: URLSearchParams): string {
  return query.get('filter[integration.id]') ?? '';
}

/** A whole number of at least 1; the fallback if the parameter is none. */
function numberParameter(
  query: URLSearchParams,
  parameter: string,
  fallback: number,
): number {
  const text = query.get(parameter) ?? '';
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : fallback;
}
