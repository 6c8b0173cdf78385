import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A service that answers only when the test lets it, so that what runs side by side can be counted. */
export interface AnswerGate {
  readonly url: string;
  /** How many requests wait for their answer. */
  readonly waiting: () => number;
  /** Resolves as soon as so many wait. */
  readonly until: (count: number) => Promise<void>;
  /** Answers all that wait, or so many that have waited longest. */
  readonly answer: (
    status: number,
    headers?: Readonly<Record<string, string | string[]>>,
    count?: number,
  ) => void;
  /** Resolves when a request of the test's own has come back: what was sent before it has arrived. */
  readonly settle: () => Promise<void>;
}

/** Starts one that ends with the test; `onArrival` is told how many wait, the new one included. */
export async function answerGate(onArrival: (waiting: number) => void = () => {}): Promise<AnswerGate> {
  const waiting: ServerResponse[] = [];
  const watchers = new Set<() => void>();
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/settle') return void outgoing.end();
    waiting.push(outgoing);
    onArrival(waiting.length);
    for (const watch of watchers) watch();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    waiting: () => waiting.length,
    until: (count) =>
      new Promise((resolve) => {
        const watch = () => {
          if (waiting.length < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
    answer: (status, headers = {}, count = waiting.length) => {
      const type = { 'content-type': 'application/vnd.api+json' };
      for (const outgoing of waiting.splice(0, count))
        outgoing.writeHead(status, { ...type, ...headers }).end('{}');
    },
    settle: async () => {
      for (const _ of [1, 2, 3]) {
        const request = get(`${url}/settle`, { agent: false });
        const [answer] = await once(request, 'response');
        answer.resume();
        await once(answer, 'end');
      }
    },
  };
}
