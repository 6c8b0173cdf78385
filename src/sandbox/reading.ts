import { optionId } from '../core/model/ids.ts';
import type { OptionValue } from '../core/model/value.ts';
import { Refusal } from './refusal.ts';
import type { Route, Service, User } from './service.ts';
import type { Integration, Option } from './store.ts';

/** Section 9: the version that answers about integration errors declare. */
const jsonapi = { version: '1.0' } as const;

/** Section 8: the default page size, and the largest here. */
const DEFAULT_SIZE = 100;
const LARGEST_SIZE = 1000;

/** Sections 4.4 to 4.6, and the links to options and errors. The list of errors is not paged. */
export const READING_ROUTES: readonly Route[] = [
  {
    ...{ method: 'GET', path: '/api/integrations/errors', access: 'manager' },
    run: ({ store }) => ({ data: store.all().flatMap(({ errors }) => errors), jsonapi }),
  },
  {
    ...{ method: 'GET', path: '/api/integration-errors', access: 'manager' },
    run: ({ store }, { query }) => ({ data: store.find(idParameter(query))?.errors ?? [], jsonapi }),
  },
  {
    ...{ method: 'GET', path: '/api/integration/:id/errors/:errorId', access: 'manager' },
    run: ({ store }, { params }) => {
      const data = store.find(params['id'] ?? '')?.errors.find(({ id }) => id === params['errorId']);
      if (data === undefined) throw new Refusal(404, 'There is no such integration error.');
      return { data, jsonapi };
    },
  },
  {
    ...{ method: 'GET', path: '/api/integrations', access: 'token' },
    /** One page of the integrations that match the filters. */
    run: (service, { user, query }) => {
      const number = numberParameter(query, 'page[number]', 1);
      const size = Math.min(numberParameter(query, 'page[size]', DEFAULT_SIZE), LARGEST_SIZE);
      const matching = filtered(service.store.all(), user, query);
      const page = matching.slice((number - 1) * size, number * size);
      const encoded = page.map((each) => encodeIntegration(service, user, each, 'list'));
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
      encodeIntegration(service, user, service.store.get(params['id']), 'single'),
  },
  {
    ...{ method: 'GET', path: '/api/integration-options', access: 'token' },
    /** The options of one integration; none if it is unknown. */
    run: (service, { user, query }) => {
      const integration = service.store.find(idParameter(query));
      const encode = PLACES[service.dialect].link ? encodeOption : optionIdentity;
      const options = integration === undefined ? [] : visibleOptions(user, integration);
      return { data: options.map((option) => encode(integration?.id ?? '', option, service)) };
    },
  },
];

/** Section 2.2: the id in the links of relationships. */
function idParameter(query: URLSearchParams): string {
  const id = query.get('filter[integration.id]') ?? '';
  if (id !== '') return id;
  throw new Refusal(400, 'The id of an integration is required.', { parameter: 'filter[integration.id]' });
}

/** A whole number of at least 1; the fallback if the parameter is absent. */
function numberParameter(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name) ?? String(fallback);
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Refusal(400, `${name} must be a whole number of at least 1.`, { parameter: name });
}

function filtered(all: readonly Integration[], user: User, query: URLSearchParams): readonly Integration[] {
  const status = query.get('filter[integration.status]');
  const withErrors = query.get('filter[integration.integration-errors]');
  return all.filter(
    (integration) =>
      (status === null || integration.attributes['status'] === status) &&
      (withErrors === null || String(visibleErrors(user, integration).length > 0) === withErrors),
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
export function encodeIntegration(
  service: Service,
  user: User,
  integration: Integration,
  document: 'list' | 'single',
) {
  const { id, attributes } = integration;
  const place = PLACES[service.dialect][document];
  const visible = visibleOptions(user, integration);
  const full = place === 'nowhere' ? [] : visible.map((option) => encodeOption(id, option, service));
  const errors = visibleErrors(user, integration).map((error) => ({ type: error.type, id: error.id }));
  const links = user.role === 'user' ? {} : { links: { self: relatedPath('integration-errors', id) } };
  const options = place === 'inline' ? full : visible.map((option) => optionIdentity(id, option));
  const data = {
    type: 'integrations',
    id,
    attributes,
    links: { self: `/api/integrations/${encodeURIComponent(id)}` },
    relationships: {
      'integration-errors': { data: errors, ...links },
      'integration-options': { data: options, links: { self: relatedPath('integration-options', id) } },
    },
  };
  return { data, ...(place === 'included' && full.length > 0 ? { included: full } : {}) };
}

function relatedPath(collection: string, integrationId: string): string {
  return `/api/${collection}?filter[integration.id]=${encodeURIComponent(integrationId)}`;
}

function visibleErrors(user: User, { errors }: Integration): Integration['errors'] {
  return user.role === 'user' ? [] : errors;
}

function visibleOptions(user: User, { options }: Integration): readonly Option[] {
  return user.role === 'user' ? options.filter((option) => !option['admin-only']) : options;
}

/** An option with its attributes: section 2.4. */
export function encodeOption(integrationId: string, option: Option, { passwords }: Service) {
  const value = option.type === 'password' ? shownPassword(option.value, passwords) : option.value;
  return { ...optionIdentity(integrationId, option), attributes: { ...option, value } };
}

function shownPassword(value: OptionValue, passwords: Service['passwords']): OptionValue {
  if (passwords === 'clear' || value === '') return value;
  return passwords === 'masked' ? '********' : '';
}

function optionIdentity(integrationId: string, { key }: Option) {
  return { type: 'integration-options', id: optionId(integrationId, key) };
}
