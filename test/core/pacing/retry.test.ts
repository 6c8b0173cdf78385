import { describe, expect, test } from 'vitest';
import {
  type Attempt,
  backoff,
  decideRetry,
} from '../../../src/core/pacing/retry.ts';

/** The first attempt of a read that met 503, with what is different about it. */
function attempt(changes: Partial<Attempt> = {}): Attempt {
  return {
    purpose: 'read',
    number: 1,
    failed: { isRefused: true, status: 503 },
    quota: 20,
    random: 0.5,
    ...changes,
  };
}

const status = (code: number) => ({ isRefused: true, status: code });
const UNUSABLE = { isRefused: false };

describe('what is tried again', () => {
  test.each([
    ['a read after 503', {}, 'wait'],
    ['a read without a usable answer', { failed: UNUSABLE }, 'wait'],
    [
      'a read that setpoint itself refuses to send',
      { failed: { isRefused: true } },
      'take',
    ],
    ['a read that succeeded', { failed: undefined }, 'take'],
    ['a read that is not permitted', { failed: status(403) }, 'take'],
    ['a read of nothing', { failed: status(404) }, 'take'],
    ['a read without a valid token', { failed: status(401) }, 'take'],
    ['a login after a reset', { purpose: 'login', failed: UNUSABLE }, 'wait'],
    [
      'a login that is refused',
      { purpose: 'login', failed: status(401) },
      'take',
    ],
    ['a write after 429', { purpose: 'write', failed: status(429) }, 'wait'],
    [
      'a write after a page with 429',
      { purpose: 'write', failed: { isRefused: false, status: 429 } },
      'take',
    ],
    [
      'a write without a usable answer',
      { purpose: 'write', failed: UNUSABLE },
      'take',
    ],
    ['a write after 500', { purpose: 'write', failed: status(500) }, 'take'],
    ['a logout after 503', { purpose: 'logout' }, 'take'],
    ['the second attempt', { number: 2 }, 'wait'],
    ['the third attempt is the last', { number: 3 }, 'take'],
    ['nothing once the quota is used up', { quota: 0 }, 'take'],
  ] satisfies [string, Partial<Attempt>, string][])(
    '%s',
    (_, changes, expected) => {
      expect(decideRetry(attempt(changes)).kind).toBe(expected);
    },
  );
});

describe('how long is waited', () => {
  test('exactly what Retry-After says, up to a minute', () => {
    const waitAfter = (code: number, pause: number) =>
      decideRetry(attempt({ failed: status(code), pause }));
    const wait = (milliseconds: number) => ({ kind: 'wait', milliseconds });
    expect(waitAfter(429, 7000)).toEqual(wait(7000));
    expect(waitAfter(503, 60_000)).toEqual(wait(60_000));
    expect(waitAfter(429, 60_001)).toEqual({ kind: 'too-long', seconds: 61 });
  });
  test('full jitter: 1,000 draws in range, with the mean of an even distribution', () => {
    for (const [number, most] of [
      [1, 500],
      [2, 1000],
      [3, 2000],
      [9, 8000],
    ] as const) {
      const waits = Array.from({ length: 1000 }, () =>
        backoff(number, Math.random()),
      );
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...waits)).toBeLessThan(most);
      const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
      expect(Math.abs(mean - most / 2)).toBeLessThan(most * 0.06);
    }
  });
});

/** All pauses of some milliseconds. */
function pauses(left: number, readings = 0): readonly number[] {
  if (left <= 0) return [];
  const pause = Math.min(left, backoff(readings, 1));
  return [pause, ...pauses(left - pause, readings + 1)];
}

test('pauses double, up to 8 s, and take all the time there is', () => {
  expect(pauses(5_000)).toEqual([250, 500, 1_000, 2_000, 1_250]);
  expect(pauses(30_000)).toEqual([
    250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 6_250,
  ]);
  expect(pauses(100)).toEqual([100]);
});
