import { test } from 'vitest';
import { runChaosOf } from '../support/chaos.ts';

// A quarter of a thousand seeds; the others are in files of their own, so that they can run side by side.
test('reports are true and runs converge, whatever happens to one request in ten', { timeout: 300_000 }, () =>
  runChaosOf({ from: 0, count: 250 }),
);
