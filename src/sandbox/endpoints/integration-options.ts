import type { Answer, Call, Service } from '../service.ts';
import { encodeLinkedOptions } from '../wire/dialect.ts';
import { requiredParameter } from '../wire/query.ts';

/** The query parameter by which a relationship of section 2.2 links to what belongs to one integration. */
export const BY_INTEGRATION = 'filter[integration.id]';

/** Section 2.2, the link of relationships.integration-options: the options of one integration; none where it is unknown. */
export function linkedOptions(service: Service, { user, query }: Call): Answer {
  const integration = service.store.find(requiredParameter(query, BY_INTEGRATION));
  const data = integration === undefined ? [] : encodeLinkedOptions(service, user, integration);
  return { status: 200, document: { data } };
}
