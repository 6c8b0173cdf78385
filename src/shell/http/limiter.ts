/** Successes in a row after which one more request may run side by side again. */
const RECOVERY = 10;

/** Bounds how many requests run side by side: half as many after each refusal for haste, slowly back to all. */
export class Limiter {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #running = 0;
  #successes = 0;

  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  /** How many may run side by side at present. */
  get limit(): number {
    return this.#limit;
  }

  /** Runs a task as soon as there is room for it. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    while (this.#running >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await task();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** The server asked for less. */
  slowDown(): void {
    this.#successes = 0;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }

  /** The server answered well. */
  succeeded(): void {
    this.#successes += 1;
    if (this.#successes < RECOVERY || this.#limit >= this.#most) return;
    this.#successes = 0;
    this.#limit += 1;
    this.#waiting.shift()?.();
  }
}
