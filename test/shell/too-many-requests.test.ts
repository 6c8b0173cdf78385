import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ExchangeError } from '../../src/shell/http/exchange.ts';
import { DESIRED } from '../support/desired.ts';
import { JSON_API } from '../support/faults.ts';
import { faultyServer } from '../support/faulty-apply.ts';
import { yamlOf } from '../support/fleet.ts';
import { outcomesOf } from '../support/report.ts';
import { newTransport } from '../support/transport.ts';

/** Many reads of a service at once, eight side by side. */
function reads(
  { url }: { readonly url: string },
  clock: Partial<ReturnType<typeof handClock>> = {},
  left = 20,
) {
  const transport = newTransport(url, { ...clock, retries: { left } });
  onTestFinished(() => transport.close());
  return (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const request = { method: 'GET', path: '/api/integrations' } as const;
        const ended = await transport
          .send(request)
          .catch((thrown: unknown) => thrown);
        return ended instanceof ExchangeError ? ended.status : 200;
      }),
    );
}

test('half as many after 429, slowly back to all, never more', async () => {
  const state = { good: 0, isSlow: false };
  const most: [number, number][] = [];
  const gate = await answerGate((waiting) => {
    if (state.isSlow)
      most.push([waiting, Math.min(8, 4 + Math.floor(state.good / 10))]);
  });
  const read = reads(gate)(70);
  await gate.settledAt(8);
  state.isSlow = true;
  gate.answer(429);
  const waves: number[] = [];
  while (state.good < 70) {
    const wave = Math.min(70 - state.good, 8, 4 + Math.floor(state.good / 10));
    await gate.settledAt(wave);
    waves.push(wave);
    state.good += wave;
    gate.answer(200);
  }
  expect(new Set(await read)).toEqual(new Set([200]));
  expect(waves).toContain(8);
  expect(most.filter(([waiting, limit]) => waiting > limit)).toEqual([]);
});

test('all requests on a server share its retries', async () => {
  const arrived = { count: 0 };
  const gate = await answerGate(() => {
    arrived.count += 1;
    gate.answer(500);
  });
  expect(await reads(gate, {}, 5)(8)).toEqual(
    Array.from({ length: 8 }, () => 500),
  );
  expect(arrived.count).toBe(8 + 5);
});

describe('Retry-After', () => {
  test('nothing is sent before its end, by whatever request it was told', async () => {
    const gate = await answerGate();
    const clock = handClock();
    const read = reads(gate, clock);
    const first = read(12);
    await gate.settledAt(8);
    gate.answer(429, { 'retry-after': '7' });
    await expect.poll(() => clock.asked.length).toBeGreaterThanOrEqual(8);
    clock.pass(3000);
    const later = read(2);
    clock.pass(3999);
    await gate.settledAt(0);
    clock.pass(1);
    for (const wave of [4, 4, 4, 2]) {
      await gate.settledAt(wave);
      gate.answer(200);
    }
    expect(new Set([...(await first), ...(await later)])).toEqual(
      new Set([200]),
    );
  });
  test('a shorter one that comes later changes nothing', async () => {
    const gate = await answerGate();
    const clock = handClock();
    const read = reads(gate, clock)(2);
    await gate.settledAt(2);
    gate.answer(429, { 'retry-after': '50' }, 1);
    await expect.poll(() => clock.asked.length).toBe(1);
    gate.answer(429, { 'retry-after': '2' });
    await expect.poll(() => clock.asked.length).toBe(2);
    clock.pass(2000);
    // The second one has waited its time, and waits for what was asked of the first.
    await expect.poll(() => clock.asked).toEqual([50_000, 2_000, 48_000]);
    await gate.settledAt(0);
    clock.pass(48_000);
    await gate.settledAt(2);
    gate.answer(200);
    expect(await read).toEqual([200, 200]);
  });
  test.each([
    ['patch options', 429],
    ['patch options', 503],
    ['read back', 429],
  ] as const)(
    'over a minute at %s after %d: nothing more is sent, and the report says so',
    async (kind, status) => {
      const refusal = { status, headers: { 'retry-after': '3600' } };
      const faultOf = (seen: { kind: string }) =>
        seen.kind === kind ? refusal : undefined;
      const { proxy, exchanges, apply } = await faultyServer(
        yamlOf(DESIRED),
        faultOf,
      );
      const result = await apply(['--concurrency', '1']);
      const at = proxy.kinds.indexOf(kind);
      expect([result.code, proxy.kinds.slice(at + 1)]).toEqual([5, ['logout']]);
      const outcomes = outcomesOf(result);
      if (kind === 'read back')
        expect(outcomes).toEqual(outcomes.map(() => 'unknown'));
      else {
        const first = status === 429 ? 'failed' : 'unknown';
        expect(outcomes.filter((outcome) => outcome === first).length).toBe(1);
        expect(
          outcomes.filter((outcome) => outcome === 'not-attempted').length,
        ).toBe(4);
        expect(exchanges.filter(({ method }) => method === 'PATCH')).toEqual(
          [],
        );
      }
      expect(result.stdout).toMatch(/\b3(600|599) s/);
    },
  );
});

/**
 * A service that ends with the test and answers only when the test lets it, so that what runs side by side can be counted;
 * `onArrival` is told how many wait, the new one included.
 */
async function answerGate(onArrival: (waiting: number) => void = () => {}) {
  const waiting: ServerResponse[] = [];
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/settle') return void outgoing.end();
    waiting.push(outgoing);
    onArrival(waiting.length);
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
    /** Resolves when exactly so many wait, and no more come: requests of the test's own have come back since. */
    settledAt: async (count: number) => {
      await expect.poll(() => waiting.length).toBeGreaterThanOrEqual(count);
      for (const _ of [1, 2, 3]) await (await fetch(`${url}/settle`)).text();
      expect(waiting.length).toBe(count);
    },
    /** Answers all that wait, or so many that have waited longest. */
    answer: (
      status: number,
      headers: Readonly<Record<string, string>> = {},
      count = waiting.length,
    ) => {
      for (const outgoing of waiting.splice(0, count))
        outgoing.writeHead(status, { ...JSON_API, ...headers }).end('{}');
    },
  };
}

/** A clock that a test moves by hand. */
function handClock() {
  const state = { now: Date.UTC(2026, 0, 15, 12) };
  const asked: number[] = [];
  const sleepers: { readonly due: number; readonly wake: () => void }[] = [];
  return {
    now: () => state.now,
    /** The milliseconds that were asked for, in order. */
    asked,
    sleep: (milliseconds: number): Promise<void> => {
      asked.push(milliseconds);
      return new Promise((wake) =>
        sleepers.push({ due: state.now + milliseconds, wake }),
      );
    },
    /** Moves on and wakes who has slept long enough. */
    pass: (milliseconds: number) => {
      state.now += milliseconds;
      const due = sleepers.filter((each) => each.due <= state.now);
      sleepers.splice(
        0,
        sleepers.length,
        ...sleepers.filter((each) => !due.includes(each)),
      );
      for (const { wake } of due) wake();
    },
  };
}
