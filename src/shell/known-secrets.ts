import { reveal, type Secret } from '../core/model/secret.ts';
import { type Mask, masker } from '../core/report/mask.ts';
import { type Scrubber, scrubber } from '../core/scrub/scrubber.ts';

/** The secrets that a run knows by now, and what keeps them out of all that it writes. */
export class KnownSecrets {
  readonly #texts = new Set<string>();
  readonly #onGiven: (text: string) => void;
  #scrubber: Scrubber | undefined;
  #mask: Mask | undefined;

  /** `onGiven` is called once for each secret that the run was given, before anything is written. */
  constructor(onGiven: (text: string) => void) {
    this.#onGiven = onGiven;
  }

  /** All of them. */
  get texts(): readonly string[] {
    return [...this.#texts];
  }

  get scrubber(): Scrubber {
    this.#scrubber ??= scrubber(this.#texts);
    return this.#scrubber;
  }

  get mask(): Mask {
    this.#mask ??= masker(this.#texts);
    return this.#mask;
  }

  /** Adds a secret of the environment, a file or a login. */
  given(secret: Secret<string>): void {
    const text = reveal(secret);
    if (this.#add(text)) this.#onGiven(text);
  }

  /** Adds secrets that a server shows or is to hold. */
  seen(texts: readonly string[]): void {
    for (const text of texts) this.#add(text);
  }

  #add(text: string): boolean {
    if (text === '' || this.#texts.has(text)) return false;
    this.#texts.add(text);
    this.#scrubber = undefined;
    this.#mask = undefined;
    return true;
  }
}
