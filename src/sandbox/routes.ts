import { randomBytes } from 'node:crypto';
import { optionId } from '../core/model/ids.ts';
import { isRecord } from '../core/model/json.ts';
import type { OptionValue } from '../core/model/value.ts';
import { changeAttributes, changeOptions } from './changes.ts';
import { Refusal } from './refusal.ts';
import type { Service, User } from './service.ts';
import type { Integration, Option } from './store.ts';

/** An address of the service. */
interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** Who may call it: everyone, users who are logged in, or those who may change integrations. */
  readonly access: 'public' | 'token' | 'manager';
  /** Makes the document that answers with 200. */
  readonly run: (service: Service, call: Call) => object | Promise<object>;
}

/** A request whose user may make it. */
interface Call {
  readonly user: User;
  readonly token: string;
  /** The variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed body; undefined on addresses without one. */
  readonly body: unknown;
}

/** Section 9: the version that answers about integration errors declare. */
const jsonapi = { version: '1.0' } as const;

/** Section 8: the default page size, and the largest here. */
const DEFAULT_SIZE = 100;
const LARGEST_SIZE = 1000;

/** Each user's password is the username. */
const USERS: readonly User[] = [
  { id: '1', username: 'admin', role: 'administrator' },
  { id: '2', username: 'manager', role: 'integration-manager' },
  { id: '3', username: 'user', role: 'user' },
];

/**
 * Everything that the service answers; the first matching path wins. Sections 4.1 to 4.3 are about tokens. The list of errors is
 * not paged.
 */
export const ROUTES: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/api/users/login', access: 'public' },
    /** A token for credentials; 401 if they are wrong, 400 for a malformed body. */
    run: (service, { body }) => {
      const { identification, password } = isRecord(body) ? body : {};
      if (typeof identification !== 'string' || typeof password !== 'string')
        throw new Refusal(
          400,
          'The body must have identification and password.',
          { pointer: '' },
        );
      const user = USERS.find(
        ({ username }) => username === identification && username === password,
      );
      if (user === undefined)
        throw new Refusal(401, 'The username or the password is wrong.');
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
  {
    ...{ method: 'GET', path: '/api/integrations/errors', access: 'manager' },
    run: ({ store }) => ({
      data: store.all().flatMap(({ errors }) => errors),
      jsonapi,
    }),
  },
  {
    ...{ method: 'GET', path: '/api/integration-errors', access: 'manager' },
    run: ({ store }, { query }) => ({
      data: store.find(idParameter(query))?.errors ?? [],
      jsonapi,
    }),
  },
  {
    ...{
      method: 'GET',
      path: '/api/integration/:id/errors/:errorId',
      access: 'manager',
    },
    run: ({ store }, { params }) => {
      const data = store
        .find(params['id'] ?? '')
        ?.errors.find(({ id }) => id === params['errorId']);
      if (data === undefined)
        throw new Refusal(404, 'There is no such integration error.');
      return { data, jsonapi };
    },
  },
  {
    ...{ method: 'GET', path: '/api/integrations', access: 'token' },
    /** One page of the integrations that match the filters. */
    run: (service, { user, query }) => {
      const number = numberParameter(query, 'page[number]', 1);
      const size = Math.min(
        numberParameter(query, 'page[size]', DEFAULT_SIZE),
        LARGEST_SIZE,
      );
      const matching = filtered(service.store.all(), user, query);
      const page = matching.slice((number - 1) * size, number * size);
      const encoded = page.map((each) =>
        encodeIntegration(service, user, each, 'list'),
      );
      const included = encoded.flatMap((each) => each.included ?? []);
      return {
        data: encoded.map(({ data }) => data),
        ...(included.length > 0 ? { included } : {}),
        meta: { page: { number, size, total: matching.length } },
      };
    },
  },
  {
    ...{ method: 'GET', path: '/api/integrations/:id', access: 'token' },
    run: (service, { user, params }) =>
      encodeIntegration(
        service,
        user,
        service.store.get(params['id']),
        'single',
      ),
  },
  {
    ...{ method: 'GET', path: '/api/integration-options', access: 'token' },
    /** The options of one integration; none if it is unknown. */
    run: (service, { user, query }) => {
      const integration = service.store.find(idParameter(query));
      const encode = PLACES[service.dialect].link
        ? encodeOption
        : optionIdentity;
      const options =
        integration === undefined ? [] : visibleOptions(user, integration);
      return {
        data: options.map((option) =>
          encode(integration?.id ?? '', option, service),
        ),
      };
    },
  },
  {
    ...{ method: 'PATCH', path: '/api/integration-options', access: 'manager' },
    run: async (service, { user, body }) => {
      const { id, changed } = await changeOptions(service, user, body);
      return {
        data: changed.map((option) => encodeOption(id, option, service)),
      };
    },
  },
  {
    ...{ method: 'PATCH', path: '/api/integrations/:id', access: 'manager' },
    run: async (service, { user, params, body }) => {
      const after = await changeAttributes(
        service,
        user,
        service.store.get(params['id']),
        body,
      );
      return encodeIntegration(service, user, after, 'single');
    },
  },
];

