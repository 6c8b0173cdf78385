import { describe, test } from 'vitest';
import { ROWS, runCell, SEEDS } from '../support/fault-cell.ts';
import { REQUEST_KINDS } from '../support/request-kind.ts';

// The other half of the table, with what follows the first PATCH, is in a file of its own: they run side by side.
const KINDS = REQUEST_KINDS.filter((kind) => /^(login|list|detail|options)/.test(kind));

describe.each(KINDS)('the report is true when %s meets', (kind) => {
  for (const row of ROWS) {
    test.concurrent(row.name, async () => {
      for (const times of SEEDS) await runCell(row, kind, times);
    });
  }
});
