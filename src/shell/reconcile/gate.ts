/** Where the work on all servers waits until each has arrived or failed, so that one decision is made for all. */
export class Gate<T, Decision> {
  /** Pending until each server has arrived or failed. */
  readonly decision: Promise<Decision>;
  readonly #expected: number;
  readonly #decide: (arrived: readonly T[], missing: number) => Promise<Decision>;
  readonly #arrived: T[] = [];
  #missing = 0;
  #open: (decision: Promise<Decision>) => void = () => {};

  /** Calls `decide` once, with what has arrived and how many failed. */
  constructor(expected: number, decide: (arrived: readonly T[], missing: number) => Promise<Decision>) {
    this.#expected = expected;
    this.#decide = decide;
    this.decision = new Promise((resolve) => {
      this.#open = resolve;
    });
    this.#openWhenComplete();
  }

  /** Arrives, waits for the others, and returns the decision. */
  pass(one: T): Promise<Decision> {
    this.#arrived.push(one);
    this.#openWhenComplete();
    return this.decision;
  }

  /** Counts one that will not arrive. Changes nothing after the decision. */
  miss(): void {
    this.#missing += 1;
    this.#openWhenComplete();
  }

  #openWhenComplete(): void {
    if (this.#arrived.length + this.#missing === this.#expected)
      this.#open(this.#decide(this.#arrived, this.#missing));
  }
}
