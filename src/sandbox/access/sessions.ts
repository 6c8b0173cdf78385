import { randomBytes } from 'node:crypto';
import type { User } from './users.ts';

/** A token as a client receives it. */
export interface IssuedToken {
  readonly token: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** The valid tokens: until they expire, log out, or the process ends. */
export class Sessions {
  readonly #byToken = new Map<string, { readonly user: User; readonly expiresAt: number }>();
  readonly #now: () => number;
  readonly #lifetime: number;

  /** `now` returns milliseconds; a token lives for `lifetime` seconds. */
  constructor(now: () => number, lifetime: number) {
    this.#now = now;
    this.#lifetime = lifetime;
  }

  issue(user: User): IssuedToken {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = this.#seconds() + this.#lifetime;
    this.#byToken.set(token, { user, expiresAt });
    return { token, expiresAt };
  }

  /** The user of a token that is still valid. */
  userOf(token: string): User | undefined {
    const session = this.#byToken.get(token);
    return session !== undefined && session.expiresAt > this.#seconds() ? session.user : undefined;
  }

  revoke(token: string): void {
    this.#byToken.delete(token);
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000);
  }
}
