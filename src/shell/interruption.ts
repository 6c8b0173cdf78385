import { setMaxListeners } from 'node:events';
import { type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { Failure, fail } from './failure.ts';
import type { Runtime, Signal } from './runtime.ts';

/** Milliseconds for which a run may log out once its time is up. */
const GRACE = 10_000;

/**
 * Ends a run from outside: by a signal, by its deadline, or by a defect that no
 * code waits for. The first signal stops reading at once; while changes are
 * written it only keeps new requests from starting. A second one stops
 * everything, and a third one is left to the system.
 */
export class Interruption {
  /** The first signal that came. */
  signal: Signal | undefined;
  /** The finding for the first signal, or for the end of the run's time. */
  ended: Diagnostic | undefined;
  /** Rejects on a defect, and if the run goes on long after its deadline. */
  readonly broken: Promise<never>;
  readonly #stop = new AbortController();
  readonly #now = new AbortController();
  /** Aborted when nothing new should begin. */
  readonly stopping = this.#stop.signal;
  /** Aborted when what is in flight should end as well. */
  readonly aborted = this.#now.signal;
  /** Confirms a signal if the run does not end at once. */
  readonly #log: (text: string) => void;
  readonly #disposals: (() => void)[];
  #giveUp: (thrown: unknown) => void = () => {};
  #writing = false;

  /** `deadline` is in seconds; `Infinity` never comes. */
  constructor(runtime: Runtime, deadline: number, log: (text: string) => void) {
    this.#log = log;
    // Every request that waits listens. Node would warn of more than ten.
    setMaxListeners(0, this.stopping, this.aborted);
    this.broken = new Promise((_, reject) => {
      this.#giveUp = reject;
    });
    this.broken.catch(() => {});
    const offSignal = runtime.onSignal((signal) => this.#receive(signal));
    const offDefect = runtime.onDefect((defect) => this.#break(defect));
    this.#disposals = [offSignal, offDefect];
    if (Number.isFinite(deadline)) {
      this.#after(deadline * 1000, () => this.#expire(deadline));
    }
  }

  /** Fails once nothing new should begin. */
  check(): void {
    if (this.ended !== undefined) fail(this.ended);
    // A defect aborts without a finding.
    this.stopping.throwIfAborted();
  }

  /** From here on, a first signal lets requests in flight end. */
  startWriting(): void {
    this.#writing = true;
  }

  dispose(): void {
    for (const dispose of this.#disposals) dispose();
  }

  #after(milliseconds: number, callback: () => void): void {
    const timer = setTimeout(callback, milliseconds);
    this.#disposals.push(() => clearTimeout(timer));
  }

  #break(defect: unknown): void {
    this.#giveUp(defect);
    this.#abort();
  }

  #expire(seconds: number): void {
    const expired = diagnostic('timeout', { of: 'run', seconds });
    this.ended ??= expired;
    this.#abort();
    this.#after(GRACE, () => this.#giveUp(new Failure([expired])));
  }

  #abort(): void {
    this.#stop.abort();
    this.#now.abort();
  }

  #receive(signal: Signal): void {
    const isFirst = this.signal === undefined;
    // A closed terminal shows in several ways; it is no second Ctrl-C.
    if (!isFirst && signal === 'SIGHUP') return;
    this.signal ??= signal;
    this.ended ??= diagnostic('interrupted', { signal });
    if (isFirst && this.#writing) {
      this.#stop.abort();
      this.#log('Interrupted: what is in flight ends, and nothing new begins.');
      this.#log('Interrupt again to stop at once.');
      return;
    }
    this.#abort();
    if (isFirst) return;
    this.#log('Interrupted again: stopping at once.');
    this.dispose();
  }
}
