import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Attempt,
  askedPause,
  backoff,
  decideRetry,
  retryAfter,
} from '../../../src/core/pacing/retry.ts';

const NOW = Date.UTC(2026, 0, 15, 12, 0, 0, 500);

/** The first attempt of a read that met 503, with what is different about it. */
function attempt(changes: Partial<Attempt> = {}): Attempt {
  return {
    purpose: 'read',
    number: 1,
    ending: { kind: 'answered', status: 503 },
    quota: 20,
    random: 0.5,
    now: NOW,
    ...changes,
  };
}

const status = (code: number, after?: string) =>
  ({ kind: 'answered', status: code, ...(after === undefined ? {} : { retryAfter: after }) }) as const;
const failed = (phase: 'not-sent' | 'no-answer' | 'bad-answer' | 'refused') =>
  ({ kind: 'failed', phase }) as const;

describe('what is tried again', () => {
  test.each([
    ['a read after 503', {}, 'wait'],
    ['a read after a reset', { ending: failed('no-answer') }, 'wait'],
    ['a read that could not be sent', { ending: failed('not-sent') }, 'wait'],
    ['a read with an answer that is cut off', { ending: failed('bad-answer') }, 'wait'],
    ['a read that setpoint itself refuses to send', { ending: failed('refused') }, 'take'],
    ['a read that succeeded', { ending: status(200) }, 'take'],
    ['a read that is not permitted', { ending: status(403) }, 'take'],
    ['a read of nothing', { ending: status(404) }, 'take'],
    ['a read without a valid token', { ending: status(401) }, 'take'],
    ['a login after a reset', { purpose: 'login', ending: failed('no-answer') }, 'wait'],
    ['a login that is refused', { purpose: 'login', ending: status(401) }, 'take'],
    ['a write after 429', { purpose: 'write', ending: status(429) }, 'wait'],
    ['a write after a reset', { purpose: 'write', ending: failed('no-answer') }, 'take'],
    ['a write after 500', { purpose: 'write', ending: status(500) }, 'take'],
    ['a write that could not be sent', { purpose: 'write', ending: failed('not-sent') }, 'take'],
    ['a logout after 503', { purpose: 'logout' }, 'take'],
    ['the second attempt', { number: 2 }, 'wait'],
    ['the third attempt is the last', { number: 3 }, 'take'],
    ['nothing once the quota is used up', { quota: 0 }, 'take'],
  ] satisfies [string, Partial<Attempt>, string][])('%s', (_, changes, expected) => {
    expect(decideRetry(attempt(changes)).kind).toBe(expected);
  });
});

describe('how long is waited', () => {
  test('exactly what Retry-After says, up to a minute', () => {
    expect(decideRetry(attempt({ ending: status(429, '7') }))).toEqual({ kind: 'wait', milliseconds: 7000 });
    expect(decideRetry(attempt({ ending: status(503, '60') }))).toEqual({
      kind: 'wait',
      milliseconds: 60_000,
    });
    expect(decideRetry(attempt({ ending: status(429, '61') }))).toEqual({ kind: 'too-long', seconds: 61 });
    expect(decideRetry(attempt({ ending: status(429, 'Thu, 15 Jan 2026 12:00:03 GMT') }))).toEqual({
      kind: 'wait',
      milliseconds: 2500,
    });
  });
  test('never early, whatever form it has, in 1,000 draws', () => {
    const seconds = fc.integer({ min: 0, max: 59 });
    fc.assert(
      fc.property(seconds, fc.boolean(), fc.integer({ min: 0, max: 999 }), (wait, asDate, fraction) => {
        const now = Math.floor(NOW / 1000) * 1000 + fraction;
        const end = Math.floor(now / 1000) * 1000 + wait * 1000;
        const header = asDate ? new Date(end).toUTCString() : String(wait);
        const decision = decideRetry(attempt({ now, ending: status(429, header) }));
        const due = asDate ? Math.max(now, end) : now + wait * 1000;
        expect(decision.kind === 'wait' ? now + decision.milliseconds : 0).toBe(due);
      }),
      { numRuns: 1000 },
    );
  });
  test.each(['', 'soon', '-5', '1.5', '1e3', 'tomorrow', 'after Thu, 15 Jan 2026 12:00:03 GMT'])(
    'a Retry-After of "%s" says nothing',
    (header) => {
      expect(retryAfter(header, NOW)).toBeUndefined();
    },
  );
  test.each(['Asia/Tokyo', 'America/Lima'])('a date of HTTP is in GMT, also on a machine in %s', (zone) => {
    const { TZ } = process.env;
    process.env['TZ'] = zone;
    try {
      for (const date of [
        'Thu Jan 15 12:00:03 2026',
        'Thu, 15 Jan 2026 12:00:03',
        'Thu, 15 Jan 2026 12:00:03 GMT',
      ])
        expect(retryAfter(date, NOW)).toBe(2500);
    } finally {
      if (TZ === undefined) delete process.env['TZ'];
      else process.env['TZ'] = TZ;
    }
  });
  test('a Retry-After may stand between blanks', () => {
    expect(retryAfter(' 7 ', NOW)).toBe(7000);
  });
  test('full jitter: 1,000 draws in range, with the mean of an even distribution', () => {
    for (const [number, most] of [
      [1, 500],
      [2, 1000],
      [3, 2000],
      [9, 8000],
    ] as const) {
      const waits = Array.from({ length: 1000 }, () => backoff(number, Math.random()));
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...waits)).toBeLessThan(most);
      const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
      expect(Math.abs(mean - most / 2)).toBeLessThan(most * 0.06);
    }
  });
});

describe('all requests pause', () => {
  test.each([
    ['after 429', status(429, '7'), 7000],
    ['after 503', status(503, '7'), 7000],
    ['but not where it names no time', status(429), undefined],
    ['but not after a redirect that names a time', status(301, '7'), undefined],
    ['but not after a failure of one request', status(500, '7'), undefined],
    ['but not where there is no answer', failed('no-answer'), undefined],
  ])('%s', (_, ending, expected) => {
    expect(askedPause(ending, NOW)).toBe(expected);
  });
});
