import { defineConfig } from 'vitest/config';

/** The tests that find mutants: those of the rooms that are mutated, but for slow ones, and random undos, which count their cases and so fail when cut short, whatever the mutant. */
export default defineConfig({
  test: {
    include: [
      'test/core/{findings,live,match,model,pacing,plan,report}/**/*.test.ts',
    ],
    exclude: ['test/core/**/{convergence,many-*,random-undo}.test.ts'],
    setupFiles: ['test/mutation/short-properties.ts'],
    testTimeout: 600_000,
    isolate: false,
  },
});
