import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request and the status of its answer. */
export interface Exchange {
  readonly method: string;
  /** The path with its query, as the client sent it. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** The parsed body of the request, for tests; it may hold secrets, so no log may show it. */
  readonly body: unknown;
}

/**
 * Calls `onExchange` once a request, before the answer can reach the client, so that tests need not wait; where no endpoint
 * was reached, once the answer was sent. `now` returns milliseconds.
 */
export function watchExchanges(now: () => number, onExchange: (exchange: Exchange) => void) {
  const startedAt = new WeakMap<IncomingMessage, number>();
  const answered = (incoming: IncomingMessage, status: number, body: unknown) => {
    const started = startedAt.get(incoming);
    if (started === undefined) return;
    startedAt.delete(incoming);
    const { method = '', url = '' } = incoming;
    onExchange({ method, path: url, status, durationMs: now() - started, body });
  };
  return {
    answered,
    arrived(incoming: IncomingMessage, outgoing: ServerResponse) {
      startedAt.set(incoming, now());
      outgoing.once('finish', () => answered(incoming, outgoing.statusCode, undefined));
    },
  };
}
