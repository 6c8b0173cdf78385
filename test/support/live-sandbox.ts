import { onTestFinished } from 'vitest';
import type { Exchange, SandboxOptions } from '../../src/sandbox/service.ts';
import { type Dialect, startDialect } from './dialects.ts';

/** A sandbox by the real clock that a client talks to; it ends with the test. */
export interface LiveSandbox {
  readonly url: string;
  /** All requests that it answered, in order. */
  readonly exchanges: Exchange[];
  /** Methods and paths of the requests since the last call, without the query; in the order of their answers. */
  readonly seen: () => string[];
}

export interface LiveWish extends Partial<Omit<SandboxOptions, 'settings'>> {
  readonly settings?: Dialect;
}

/** Starts a sandbox for one test. */
export async function liveSandbox({ settings, ...wish }: LiveWish = {}): Promise<LiveSandbox> {
  const exchanges: Exchange[] = [];
  const onExchange = (exchange: Exchange) => exchanges.push(exchange);
  const running = await startDialect({ onExchange, ...wish }, settings);
  onTestFinished(() => running.close());
  const mark = { at: 0 };
  return {
    url: running.url,
    exchanges,
    seen: () => {
      const since = exchanges.slice(mark.at);
      mark.at = exchanges.length;
      return since.map(({ method, path }) => `${method} ${path.replace(/\?.*$/, '')}`);
    },
  };
}
