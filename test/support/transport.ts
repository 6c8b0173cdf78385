import {
  Transport,
  type TransportOptions,
} from '../../src/shell/http/transport.ts';

/** A transport that only reads, eight requests side by side, and waits for nothing unless it is told how. */
export function newTransport(
  url: string,
  options: Partial<TransportOptions> = {},
): Transport {
  const { signal } = new AbortController();
  return new Transport({
    url: new URL(url),
    connections: 8,
    timeout: 20,
    env: {},
    mode: 'read',
    stopping: signal,
    aborted: signal,
    retries: { left: 20 },
    mask: (text) => text,
    log: () => {},
    ...{ now: Date.now, sleep: async () => {}, random: () => 0 },
    ...options,
  });
}
