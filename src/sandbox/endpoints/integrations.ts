import type { User } from '../access/users.ts';
import type { Answer, Call, Service } from '../service.ts';
import type { Integration } from '../state/integration.ts';
import { booleanParameter, numberParameter, type Query, requiredParameter } from '../wire/query.ts';
import { refusal } from '../wire/refusal.ts';
import { encodeIntegration, encodeLinkedOptions, visibleErrors } from '../wire/resources.ts';

const PAGE_SIZE = 'page[size]';
const PAGE_NUMBER = 'page[number]';
const BY_STATUS = 'filter[integration.status]';
const BY_ERRORS = 'filter[integration.integration-errors]';

/** The query parameters of section 4.4. */
export const LIST_QUERY = [PAGE_SIZE, PAGE_NUMBER, BY_STATUS, BY_ERRORS] as const;

/** Section 2.2: the query parameter in the links of relationships. */
export const BY_INTEGRATION = 'filter[integration.id]';

/** Section 8: the default page size, and the largest here. */
const DEFAULT_SIZE = 100;
const LARGEST_SIZE = 1000;

/** Section 4.4, GET /api/integrations: one page of the integrations that match the filters. */
export function listIntegrations({ store, settings }: Service, { user, query }: Call): Answer {
  const number = numberParameter(query, PAGE_NUMBER, 1);
  const size = Math.min(numberParameter(query, PAGE_SIZE, DEFAULT_SIZE), LARGEST_SIZE);
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
  const integration = store.find(requiredParameter(query, BY_INTEGRATION));
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

function filtered(all: readonly Integration[], user: User, query: Query): readonly Integration[] {
  const status = query.get(BY_STATUS);
  const withErrors = booleanParameter(query, BY_ERRORS);
  return all.filter(
    (integration) =>
      (status === undefined || integration.attributes['status'] === status) &&
      (withErrors === undefined || visibleErrors(user, integration).length > 0 === withErrors),
  );
}
