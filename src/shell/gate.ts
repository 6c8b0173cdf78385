/** Where the work on all servers waits until each one has arrived or failed, so that one decision is made for all. */
export class Gate<T> {
  readonly #expected: number;
  readonly #decide: (arrived: readonly T[], missing: number) => Promise<boolean>;
  readonly #arrived: T[] = [];
  #missing = 0;
  #open: (decision: Promise<boolean>) => void = () => {};
  readonly #decision = new Promise<boolean>((resolve) => {
    this.#open = resolve;
  });

  /** `decide` is asked once, with what has arrived and how many failed. */
  constructor(expected: number, decide: (arrived: readonly T[], missing: number) => Promise<boolean>) {
    this.#expected = expected;
    this.#decide = decide;
  }

  /** Arrives, waits for the others, and returns the decision. */
  pass(one: T): Promise<boolean> {
    this.#arrived.push(one);
    this.#openWhenComplete();
    return this.#decision;
  }

  /** Says that one will not arrive. */
  miss(): void {
    this.#missing += 1;
    this.#openWhenComplete();
  }

  #openWhenComplete(): void {
    if (this.#arrived.length + this.#missing === this.#expected)
      this.#open(this.#decide(this.#arrived, this.#missing));
  }
}
