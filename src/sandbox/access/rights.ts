import { globMatcher } from '../glob.ts';
import type { SandboxSettings } from '../settings.ts';
import type { User } from './accounts.ts';

/** Who may do what: section 5 of the API document, and the settings where it leaves that open. */
export interface Rights {
  mayRead(user: User): boolean;
  /** Whether the user may see integration errors and change integrations at all. */
  mayManage(user: User): boolean;
  /** Whether the user may do so for that integration. */
  mayManageIntegration(user: User, integrationId: string): boolean;
  /** Whether the user is served options that are hidden from users. */
  seesHiddenOptions(user: User): boolean;
}

/** The rights that the settings give. */
export function createRights(settings: SandboxSettings): Rights {
  const inScope = globMatcher(settings.managerScope);
  const mayManage = (user: User) => user.role !== 'user';
  return {
    mayManage,
    mayRead: (user) => settings.readers === 'everyone' || mayManage(user),
    mayManageIntegration: (user, id) => user.role === 'administrator' || (mayManage(user) && inScope(id)),
    seesHiddenOptions: (user) => settings.hiddenOptions === 'served' || mayManage(user),
  };
}
