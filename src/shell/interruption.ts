import { setMaxListeners } from 'node:events';
import { type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { Failure, fail } from './failure.ts';
import type { Runtime } from './runtime.ts';

/** What ends a run from outside. */
type Signal = Parameters<Parameters<Runtime['onSignal']>[0]>[0];

/** Milliseconds that a run may take to end by itself once its time is up: what is in flight is aborted, and it logs out. */
const GRACE = 10_000;

/**
 * What ends a run from outside: Ctrl-C, SIGTERM and a closed terminal, its deadline, and a defect that no code waits for. The
 * first signal stops reading at once; while changes are written it only keeps new requests from starting. A second one stops
 * everything, and a third one is left to the system.
 */
export class Interruption {
  /** The first signal that came. */
  signal: Signal | undefined;
  /** The finding for the end of the run's time; undefined before. */
  expired: Diagnostic | undefined;
  /** Rejects when the run has to be given up: with a defect, or if it goes on long after its deadline. */
  readonly broken: Promise<never>;
  readonly #stop = new AbortController();
  readonly #now = new AbortController();
  readonly #force = new AbortController();
  /** Aborted when no new request should start. */
  readonly stopping = this.#stop.signal;
  /** Aborted when what is in flight should end as well. */
  readonly aborted = this.#now.signal;
  /** Aborted by a second signal: then nothing waits, and a logout only a moment. */
  readonly forced = this.#force.signal;
  /** Confirms a signal that does not end the run by itself at once. */
  readonly #log: (text: string) => void;
  readonly #disposals: (() => void)[];
  #giveUp: (thrown: unknown) => void = () => {};
  #writing = false;

  /** `deadline` is in seconds, without end if it is infinite. */
  constructor(runtime: Runtime, deadline: number, log: (text: string) => void) {
    this.#log = log;
    // Every request that waits listens; Node would warn on stderr that more than ten are a leak.
    setMaxListeners(0, this.stopping, this.aborted);
    this.broken = new Promise((_, reject) => {
      this.#giveUp = reject;
    });
    this.broken.catch(() => {});
    this.#disposals = [
      runtime.onSignal((signal) => this.#receive(signal)),
      runtime.onDefect((thrown) => {
        this.#giveUp(thrown);
        this.#abort();
      }),
    ];
    if (Number.isFinite(deadline))
      this.#after(deadline * 1000, () => this.#expire(deadline));
  }

  /** Fails once no new work should start. The finding of a signal takes the place of this one. */
  check(): void {
    if (this.stopping.aborted)
      fail(this.expired ?? diagnostic('not-confirmed', {}));
  }

  /** From here on a first signal lets requests in flight end. */
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

  #expire(seconds: number): void {
    const expired = diagnostic('timeout', { of: 'run', seconds });
    this.expired = expired;
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
    if (isFirst && this.#writing) {
      this.#stop.abort();
      this.#log('Interrupted: requests in flight end, and no new ones start.');
      this.#log('Interrupt again to stop at once.');
      return;
    }
    this.#abort();
    if (isFirst) return;
    this.#log('Interrupted again: stopping at once.');
    this.#force.abort();
    this.dispose();
  }
}
