import type { LivePermission, Permission } from '../model/permission.ts';

/** The permission that is asked for, that of the server, and whether flags are written that the server does not show. */
interface Flags {
  readonly asked: Permission | undefined;
  readonly live: LivePermission;
  readonly writesUnknown: boolean;
}

/** Whether a permission is asked for that cannot be compared, so that it is not written. */
export function isUntold({ asked, live, writesUnknown }: Flags): boolean {
  return asked !== undefined && live === 'unknown' && !writesUnknown;
}

/**
 * The permission that counts for the risks of a value: undefined where the permission changes too, since then that change
 * carries them. Where nobody can tell, it is taken to be as asked for.
 */
export function valuePermission(flags: Flags): LivePermission | undefined {
  const { asked, live } = flags;
  if (isUntold(flags)) return asked;
  return asked === undefined || asked === live ? live : undefined;
}
