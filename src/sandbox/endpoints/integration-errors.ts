import { createHash } from 'node:crypto';
import type { User } from '../access/users.ts';
import type { Answer, Call, Service } from '../service.ts';
import type { Integration } from '../state/integration.ts';
import { requiredParameter } from '../wire/query.ts';
import { refusal } from '../wire/refusal.ts';
import { encodeError, type Resource } from '../wire/resources.ts';
import { BY_INTEGRATION } from './integrations.ts';

/** Section 9: the version that answers about integration errors declare. */
const jsonapi = { version: '1.0' } as const;

/** Section 4.6, GET /api/integrations/errors: all errors, not paged. */
export function listErrors({ store }: Service): Answer {
  return { data: store.integrations.flatMap(errorsOf), jsonapi };
}

/** Section 2.2, the link of relationships.integration-errors: the errors of one integration; none if it is unknown. */
export function linkedErrors({ store }: Service, { query }: Call): Answer {
  return { data: errorsOf(store.find(requiredParameter(query, BY_INTEGRATION))), jsonapi };
}

/** Section 2.3, the link of an error to itself. */
export function readError({ store }: Service, { params }: Call): Answer {
  const data = errorsOf(store.find(params['id'] ?? '')).find(({ id }) => id === params['errorId']);
  if (data === undefined) throw refusal(404, 'There is no such integration error.');
  return { data, jsonapi };
}

function errorsOf(integration: Integration | undefined): Resource[] {
  return integration === undefined
    ? []
    : integration.errors.map((error) => encodeError(integration.id, error));
}

/** The integration with the error that a change raises: new the first time, then counted up. */
export function withRaisedError(
  { raiseErrors, now }: Service,
  integration: Integration,
  user: User,
): Integration {
  if (!raiseErrors) return integration;
  const [previous] = integration.errors;
  const id = createHash('sha256').update(integration.id).digest('hex').slice(0, 24);
  const affectedUser = { id: user.id, username: user.username };
  const raised = { id, count: (previous?.count ?? 0) + 1, lastSeen: now(), affectedUser };
  return { ...integration, errors: [raised] };
}
