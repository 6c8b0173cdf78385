import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request and the status that it was answered with. */
export interface Exchange {
  readonly method: string;
  /** The path with its query, as it came. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** The parsed body of the request, for tests; it may hold secrets and belongs in no log. */
  readonly body?: unknown;
}

/** Follows requests from their arrival, and tells of each exactly once. */
export interface ExchangeWatch {
  arrived(incoming: IncomingMessage, outgoing: ServerResponse): void;
  answered(incoming: IncomingMessage, status: number, body: unknown): void;
}

/**
 * Tells `onExchange` of each request before its answer can reach the client, so that tests need not wait; where the
 * request never came as far as an endpoint, when the answer was sent. `now` is in milliseconds.
 */
export function watchExchanges(now: () => number, onExchange: (exchange: Exchange) => void): ExchangeWatch {
  const startedAt = new WeakMap<IncomingMessage, number>();
  const answered = (incoming: IncomingMessage, status: number, body: unknown) => {
    const started = startedAt.get(incoming);
    if (started === undefined) return;
    startedAt.delete(incoming);
    const { method = '', url = '' } = incoming;
    onExchange({
      method,
      path: url,
      status,
      durationMs: now() - started,
      ...(body === undefined ? {} : { body }),
    });
  };
  return {
    answered,
    arrived(incoming, outgoing) {
      startedAt.set(incoming, now());
      outgoing.once('finish', () => answered(incoming, outgoing.statusCode, undefined));
    },
  };
}
