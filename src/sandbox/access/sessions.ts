import { randomBytes } from 'node:crypto';
import type { User } from './accounts.ts';

/** A token as a client receives it. */
export interface IssuedToken {
  readonly token: string;
  /** Seconds since 1970 from which the token is no longer valid. */
  readonly expiresAt: number;
}

interface Session {
  readonly user: User;
  readonly expiresAt: number;
}

/** How many tokens are valid at once; one more ends the oldest. */
const CAPACITY = 10_000;

/**
 * The valid tokens. They look like the JWTs of real servers, but only this table makes them valid: until they expire, log
 * out, or the process ends.
 */
export class Sessions {
  readonly #byToken = new Map<string, Session>();
  readonly #now: () => number;
  readonly #lifetime: number;

  /** `now` returns milliseconds; a token lives for `lifetime` seconds. */
  constructor(now: () => number, lifetime: number) {
    this.#now = now;
    this.#lifetime = lifetime;
  }

  issue(user: User): IssuedToken {
    this.#dropExpired();
    const issuedAt = this.#seconds();
    const expiresAt = issuedAt + this.#lifetime;
    const token = tokenOf({ sub: user.id, iat: issuedAt, exp: expiresAt });
    this.#byToken.set(token, { user, expiresAt });
    return { token, expiresAt };
  }

  /** The user of a token; undefined where it is unknown, expired or logged out. */
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

  /** Tokens expire in the order of their issue, so the first valid one ends the search. */
  #dropExpired(): void {
    for (const [token, { expiresAt }] of this.#byToken) {
      if (expiresAt > this.#seconds() && this.#byToken.size < CAPACITY) return;
      this.#byToken.delete(token);
    }
  }
}

/** Random bytes take the place of the signature and make the token unguessable. */
function tokenOf(claims: object): string {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) => Buffer.from(JSON.stringify(part)));
  return [...parts, randomBytes(32)].map((part) => part.toString('base64url')).join('.');
}
