import { fullPace, type Pace, recovered, slower } from '../../core/pacing/retry.ts';

/** What keeps the time of a run. */
export interface Clock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, aborted: AbortSignal) => Promise<void>;
}

/** Bounds how many requests run side by side, and lets none start before the time that the server has named. */
export class Limiter {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #pace: Pace;
  #running = 0;
  #heldUntil = 0;

  constructor(most: number, clock: Clock) {
    this.#pace = fullPace(most);
    this.#clock = clock;
  }

  /** Whether nothing may start yet. */
  get isHeld(): boolean {
    return this.#heldUntil > this.#clock.now();
  }

  /** Runs a task once there is room for it and nothing is held back; `slowed` is how often the pace was halved by then. */
  async run<T>(task: (slowed: number) => Promise<T>, aborted: AbortSignal): Promise<T> {
    while (this.#running >= this.#pace.limit)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      await this.#untilHeld(aborted);
      return await task(this.#pace.slowed);
    } finally {
      this.#running -= 1;
      this.#letIn();
    }
  }

  /** Lets nothing start for some milliseconds from now. */
  hold(milliseconds: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + milliseconds);
  }

  /** Halves the pace, once for requests that ran side by side. */
  slowDown(slowed: number): void {
    this.#pace = slower(this.#pace, slowed);
  }

  /** Counts a good answer. */
  succeed(): void {
    this.#pace = recovered(this.#pace);
    this.#letIn();
  }

  /** Waits for each end once: a clock that does not move must not stop a run. */
  async #untilHeld(aborted: AbortSignal, waitedFor = 0): Promise<void> {
    const end = this.#heldUntil;
    const wait = end - this.#clock.now();
    if (end <= waitedFor || wait <= 0 || aborted.aborted) return;
    await this.#clock.sleep(wait, aborted);
    await this.#untilHeld(aborted, end);
  }

  #letIn(): void {
    const room = Math.max(0, this.#pace.limit - this.#running);
    for (const enter of this.#waiting.splice(0, room)) enter();
  }
}