/** Makes a token, and the payload of section 2.1 for it. */
function newToken(
  { sessions, now, tokenLifetime = 86_400 }: Service,
  user: User,
): object {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = Math.floor(now() / 1000) + tokenLifetime;
  sessions.set(token, { user, expiresAt });
  return { data: { token, expiration_time: expiresAt, users: user } };
}

/** Section 2.2: the id in the links of relationships. */
function idParameter(query: URLSearchParams): string {
  const id = query.get('filter[integration.id]') ?? '';
  if (id !== '') return id;
  throw new Refusal(400, 'The id of an integration is required.', {
    parameter: 'filter[integration.id]',
  });
}

/** A whole number of at least 1; the fallback if the parameter is absent. */
function numberParameter(
  query: URLSearchParams,
  name: string,
  fallback: number,
): number {
  const text = query.get(name) ?? String(fallback);
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Refusal(400, `${name} must be a whole number of at least 1.`, {
    parameter: name,
  });
}

function filtered(
  all: readonly Integration[],
  user: User,
  query: URLSearchParams,
): readonly Integration[] {
  const status = query.get('filter[integration.status]');
  const withErrors = query.get('filter[integration.integration-errors]');
  return all.filter(
    (integration) =>
      (status === null || integration.attributes['status'] === status) &&
      (withErrors === null ||
        String(visibleErrors(user, integration).length > 0) === withErrors),
  );
}

/** Where each dialect has the attributes of options: in a list, with one integration, and behind the link to them. */
const PLACES = {
  included: { list: 'included', single: 'included', link: true },
  inline: { list: 'inline', single: 'inline', link: true },
  detail: { list: 'nowhere', single: 'included', link: false },
  options: { list: 'nowhere', single: 'nowhere', link: true },
} as const;

/** The integration as this user may see it: section 2.2. */
function encodeIntegration(
  service: Service,
  user: User,
  integration: Integration,
  document: 'list' | 'single',
) {
  const { id, attributes } = integration;
  const place = PLACES[service.dialect][document];
  const visible = visibleOptions(user, integration);
  const full =
    place === 'nowhere'
      ? []
      : visible.map((option) => encodeOption(id, option, service));
  const errors = visibleErrors(user, integration).map((error) => ({
    type: error.type,
    id: error.id,
  }));
  const links =
    user.role === 'user'
      ? {}
      : { links: { self: relatedPath('integration-errors', id) } };
  const options =
    place === 'inline'
      ? full
      : visible.map((option) => optionIdentity(id, option));
  const data = {
    type: 'integrations',
    id,
    attributes,
    links: { self: `/api/integrations/${encodeURIComponent(id)}` },
    relationships: {
      'integration-errors': { data: errors, ...links },
      'integration-options': {
        data: options,
        links: { self: relatedPath('integration-options', id) },
      },
    },
  };
  return {
    data,
    ...(place === 'included' && full.length > 0 ? { included: full } : {}),
  };
}

function relatedPath(collection: string, integrationId: string): string {
  return `/api/${collection}?filter[integration.id]=${encodeURIComponent(integrationId)}`;
}

function visibleErrors(
  user: User,
  { errors }: Integration,
): Integration['errors'] {
  return user.role === 'user' ? [] : errors;
}

function visibleOptions(
  user: User,
  { options }: Integration,
): readonly Option[] {
  return user.role === 'user'
    ? options.filter((option) => !option['admin-only'])
    : options;
}

/** An option with its attributes: section 2.4. */
function encodeOption(
  integrationId: string,
  option: Option,
  { passwords }: Service,
) {
  const value =
    option.type === 'password'
      ? shownPassword(option.value, passwords)
      : option.value;
  return {
    ...optionIdentity(integrationId, option),
    attributes: { ...option, value },
  };
}

function shownPassword(
  value: OptionValue,
  passwords: Service['passwords'],
): OptionValue {
  if (passwords === 'clear' || value === '') return value;
  return passwords === 'masked' ? '********' : '';
}

function optionIdentity(integrationId: string, { key }: Option) {
  return { type: 'integration-options', id: optionId(integrationId, key) };
}
