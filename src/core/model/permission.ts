import type { configSchema } from '../../generated/config-schema.ts';
import { flagOf } from './json.ts';

type InSchema = NonNullable<
  (typeof configSchema.definitions.permission.enum)[number]
>;

/**
 * The permissions, each with the flags to send for it, always both, and its
 * effect on users. No name has the fourth pair, so YAML cannot ask for it.
 */
export const PERMISSIONS = {
  'lock-and-hide': {
    flags: { adminOnly: true, userCanEdit: false },
    effect: 'set for all, hidden from users',
  },
  'lock-and-show': {
    flags: { adminOnly: false, userCanEdit: false },
    effect: 'set for all, users see it',
  },
  'user-provides': {
    flags: { adminOnly: false, userCanEdit: true },
    effect: 'each user sets their own',
  },
} as const satisfies Record<InSchema, { flags: object; effect: string }>;

/** One of the three permissions that a configuration can ask for. */
export type Permission = keyof typeof PERMISSIONS;

/**
 * The permission on a server: one of the three, the pair of flags without a
 * meaning, or flags that it did not send.
 */
export type LivePermission = Permission | 'invalid' | 'unknown';

/** Whether a text is the word of a permission. */
export function isPermission(value: unknown): value is Permission {
  return typeof value === 'string' && Object.hasOwn(PERMISSIONS, value);
}

/**
 * The permission that a pair of flags means; `invalid` for the pair true/true,
 * `unknown` where a flag is missing.
 */
export function permissionOf(
  adminOnly: unknown,
  userCanEdit: unknown,
): LivePermission {
  const [isLocked, isTheirs] = [flagOf(adminOnly), flagOf(userCanEdit)];
  if (isLocked === undefined || isTheirs === undefined) return 'unknown';
  if (isLocked) return isTheirs ? 'invalid' : 'lock-and-hide';
  return isTheirs ? 'user-provides' : 'lock-and-show';
}
