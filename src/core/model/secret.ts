import type { Scalar } from './value.ts';

/** Stands in for a secret in a text. */
export const HIDDEN = '(secret)';

/**
 * A value that must not be shown: printing, logging and JSON show a
 * placeholder.
 */
class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  toJSON(): string {
    return HIDDEN;
  }

  toString(): string {
    return HIDDEN;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return HIDDEN;
  }

  /** The value of a secret; any other value as it is. */
  static open<U>(value: U | Secret<U>): U {
    return value instanceof Secret ? value.#value : value;
  }
}

export type { Secret };

/** Hides a value from everything but `reveal`. */
export function hide<T>(value: T): Secret<T> {
  return new Secret(value);
}

/** Whether a value is hidden. */
export function isHidden<T extends object | Scalar>(
  value: T | Secret<T>,
): value is Secret<T> {
  return value instanceof Secret;
}

/**
 * Opens a secret, for requests, comparison and masking alone: no report may
 * hold what it returns.
 */
export const reveal = Secret.open;

/** JSON for a request, in which secrets are open. */
export function encodeOpen(body: unknown): string {
  return JSON.stringify(
    body,
    function (
      this: Readonly<Record<string, unknown>>,
      key: string,
      value: unknown,
    ) {
      // `value` is what the secret shows of itself.
      const held = this[key];
      return held instanceof Secret ? reveal(held) : value;
    },
  );
}
