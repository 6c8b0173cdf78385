import { expect, test } from 'vitest';
import { hasWritten, type Outcome } from '../../../src/core/plan/outcome.ts';

test.each<[(Outcome | undefined)[], boolean | undefined]>([
  [[], undefined],
  [[undefined, undefined], undefined],
  [['failed', undefined], false],
  [['stale', 'blocked', 'not-attempted'], false],
  [['failed', 'unknown'], true],
  [['not-attempted', 'sent'], true],
  [['not-converged'], true],
  [['verified', undefined], true],
])('changes that ended %j wrote something: %s', (outcomes, expected) => {
  expect(hasWritten(outcomes)).toBe(expected);
});
