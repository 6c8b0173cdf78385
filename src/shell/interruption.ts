import { setMaxListeners } from 'node:events';
import type { Runtime, Signal } from './runtime.ts';

/**
 * Ctrl-C and SIGTERM during a run. The first signal stops reading at once; while changes are written it only keeps
 * new requests from starting. A second one stops everything, and a third one is left to the system.
 */
export class Interruption {
  /** The first signal that came. */
  signal: Signal | undefined;
  readonly #stop = new AbortController();
  readonly #now = new AbortController();
  readonly #force = new AbortController();
  readonly #onHeld: () => void;
  readonly #unlisten: () => void;
  #writing = false;

  /** `onHeld` is called when a signal waits for requests in flight to end. */
  constructor(runtime: Runtime, onHeld: () => void) {
    this.#onHeld = onHeld;
    // Every request that waits listens; Node would warn on stderr that more than ten are a leak.
    setMaxListeners(0, this.stopping, this.aborted);
    this.#unlisten = runtime.onSignal((signal) => this.#receive(signal));
  }

  /** Aborted when no new request should start. */
  get stopping(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborted when what is in flight should end as well. */
  get aborted(): AbortSignal {
    return this.#now.signal;
  }

  /** Aborted by a second signal: then nothing waits, and a logout only a moment. */
  get forced(): AbortSignal {
    return this.#force.signal;
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
    if (isFirst && this.#writing) {
      this.#onHeld();
      return;
    }
    this.#now.abort();
    if (isFirst) return;
    this.#force.abort();
    this.#unlisten();
  }
}
