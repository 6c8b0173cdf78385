import { expect, test } from 'vitest';
import { settlingPause } from '../../../src/core/pacing/settling.ts';

/** All pauses of some milliseconds. */
function pauses(left: number, readings = 0): readonly number[] {
  if (left <= 0) return [];
  const pause = settlingPause(readings, left);
  return [pause, ...pauses(left - pause, readings + 1)];
}

test('pauses double, up to 8 s, and take all the time there is', () => {
  expect(pauses(5_000)).toEqual([250, 500, 1_000, 2_000, 1_250]);
  expect(pauses(30_000)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 6_250]);
  expect(pauses(100)).toEqual([100]);
});
