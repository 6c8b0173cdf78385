import { reveal, type Secret } from '../core/model/secret.ts';
import { type Mask, masker } from '../core/report/mask.ts';

/** The secrets that a run was given, and what keeps them out of all that it writes. */
export class KnownSecrets {
  readonly #texts = new Set<string>();
  readonly #onGiven: (text: string) => void;
  #mask: Mask | undefined;

  /** `onGiven` is called once for each secret, before anything is written. */
  constructor(onGiven: (text: string) => void) {
    this.#onGiven = onGiven;
  }

  get mask(): Mask {
    this.#mask ??= masker(this.#texts);
    return this.#mask;
  }

  /** Adds a secret of the environment, a file or a login. */
  given(secret: Secret<string>): void {
    const text = reveal(secret);
    if (text === '' || this.#texts.has(text)) return;
    this.#texts.add(text);
    this.#mask = undefined;
    this.#onGiven(text);
  }
}
