import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pace } from '../../../src/core/pacing/retry.ts';

/** Good answers after which one more request may run. */
const RECOVERY = 10;

/** A pace after some refusals, each of a request that began after the one before. */
function slowed(most: number, refusals: number): Pace {
  const pace = new Pace(most);
  for (const _ of Array.from({ length: refusals })) pace.slowDown(pace.slowed);
  return pace;
}

/** The limit after so many good answers more. */
function recovered(pace: Pace, times: number): number {
  for (const _ of Array.from({ length: times })) pace.recover();
  return pace.limit;
}

describe('how many requests run side by side', () => {
  test('half after each refusal, and at least one', () => {
    expect(
      [0, 1, 2, 3, 4].map((refusals) => slowed(8, refusals).limit),
    ).toEqual([8, 4, 2, 1, 1]);
    expect(slowed(5, 1).limit).toBe(2);
  });
  test('half once for requests that ran together and were refused together', () => {
    const pace = new Pace(8);
    for (const _ of Array.from({ length: 8 })) pace.slowDown(0);
    expect(pace.limit).toBe(4);
    pace.slowDown(pace.slowed);
    expect(pace.limit).toBe(2);
  });
  test('one more after enough good answers, back to all of them, never more', () => {
    const pace = slowed(8, 3);
    expect(recovered(pace, RECOVERY - 1)).toBe(1);
    expect(recovered(pace, 1)).toBe(2);
    expect(recovered(pace, 6 * RECOVERY)).toBe(8);
    expect(recovered(pace, 100 * RECOVERY)).toBe(8);
  });
  test('a refusal in between starts the count anew', () => {
    const pace = slowed(8, 2);
    recovered(pace, RECOVERY - 1);
    pace.slowDown(0);
    expect(recovered(pace, 1)).toBe(2);
    expect(recovered(pace, RECOVERY - 1)).toBe(3);
  });
  test('whatever comes, at least one and never more than at first', () => {
    const events = fc.array(fc.constantFrom('late', 'refused', 'good'), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), events, (most, all) => {
        const pace = new Pace(most);
        for (const event of all) {
          const before = pace.limit;
          if (event === 'good') pace.recover();
          else pace.slowDown(event === 'refused' ? pace.slowed : -1);
          expect(pace.limit).toBeGreaterThanOrEqual(1);
          expect(pace.limit).toBeLessThanOrEqual(
            event === 'good' ? Math.min(most, before + 1) : before,
          );
        }
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
