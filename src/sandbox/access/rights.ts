import { globMatcher } from '../glob.ts';
import type { SandboxSettings } from '../settings.ts';
import type { User } from './accounts.ts';

/** Who may do what. */
export type Rights = ReturnType<typeof createRights>;

/** Section 5 of the API document, and the settings where it leaves the answer open. */
export function createRights(settings: SandboxSettings) {
  const inScope = globMatcher(settings.managerScope);
  const mayManage = (user: User) => user.role !== 'user';
  return {
    /** Whether the user may see errors of integrations and change integrations at all. */
    mayManage,
    mayRead: (user: User) => settings.readers === 'everyone' || mayManage(user),
    mayManageIntegration: (user: User, id: string) =>
      user.role === 'administrator' || (mayManage(user) && inScope(id)),
    seesHiddenOptions: (user: User) => settings.hiddenOptions === 'served' || mayManage(user),
  };
}
