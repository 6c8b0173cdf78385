import { describe, test, vi } from 'vitest';
import { ROWS, runCell, SEEDS } from '../support/fault-cell.ts';
import { REQUEST_KINDS } from '../support/request-kind.ts';

// Silence takes time: the cells run side by side.
vi.setConfig({ maxConcurrency: 10, testTimeout: 120_000 });

// The other half of the table, with what follows the first PATCH, is in a file of its own.
const KINDS = REQUEST_KINDS.filter((kind) => /^(login|list|detail|errors)/.test(kind));

describe.concurrent.each(KINDS)('the report is true when %s meets', (kind) => {
  test.each(ROWS)('$name', async (row) => {
    for (const times of SEEDS) await runCell(row, kind, times);
  });
});
