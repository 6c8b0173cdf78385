import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Generous: they end what hangs, and must not fail on a machine that is busy with something else.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 5 } },
    pool: 'forks',
    // Many tests wait more than they compute.
    maxWorkers: '100%',
  },
});
