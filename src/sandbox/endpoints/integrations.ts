import type { User } from '../access/users.ts';
import type { Answer, Call, Service } from '../service.ts';
import type { Integration } from '../state/integration.ts';
import { integrationParameter, numberParameter } from '../wire/query.ts';
import { refusal } from '../wire/refusal.ts';
import { encodeIntegration, encodeLinkedOptions, visibleErrors } from '../wire/resources.ts';

/** Section 8: the default page size, and the largest here. */
const DEFAULT_SIZE = 100;
const LARGEST_SIZE = 1000;

/** Section 4.4, GET /api/integrations: one page of the integrations that match the filters. */
export function listIntegrations({ store, settings }: Service, { user, query }: Call): Answer {
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
}

/** Section 4.5, GET /api/integrations/<INTEGRATION_ID>: one integration. */
export function readIntegration(service: Service, { user, params }: Call): Answer {
  return integrationAnswer(service, user, findIntegration(service, params['id'] ?? ''));
}

/** Section 2.2, the link of relationships.integration-options: the options of one integration; none if it is unknown. */
export function linkedOptions({ store, settings }: Service, { user, query }: Call): Answer {
  const integration = store.find(integrationParameter(query));
  return { data: integration === undefined ? [] : encodeLinkedOptions(settings, user, integration) };
}

/** The document of one integration, after a read or a change. */
export function integrationAnswer({ settings }: Service, user: User, integration: Integration): Answer {
  const { resource, included } = encodeIntegration(settings, user, integration, 'single');
  return { data: resource, ...(included.length > 0 ? { included } : {}) };
}

/** The integration with that id; 404 if there is none. */
export function findIntegration({ store }: Service, id: string): Integration {
  const integration = store.find(id);
  if (integration === undefined) throw refusal(404, 'There is no such integration.');
  return integration;
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
