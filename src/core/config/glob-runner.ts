/** One step of a glob: it takes a character that passes, or any run of them, or goes on at one of several steps behind it. */
export type GlobStep =
  | { readonly kind: 'one'; readonly passes: (character: string) => boolean }
  | { readonly kind: 'run' }
  | { readonly kind: 'fork'; readonly to: readonly number[] };

/** A set of steps: one bit each. */
type Bits = Uint32Array;

/**
 * Follows all ways through the steps of a glob side by side, a bit for each: no character is looked at twice, so that no
 * glob and no text make it slow.
 */
export class GlobRunner {
  readonly #steps: readonly GlobStep[];
  readonly #words: number;
  readonly #start: Bits;
  readonly #runs: Bits;
  readonly #forks: Bits;
  /** For each step, all that are reached from it without a character. */
  readonly #reached: readonly Bits[];
  /** The steps that take a character. */
  readonly #takers = new Map<string, Bits>();

  constructor(steps: readonly GlobStep[]) {
    this.#steps = steps;
    this.#words = (steps.length >>> 5) + 1;
    this.#reached = this.#closures();
    this.#start = this.#reached[0] ?? this.#bits([0]);
    this.#runs = this.#bits(indexes(steps, ({ kind }) => kind === 'run'));
    this.#forks = this.#bits(indexes(steps, ({ kind }) => kind === 'fork'));
  }

  matches(text: string): boolean {
    const now = Uint32Array.from(this.#start);
    for (const character of text) {
      if (!this.#advance(now, this.#takersOf(character))) return false;
    }
    return has(now, this.#steps.length);
  }

  /** Goes on by one character; false once no way is left. */
  #advance(now: Bits, takers: Bits): boolean {
    let carry = 0;
    let left = 0;
    for (let word = 0; word < this.#words; word += 1) {
      const before = now[word] ?? 0;
      const running = before & (this.#runs[word] ?? 0);
      const taken = before & (takers[word] ?? 0);
      // Runs stay, and let the step behind them begin; what took the character goes one step on.
      const moved = running | taken;
      now[word] = running | (moved << 1) | carry;
      carry = moved >>> 31;
      left |= now[word] ?? 0;
    }
    this.#enterRuns(now);
    this.#enterForks(now);
    return left !== 0;
  }

  /** A run may be empty. Two never stand side by side. */
  #enterRuns(now: Bits): void {
    let carry = 0;
    for (let word = 0; word < this.#words; word += 1) {
      const running = (now[word] ?? 0) & (this.#runs[word] ?? 0);
      now[word] = (now[word] ?? 0) | (running << 1) | carry;
      carry = running >>> 31;
    }
  }

  #enterForks(now: Bits): void {
    for (let word = 0; word < this.#words; word += 1) {
      let ahead = (now[word] ?? 0) & (this.#forks[word] ?? 0);
      while (ahead !== 0) {
        const bit = 31 - Math.clz32(ahead);
        ahead &= ~(1 << bit);
        unite(now, this.#reached[word * 32 + bit]);
      }
    }
  }

  #takersOf(character: string): Bits {
    const known = this.#takers.get(character);
    if (known !== undefined) return known;
    const takers = this.#bits(indexes(this.#steps, (step) => step.kind === 'one' && step.passes(character)));
    this.#takers.set(character, takers);
    return takers;
  }

  /** For each step, those that are reached from it without a character, itself among them. All lie behind it. */
  #closures(): Bits[] {
    const reached: Bits[] = [];
    for (let at = this.#steps.length; at >= 0; at -= 1) {
      const step = this.#steps[at];
      const own = this.#bits([at]);
      const next = step?.kind === 'fork' ? step.to : step?.kind === 'run' ? [at + 1] : [];
      for (const each of next) unite(own, reached[each]);
      reached[at] = own;
    }
    return reached;
  }

  #bits(members: readonly number[]): Bits {
    const bits = new Uint32Array(this.#words);
    for (const at of members) bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
    return bits;
  }
}

function indexes(steps: readonly GlobStep[], wanted: (step: GlobStep) => boolean): number[] {
  return steps.flatMap((step, at) => (wanted(step) ? [at] : []));
}

function has(bits: Bits, at: number): boolean {
  return (((bits[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1;
}

function unite(bits: Bits, others: Bits | undefined): void {
  if (others === undefined) return;
  for (let word = 0; word < bits.length; word += 1) bits[word] = (bits[word] ?? 0) | (others[word] ?? 0);
}
