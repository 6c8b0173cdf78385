import { isRecord } from '../core/model/json.ts';
import { withRaisedError } from './errors.ts';
import { integrationParameter, pointer, Refusal, refusal } from './refusal.ts';
import { encodeIntegration, encodeLinkedOptions, visibleErrors } from './resources.ts';
import type { Route, Service, User } from './service.ts';
import type { Integration } from './state.ts';

/** Section 8: the default page size, and the largest here. */
const DEFAULT_SIZE = 100;
const LARGEST_SIZE = 1000;

/** Sections 4.4, 4.5 and 4.8, and the link to the options of an integration. */
export const INTEGRATION_ROUTES: readonly Route[] = [
  {
    ...{ method: 'GET', path: '/api/integrations', access: 'token' },
    /** One page of the integrations that match the filters. */
    run: ({ store, settings }, { user, query }) => {
      const number = numberParameter(query, 'page[number]', 1);
      const size = Math.min(numberParameter(query, 'page[size]', DEFAULT_SIZE), LARGEST_SIZE);
      const matching = filtered(store.integrations, user, query);
      const page = matching
        .slice((number - 1) * size, number * size)
        .map((integration) => encodeIntegration(settings, user, integration, 'list'));
      const included = page.flatMap((each) => each.included);
      return {
        data: page.map(({ resource }) => resource),
        ...(included.length > 0 ? { included } : {}),
        meta: { page: { number, size, total: matching.length } },
      };
    },
  },
  {
    ...{ method: 'GET', path: '/api/integrations/:id', access: 'token' },
    run: (service, { user, params }) =>
      integrationAnswer(service, user, findIntegration(service, params['id'])),
  },
  {
    ...{ method: 'PATCH', path: '/api/integrations/:id', access: 'manager' },
    /** Changes attributes of an integration, all or nothing. */
    run: async (service, { user, params, body }) => {
      const integration = findIntegration(service, params['id']);
      const attributes = decodeAttributes(integration.id, body);
      const after = await service.store.change(integration, (before) =>
        withRaisedError(service, { ...before, attributes: { ...before.attributes, ...attributes } }, user),
      );
      return integrationAnswer(service, user, after);
    },
  },
  {
    ...{ method: 'GET', path: '/api/integration-options', access: 'token' },
    /** The options of one integration; none if it is unknown. */
    run: ({ store, settings }, { user, query }) => {
      const integration = store.find(integrationParameter(query));
      return { data: integration === undefined ? [] : encodeLinkedOptions(settings, user, integration) };
    },
  },
];

/** The document of one integration, after a read or a change. */
function integrationAnswer({ settings }: Service, user: User, integration: Integration): object {
  const { resource, included } = encodeIntegration(settings, user, integration, 'single');
  return { data: resource, ...(included.length > 0 ? { included } : {}) };
}

/** The integration with that id; 404 if there is none. */
function findIntegration({ store }: Service, id = ''): Integration {
  const integration = store.find(id);
  if (integration === undefined) throw refusal(404, 'There is no such integration.');
  return integration;
}

/** A whole number of at least 1; the fallback if the parameter is absent. */
function numberParameter(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name) ?? String(fallback);
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw refusal(400, `${name} must be a whole number of at least 1.`, { parameter: name });
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

/** The attributes that can change, with their types. */
const UPDATABLE: Readonly<Record<string, string>> = {
  autosubscribe: 'boolean',
  name: 'string',
  acronym: 'string',
};

/** The attributes to set. The body repeats the id and may repeat the type; 409 if either differs. */
function decodeAttributes(integrationId: string, body: unknown): Integration['attributes'] {
  const data = isRecord(body) ? body['data'] : undefined;
  if (!isRecord(data) || typeof data['id'] !== 'string' || !isRecord(data['attributes']))
    throw refusal(400, '`data` must be an object with id and attributes.', { pointer: '/data' });
  const { id, type = 'integrations', attributes } = data;
  if (id !== integrationId) throw refusal(409, '`id` is not the id in the address.', { pointer: '/data/id' });
  if (type !== 'integrations' && type !== 'integration')
    throw refusal(409, '`type` must be integrations.', { pointer: '/data/type' });
  const wrong = Object.entries(attributes).filter(
    ([name, value]) => !Object.hasOwn(UPDATABLE, name) || UPDATABLE[name] !== typeof value,
  );
  if (wrong.length === 0) return attributes as Integration['attributes'];
  throw new Refusal(
    422,
    wrong.map(([name]) => ({
      detail: `${name} cannot be changed, or not to this value.`,
      source: { pointer: pointer('data', 'attributes', name) },
    })),
  );
}
