import type { User } from '../access/accounts.ts';
import type { Service } from '../service.ts';
import { refusal } from '../wire/refusal.ts';

/** Lets through who manages that integration; the role alone may be limited to some integrations: 403 otherwise. */
export function requireManaged({ rights }: Service, user: User, integrationId: string): void {
  if (!rights.mayManageIntegration(user, integrationId))
    throw refusal(403, 'You do not manage this integration.');
}
