import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What hangs ends: no machine is so busy that something else takes as long. */
const MINUTES = process.env['SETPOINT_SOAK'] === undefined ? 20 : 60;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: MINUTES * 60_000,
    hookTimeout: MINUTES * 60_000,
    teardownTimeout: MINUTES * 60_000,
    expect: { poll: { timeout: 600_000, interval: 5 } },
    pool: 'forks',
    // A file leaves nothing behind that another one sees: loading all modules anew for each would take a fifth of the time.
    isolate: false,
    // Many tests wait more than they compute.
    maxWorkers: availableParallelism() + 1,
  },
});
