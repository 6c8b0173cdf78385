import type { User } from '../access/accounts.ts';
import type { Answer, Call, Service } from '../service.ts';
import type { SandboxSettings } from '../settings.ts';
import type { StoredIntegration } from '../state/integration-state.ts';
import { encodeForReader, encodeLinkedOptions, visibleErrors } from '../wire/dialect.ts';
import { listDocument, listedText } from '../wire/listed-text.ts';
import { booleanParameter, integerParameter, type Query, requiredParameter } from '../wire/query.ts';
import { refusal } from '../wire/refusal.ts';

const PAGE_SIZE = 'page[size]';
const PAGE_NUMBER = 'page[number]';
const BY_STATUS = 'filter[integration.status]';
const BY_ERRORS = 'filter[integration.integration-errors]';

/** The query parameters of section 4.4. */
export const LIST_QUERY = [PAGE_SIZE, PAGE_NUMBER, BY_STATUS, BY_ERRORS] as const;

/** Section 2.2: the query parameter in the links of relationships. */
export const BY_INTEGRATION = 'filter[integration.id]';

/** Section 8: the default page size. */
const DEFAULT_PAGE_SIZE = 100;

/** Section 4.4, GET /api/integrations: one page of the integrations that match the filters. */
export function listIntegrations(service: Service, { user, query }: Call): Answer {
  const page = decodePage(query, service.settings);
  const matching = filtered(service, user, query);
  const texts = matching
    .slice(page.start, page.end)
    .map((integration) => listedText(service, user, integration));
  return { status: 200, document: listDocument(texts, pageMeta(page, matching.length, service.settings)) };
}

/** Section 4.5, GET /api/integrations/<INTEGRATION_ID>: one integration. */
export function readIntegration(service: Service, { user, params }: Call): Answer {
  return integrationAnswer(service, user, findIntegration(service, params['id'] ?? ''));
}

/** The query parameters of the link to options: a page of them only where the settings say so. */
export function linkedOptionsQuery({ optionPages }: SandboxSettings): readonly string[] {
  return optionPages === 'whole' ? [BY_INTEGRATION] : [BY_INTEGRATION, PAGE_SIZE, PAGE_NUMBER];
}

/** Section 2.2, the link of relationships.integration-options: the options of one integration; none where it is unknown. */
export function linkedOptions(service: Service, { user, query }: Call): Answer {
  const integration = service.store.find(requiredParameter(query, BY_INTEGRATION));
  const data = integration === undefined ? [] : encodeLinkedOptions(service, user, integration);
  if (service.settings.optionPages === 'whole') return { status: 200, document: { data } };
  const page = decodePage(query, service.settings);
  const meta = pageMeta(page, data.length, service.settings);
  return { status: 200, document: { data: data.slice(page.start, page.end), meta } };
}

/** The document of one integration, after a read or a change. */
export function integrationAnswer(service: Service, user: User, integration: StoredIntegration): Answer {
  const { resource, included } = encodeForReader(service, user, integration, 'single');
  return { status: 200, document: { data: resource, ...(included.length > 0 ? { included } : {}) } };
}

/** The integration with that id; 404 where there is none. */
export function findIntegration({ store }: Service, id: string): StoredIntegration {
  const integration = store.find(id);
  if (integration === undefined) throw refusal(404, 'There is no such integration.');
  return integration;
}

/** Refuses, with 403, a user who does not manage that integration; the settings may limit managers to some. */
export function requireManaged({ rights }: Service, user: User, integrationId: string): void {
  if (!rights.mayManageIntegration(user, integrationId))
    throw refusal(403, 'You do not manage this integration.');
}

/** The requested page, and the positions of its first item and of the first behind it; the settings limit `size`. */
function decodePage(query: Query, settings: SandboxSettings) {
  const first = Number(settings.firstPage);
  const number = integerParameter(query, PAGE_NUMBER, first, first);
  const size = Math.min(integerParameter(query, PAGE_SIZE, DEFAULT_PAGE_SIZE, 1), settings.maxPageSize);
  const start = (number - first) * size;
  return { number, size, start, end: start + size };
}

function pageMeta(
  { number, size }: ReturnType<typeof decodePage>,
  total: number,
  { pageTotal }: SandboxSettings,
): object {
  return { page: { number, size, ...(pageTotal === 'served' ? { total } : {}) } };
}

/** The matching integrations; without a filter the list itself, so that a page costs only what it holds. */
function filtered(service: Service, user: User, query: Query): readonly StoredIntegration[] {
  const all = service.store.integrations;
  const status = query.get(BY_STATUS);
  const withErrors = booleanParameter(query, BY_ERRORS);
  if (status === undefined && withErrors === undefined) return all;
  return all.filter(
    (integration) =>
      (status === undefined || integration.attributes['status'] === status) &&
      (withErrors === undefined || visibleErrors(service, user, integration).length > 0 === withErrors),
  );
}
