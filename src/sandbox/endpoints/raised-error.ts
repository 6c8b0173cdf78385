import { createHash } from 'node:crypto';
import type { User } from '../access/accounts.ts';
import type { Service } from '../service.ts';
import type { IntegrationChange, StoredError, StoredIntegration } from '../state/integration-state.ts';

const CODE = 'lookup-failed';

/** The errors of an integration after a change, where the change raises one: new the first time, then counted up. */
export function raisedErrors(
  { raisesErrors, now }: Service,
  { id, errors }: StoredIntegration,
  user: User,
): Pick<IntegrationChange, 'errors'> {
  if (!raisesErrors(id)) return {};
  const previous = errors.find(({ code }) => code === CODE);
  const raised: StoredError = {
    id: previous?.id ?? createHash('sha256').update(`${id} ${CODE}`).digest('hex').slice(0, 24),
    code: CODE,
    title: 'Lookup failed',
    detail: 'The first lookup after a change of the configuration was refused by the remote service.',
    status: 401,
    count: (previous?.count ?? 0) + 1,
    lastSeen: now(),
    affectedUsers: [{ id: user.id, username: user.username }],
  };
  return { errors: [raised, ...errors.filter((error) => error !== previous)] };
}
