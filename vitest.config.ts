import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const isSoak = process.env['SETPOINT_SOAK'] !== undefined;

/** What hangs ends: no machine is so busy that something else takes as long. */
const MINUTES = isSoak ? 60 : 20;

/** What is slow and seldom changed: what users copy or install, the report in a browser, git and signals in all their ways. */
const OF_SOAK = [
  'test/browser/*',
  'test/{action,action-install,bundle}.test.ts',
  'test/{ci-examples,fleet-examples,installed-package,pipelines}.test.ts',
  'test/shell/{branch-behind,git-filters,interruption}.test.ts',
];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: isSoak ? [] : OF_SOAK,
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
