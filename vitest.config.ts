import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Generous: they end what hangs, and must not fail on a machine that is busy with something else.
    testTimeout:
      process.env['SETPOINT_SOAK'] === undefined ? 60_000 : 3_600_000,
    hookTimeout: 60_000,
    // A machine that stands still for a minute is no defect; what hangs, hangs again.
    retry: { count: 1, condition: /timed out in \d+ms/ },
    expect: { poll: { timeout: 30_000, interval: 5 } },
    pool: 'forks',
    // A file leaves nothing behind that another one sees: loading all modules anew for each would take a fifth of the time.
    isolate: false,
    // Many tests wait more than they compute.
    maxWorkers: availableParallelism() + 1,
  },
});
