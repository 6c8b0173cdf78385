import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { pauseAfter } from '../../../src/core/pacing/retry.ts';

const NOW = Date.UTC(2026, 0, 15, 12, 0, 0, 500);
const UNCLEAR = 8000;
const LATER = {
  'IMF-fixdate': 'Thu, 15 Jan 2026 12:00:03 GMT',
  'RFC 850': 'Thursday, 15-Jan-26 12:00:03 GMT',
} as const;

const pause = (
  retryAfter: string | readonly string[],
  date = '',
  now = NOW,
  status = 429,
) => {
  const headers = { 'retry-after': retryAfter, date };
  return pauseAfter({ status, headers }, now);
};

describe('a pause', () => {
  test.each<[string, string | string[], number]>([
    ['seconds', '7', 7000],
    ['seconds between blanks', ' 7 ', 7000],
    ['no seconds', '0', 0],
    ['ten digits of seconds', '1234567890', 1_234_567_890_000],
    ...Object.entries(LATER).map(([form, text]): [string, string, number] => [
      form,
      text,
      2500,
    ]),
    ['a date in the past', 'Wed, 14 Jan 2026 12:00:03 GMT', 0],
    ['two headers', ['3', '120'], 120_000],
    ['two headers, one of them unclear', ['9', 'soon'], 9000],
  ])('as %s', (_, header, expected) => {
    expect(pause(header)).toBe(expected);
  });
  test('of more digits than a number has is long, and a number', () => {
    expect(pause('9'.repeat(400))).toBeGreaterThan(1e12);
    expect(Number.isFinite(pause('9'.repeat(400)))).toBe(true);
  });
  test.each([
    '',
    ',',
    'soon',
    '-5',
    '+5',
    '1.5',
    '1e3',
    '0x10',
    '7 s',
    '2026-01-15T12:00:03Z',
    'Thu, 15 Jan 2026 12:00:03 PST',
    'Thu, 32 Jan 2026 12:00:03 GMT',
    'Thu, 00 Jan 2026 12:00:03 GMT',
    'Thu, 15 Jan 2026 25:00:03 GMT',
    'after Thu, 15 Jan 2026 12:00:03 GMT',
  ])(
    'as "%s" cannot be understood, and is as long as the longest of our own',
    (header) => {
      expect(pause(header)).toBe(UNCLEAR);
    },
  );
});

test.each([301, 403, 404])(
  'is not asked for by an answer %s that no time changes',
  (status) => {
    expect(pause('7', '', NOW, status)).toBeUndefined();
  },
);

describe('the clock of the server', () => {
  test('counts for dates, whatever ours says', () => {
    expect(
      pause('Mon, 01 Jan 2001 00:00:40 GMT', 'Mon, 01 Jan 2001 00:00:00 GMT'),
    ).toBe(40_000);
    expect(
      pause('Monday, 01-Jan-01 00:00:40 GMT', 'Mon, 01 Jan 2001 00:00:00 GMT'),
    ).toBe(40_000);
  });
  test('does not count for seconds', () => {
    expect(pause('7', 'Mon, 01 Jan 2001 00:00:00 GMT')).toBe(7000);
  });
  test('is ours if the answer has none', () => {
    expect(pause(LATER['IMF-fixdate'], 'today')).toBe(2500);
  });
});

describe('a date of HTTP is in GMT', () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  });
  test.each(['Asia/Tokyo', 'America/Lima'])(
    'also on a machine in %s',
    (zone) => {
      process.env['TZ'] = zone;
      for (const date of Object.values(LATER)) expect(pause(date)).toBe(2500);
    },
  );
});

const DAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
];

/** A moment in both forms of a date of HTTP that name its zone. */
function forms(time: number): string[] {
  const date = new Date(time);
  const fixed = date.toUTCString();
  const [, day = '', month = '', year = '', clock = ''] = fixed.split(' ');
  return [
    fixed,
    `${DAYS[date.getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${clock} GMT`,
  ];
}

test('none waits too short, whatever says how long and whatever time it is here, in 1,000 draws', () => {
  const entry = fc.record({
    wait: fc.integer({ min: 0, max: 5_000_000 }),
    form: fc.integer({ min: 0, max: 2 }),
  });
  const noise = fc.constantFrom(
    'soon',
    '',
    '-1',
    '1.5',
    'Thu, 99 Jan 2026 12:00:00 GMT',
  );
  const draws = {
    // What the clock of the server says, and how far ours is off.
    server: fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2049, 0) }),
    skew: fc.integer({ min: -1e10, max: 1e10 }),
    named: fc.array(entry, { minLength: 1, maxLength: 4 }),
    odd: fc.option(noise, { nil: undefined }),
  };
  fc.assert(
    fc.property(fc.record(draws), ({ server, skew, named, odd }) => {
      const second = Math.floor(server / 1000) * 1000;
      const texts = named.map(
        ({ wait, form }) =>
          [String(wait), ...forms(second + wait * 1000)][form] ?? '',
      );
      const all = odd === undefined ? texts : [odd, ...texts];
      const date = new Date(second).toUTCString();
      const wanted = Math.max(...named.map(({ wait }) => wait * 1000));
      const got = pause(all, date, server + skew);
      expect(got).toBeGreaterThanOrEqual(wanted);
      // Nor does it wait longer than it is asked to, or than for what it cannot understand.
      expect(got).toBeLessThanOrEqual(
        odd === undefined ? wanted : Math.max(wanted, UNCLEAR),
      );
    }),
    { numRuns: 1000 },
  );
});
