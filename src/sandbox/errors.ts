import { createHash } from 'node:crypto';
import { integrationParameter, refusal } from './refusal.ts';
import type { Route, Service, User } from './service.ts';
import type { Integration } from './state.ts';

/** Section 9: the version that answers about integration errors declare. */
const jsonapi = { version: '1.0' } as const;

/** Section 4.6 and the links to errors. The list is not paged. */
export const ERROR_ROUTES: readonly Route[] = [
  {
    ...{ method: 'GET', path: '/api/integrations/errors', access: 'manager' },
    run: ({ store }) => ({ data: store.integrations.flatMap(errorsOf), jsonapi }),
  },
  {
    ...{ method: 'GET', path: '/api/integration-errors', access: 'manager' },
    run: ({ store }, { query }) => ({ data: errorsOf(store.find(integrationParameter(query))), jsonapi }),
  },
  {
    ...{ method: 'GET', path: '/api/integration/:id/errors/:errorId', access: 'manager' },
    run: ({ store }, { params }) => {
      const data = errorsOf(store.find(params['id'] ?? '')).find(({ id }) => id === params['errorId']);
      if (data === undefined) throw refusal(404, 'There is no such integration error.');
      return { data, jsonapi };
    },
  },
];

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

/** The errors of an integration, none if it is unknown: section 2.3. */
function errorsOf(integration: Integration | undefined) {
  const integrationId = integration?.id ?? '';
  const path = `/api/integration/${encodeURIComponent(integrationId)}/errors`;
  return (integration?.errors ?? []).map(({ id, count, lastSeen, affectedUser }) => ({
    type: 'integration-errors',
    id,
    attributes: {
      code: 'lookup-failed',
      title: 'Lookup failed',
      detail: 'The first lookup after a change of the configuration was refused by the remote service.',
      'error-count': count,
      'integration-id': integrationId,
      meta: { response: { status: 401 }, affected_users: { [affectedUser.id]: affectedUser } },
      'occurred-on': new Date(lastSeen).toISOString().replace('T', ' ').replace('Z', '000Z'),
      status: 401,
    },
    links: { self: `${path}/${encodeURIComponent(id)}` },
    relationships: { integration: { data: { type: 'integrations', id: integrationId } } },
  }));
}
