import { randomBytes } from 'node:crypto';
import type { User } from './users.ts';

/** A token as a client receives it. */
export interface IssuedToken {
  readonly token: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

export type Sessions = ReturnType<typeof createSessions>;

/** The valid tokens: until they expire, log out, or the process ends. They live for `lifetime` seconds. */
export function createSessions(now: () => number, lifetime: number) {
  const byToken = new Map<string, { readonly user: User; readonly expiresAt: number }>();
  const seconds = () => Math.floor(now() / 1000);
  return {
    issue(user: User): IssuedToken {
      const session = { token: randomBytes(32).toString('base64url'), expiresAt: seconds() + lifetime };
      byToken.set(session.token, { user, expiresAt: session.expiresAt });
      return session;
    },
    userOf(token: string): User | undefined {
      const session = byToken.get(token);
      return session !== undefined && session.expiresAt > seconds() ? session.user : undefined;
    },
    revoke: (token: string) => void byToken.delete(token),
  };
}
