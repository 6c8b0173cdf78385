/** The three permissions that an option can be given. The fourth pair of flags has no name here, so it cannot be asked for. */
export type Permission = 'lock-and-hide' | 'lock-and-show' | 'user-provides';

/** The two flags that the service stores for an option. */
export interface PermissionFlags {
  readonly adminOnly: boolean;
  readonly userCanEdit: boolean;
}

/** What a server was seen to hold: a permission, the pair that has no meaning, or flags that it did not tell. */
export type LivePermission = Permission | 'invalid' | 'unknown';

const FLAGS: Record<Permission, PermissionFlags> = {
  'lock-and-hide': { adminOnly: true, userCanEdit: false },
  'lock-and-show': { adminOnly: false, userCanEdit: false },
  'user-provides': { adminOnly: false, userCanEdit: true },
};

const EFFECT: Record<LivePermission, string> = {
  'lock-and-hide': 'set for all, hidden from users',
  'lock-and-show': 'set for all, users see it',
  'user-provides': 'each user sets it',
  invalid: 'flags that contradict each other',
  unknown: 'not shown by the server',
};

/** What a permission comes to for users, in words. */
export function effectOf(permission: LivePermission): string {
  return EFFECT[permission];
}

/** Whether a text is the word of a permission. */
export function isPermission(text: string): text is Permission {
  return Object.hasOwn(FLAGS, text);
}

/** The flags to send for a permission. Both always go together. */
export function flagsOf(permission: Permission): PermissionFlags {
  return FLAGS[permission];
}

/** The permission that a pair of flags means; `invalid` for the pair true/true, `unknown` where a flag is missing. */
export function permissionOf(
  adminOnly: boolean | undefined,
  userCanEdit: boolean | undefined,
): LivePermission {
  if (adminOnly === undefined || userCanEdit === undefined) return 'unknown';
  if (adminOnly) return userCanEdit ? 'invalid' : 'lock-and-hide';
  return userCanEdit ? 'user-provides' : 'lock-and-show';
}
