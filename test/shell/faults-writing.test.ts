import { describe, test } from 'vitest';
import { ROWS, runCell, SEEDS } from '../support/fault-cell.ts';
import { REQUEST_KINDS } from '../support/request-kind.ts';

// The half of the table with what comes before the first PATCH is in a file of its own: they run side by side.
const KINDS = REQUEST_KINDS.filter((kind) => /^(patch|read back|logout)/.test(kind));

describe.each(KINDS)('the report is true when %s meets', (kind) => {
  for (const row of ROWS) {
    test.concurrent(row.name, async () => {
      for (const times of SEEDS) await runCell(row, kind, times);
    });
  }
});
