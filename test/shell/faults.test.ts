import { describe, test, vi } from 'vitest';
import { ROWS, runCell, timesOf } from '../support/fault-cell.ts';
import { REQUEST_KINDS } from '../support/request-kind.ts';

// Silence takes time: the cells run side by side.
vi.setConfig({ maxConcurrency: 10, testTimeout: 300_000 });

describe.concurrent.each(REQUEST_KINDS)('the report is true when %s meets', (kind) => {
  test.each(ROWS)('$name', async (row) => {
    for (const times of timesOf(row, kind)) await runCell(row, kind, times);
  });
});
