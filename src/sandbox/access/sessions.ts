import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { User } from './accounts.ts';

/** A token as a client gets it. */
export interface IssuedToken {
  readonly token: string;
  /** Seconds since 1970 from which the token is no longer valid. */
  readonly expiresAt: number;
}

/** Who sends a request. */
export interface Session {
  readonly user: User;
}

interface StoredSession extends Session {
  readonly digest: Buffer;
  readonly expiresAt: number;
}

/** How many tokens are valid at once; beyond it the oldest one ends. */
const CAPACITY = 10_000;

/**
 * The valid tokens. They have the form of a JWT, as those of real servers, but are valid only while they stand here: until
 * they expire, are logged out or the process ends. Only their digests are kept, and compared in constant time.
 */
export class Sessions {
  readonly #key = randomBytes(32);
  readonly #byDigest = new Map<string, StoredSession>();
  readonly #now: () => number;
  readonly #lifetime: number;

  /** `now` in milliseconds, `lifetime` of a token in seconds. */
  constructor(now: () => number, lifetime: number) {
    this.#now = now;
    this.#lifetime = lifetime;
  }

  issue(user: User): IssuedToken {
    this.#dropExpired();
    const issuedAt = this.#seconds();
    const expiresAt = issuedAt + this.#lifetime;
    const token = this.#sign({
      sub: user.id,
      iat: issuedAt,
      exp: expiresAt,
      jti: randomBytes(16).toString('hex'),
    });
    const digest = digestOf(token);
    this.#byDigest.set(digest.toString('hex'), { user, digest, expiresAt });
    return { token, expiresAt };
  }

  /** The session of a token; undefined where it is unknown, expired or logged out. */
  find(token: string): Session | undefined {
    const digest = digestOf(token);
    const session = this.#byDigest.get(digest.toString('hex'));
    if (session === undefined || !timingSafeEqual(session.digest, digest)) return undefined;
    return session.expiresAt > this.#seconds() ? session : undefined;
  }

  /** Ends the validity of a token. */
  revoke(token: string): void {
    this.#byDigest.delete(digestOf(token).toString('hex'));
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000);
  }

  /** Tokens are issued in the order in which they expire, so the first one that is still good ends the search. */
  #dropExpired(): void {
    for (const [key, session] of this.#byDigest) {
      if (session.expiresAt > this.#seconds() && this.#byDigest.size < CAPACITY) return;
      this.#byDigest.delete(key);
    }
  }

  #sign(claims: object): string {
    const content = [{ alg: 'HS256', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${content}.${createHmac('sha256', this.#key).update(content).digest('base64url')}`;
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
