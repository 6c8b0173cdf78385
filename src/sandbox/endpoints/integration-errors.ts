import type { Answer, Call, Service } from '../service.ts';
import type { StoredIntegration } from '../state/integration-state.ts';
import { visibleErrors } from '../wire/dialect.ts';
import { requiredParameter } from '../wire/query.ts';
import { refusal } from '../wire/refusal.ts';
import { encodeError, type ResourceObject } from '../wire/resources.ts';
import { BY_INTEGRATION, requireManaged } from './integrations.ts';

/** Section 4.6, GET /api/integrations/errors: all errors of the integrations that this user manages, not paged. */
export function listErrors(service: Service, call: Call): Answer {
  return errorsAnswer(
    service.store.integrations.flatMap((integration) => encodeErrors(service, call, integration)),
  );
}

/** Section 2.2, the link of relationships.integration-errors: the errors of one integration; none where it is unknown. */
export function linkedErrors(service: Service, call: Call): Answer {
  return errorsAnswer(errorsOf(service, call, requiredParameter(call.query, BY_INTEGRATION)));
}

/** Section 2.3, the link of an error to itself. */
export function readError(service: Service, call: Call): Answer {
  const error = errorsOf(service, call, call.params['id'] ?? '').find(
    ({ id }) => id === call.params['errorId'],
  );
  if (error === undefined) throw refusal(404, 'There is no such integration error.');
  return { status: 200, document: { data: error, jsonapi: JSONAPI } };
}

/** Section 9: the version that answers about integration errors declare. */
const JSONAPI = { version: '1.0' } as const;

/** The errors of one integration, which the user must manage; none where it is unknown. */
function errorsOf(service: Service, call: Call, id: string): ResourceObject[] {
  const integration = service.store.find(id);
  if (integration === undefined) return [];
  requireManaged(service, call.user, id);
  return encodeErrors(service, call, integration);
}

function encodeErrors(service: Service, { user }: Call, integration: StoredIntegration): ResourceObject[] {
  return visibleErrors(service, user, integration).map((error) => encodeError(integration.id, error));
}

function errorsAnswer(data: readonly ResourceObject[]): Answer {
  return { status: 200, document: { data, jsonapi: JSONAPI } };
}
