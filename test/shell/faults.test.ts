import { describe, test, vi } from 'vitest';
import { ROWS, runCell, timesOf } from '../support/fault-cell.ts';
import { REQUEST_KINDS } from '../support/request-kind.ts';
import { sampled } from '../support/soak.ts';

// Silence takes time: the cells run side by side.
vi.setConfig({ maxConcurrency: 10, testTimeout: 300_000 });

const GRID = ROWS.flatMap((row) => REQUEST_KINDS.map((kind) => [row.name, kind, row] as const));

// Each fault and each kind of request is in the sample.
describe.concurrent('the report is true', () => {
  test.each(sampled(GRID, 8))('when "%s" meets %s', async (_, kind, row) => {
    for (const times of timesOf(row, kind)) await runCell(row, kind, times);
  });
});
