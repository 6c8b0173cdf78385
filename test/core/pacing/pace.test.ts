import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fullPace, type Pace, recovered, slower } from '../../../src/core/pacing/retry.ts';

/** Good answers after which one more request may run. */
const RECOVERY = 10;

const refused = (pace: Pace) => slower(pace, pace.slowed);
const succeeded = (pace: Pace, times: number) =>
  Array.from({ length: times }).reduce<Pace>((each) => recovered(each), pace);

describe('how many requests run side by side', () => {
  test('half after each refusal, and at least one', () => {
    const limits = [fullPace(8)];
    for (const _ of Array.from({ length: 4 })) limits.push(refused(limits.at(-1) ?? fullPace(8)));
    expect(limits.map(({ limit }) => limit)).toEqual([8, 4, 2, 1, 1]);
    expect(refused(fullPace(5)).limit).toBe(2);
  });
  test('half once for requests that ran together and were refused together', () => {
    const start = fullPace(8);
    const burst = Array.from({ length: 8 }).reduce<Pace>((pace) => slower(pace, start.slowed), start);
    expect(burst.limit).toBe(4);
    expect(refused(burst).limit).toBe(2);
  });
  test('one more after enough good answers, back to all of them, never more', () => {
    const slow = refused(refused(refused(fullPace(8))));
    expect(succeeded(slow, RECOVERY - 1).limit).toBe(1);
    expect(succeeded(slow, RECOVERY).limit).toBe(2);
    expect(succeeded(slow, 7 * RECOVERY).limit).toBe(8);
    expect(succeeded(slow, 100 * RECOVERY).limit).toBe(8);
  });
  test('a refusal in between starts the count anew', () => {
    const nearly = succeeded(refused(refused(fullPace(8))), RECOVERY - 1);
    expect(recovered(slower(nearly, 0)).limit).toBe(2);
    expect(recovered(nearly).limit).toBe(3);
  });
  test('whatever comes, at least one and never more than at first', () => {
    const events = fc.array(fc.constantFrom('late', 'refused', 'good'), { maxLength: 300 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), events, (most, all) => {
        const state = { pace: fullPace(most) };
        for (const event of all) {
          const before = state.pace.limit;
          if (event === 'good') state.pace = recovered(state.pace);
          else state.pace = slower(state.pace, event === 'refused' ? state.pace.slowed : -1);
          expect(state.pace.limit).toBeGreaterThanOrEqual(1);
          expect(state.pace.limit).toBeLessThanOrEqual(
            event === 'good' ? Math.min(most, before + 1) : before,
          );
        }
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
