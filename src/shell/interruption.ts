import type { Runtime, Signal } from './runtime.ts';

/**
 * Ctrl-C and SIGTERM during a run. The first signal stops reading at once; while changes are written it only lets nothing
 * new start. A second one stops everything.
 */
export class Interruption {
  /** The first signal that came. */
  signal: Signal | undefined;
  readonly #stop = new AbortController();
  readonly #now = new AbortController();
  #writing = false;
  readonly #unlisten: () => void;

  constructor(runtime: Runtime) {
    this.#unlisten = runtime.onSignal((signal) => this.#receive(signal));
  }

  /** Aborted when nothing new should start. */
  get stopping(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborted when what is in flight should end as well. */
  get aborted(): AbortSignal {
    return this.#now.signal;
  }

  /** From here on a first signal lets requests in flight end. */
  startWriting(): void {
    this.#writing = true;
  }

  /** Ends the run as well when its time is up. */
  expire(): void {
    this.#stop.abort();
    this.#now.abort();
  }

  dispose(): void {
    this.#unlisten();
  }

  #receive(signal: Signal): void {
    const isFirst = this.signal === undefined;
    this.signal ??= signal;
    this.#stop.abort();
    if (!isFirst || !this.#writing) this.#now.abort();
  }
}
