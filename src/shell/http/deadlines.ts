/** Milliseconds after which deadlines are looked at again. */
const TICK = 50;

/** A request in flight. */
interface Flight {
  /** When its time is over, as `performance.now()` counts. */
  readonly end: number;
  readonly aborted: AbortSignal;
  readonly stop: () => void;
}

/**
 * Stops requests whose time is over. One clock serves all of them, also those that undici does not end, as in a silent
 * handshake. It runs only as long as there are some.
 */
export class Deadlines {
  readonly #flights = new Set<Flight>();
  #clock: NodeJS.Timeout | undefined;

  add(flight: Flight): void {
    this.#flights.add(flight);
    this.#clock ??= setInterval(() => this.#tick(), TICK);
  }

  delete(flight: Flight): void {
    this.#flights.delete(flight);
  }

  #tick(): void {
    const now = performance.now();
    for (const flight of this.#flights)
      if (flight.aborted.aborted || now > flight.end) {
        this.#flights.delete(flight);
        flight.stop();
      }
    if (this.#flights.size > 0) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
  }
}
