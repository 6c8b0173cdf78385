import type { Scalar } from './value.ts';

const HIDDEN = '[secret]';

/** A value that must not be shown: printed, logged or written as JSON it is a placeholder. */
class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value in another form, as secret as before. */
  map<U>(change: (value: T) => U): Secret<U> {
    return new Secret(change(this.#value));
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

  /** The value of a secret, or a value that is none as it is. */
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
export function isHidden<T extends object | Scalar>(value: T | Secret<T>): value is Secret<T> {
  return value instanceof Secret;
}

/**
 * Opens a secret; a value that is none is returned as it is. For the encoder of requests, for fingerprints, comparison and
 * scrubbing alone: whatever is revealed must not reach a report.
 */
export const reveal = Secret.open;
