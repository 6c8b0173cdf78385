import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/core/plan/outcome.ts';
import { NOTHING } from '../../../src/core/plan/plan.ts';
import { stillDeclared } from '../../../src/core/plan/undo.ts';
import { settingsFor, valueChange } from '../../support/changes.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { SERVER } from '../../support/planned.ts';

/** What is found after an undo of one change. */
function foundAfter(outcome: Outcome) {
  const changes = [{ ...valueChange('limit', 4), outcome }];
  const integration = {
    ...NOTHING,
    ...{ name: 'vt', id: 'vt_1', status: null, outcome, changes },
    settings: settingsFor(changes),
  };
  const integrations = [integration];
  return stillDeclared([{ ...SERVER, summary: SUMMARY, integrations }]);
}

test.each(['verified', 'unknown'] as const)(
  'a field that an undo may have written is named: %s',
  (outcome) => {
    expect(foundAfter(outcome)).toMatchObject([
      {
        code: 'still-declared',
        facts: { addresses: ['vt.options.limit.value'] },
        places: [{ file: 'a.yaml', line: 4 }],
      },
    ]);
  },
);

test('nothing is said of a field that was not written', () => {
  expect(foundAfter('stale')).toEqual([]);
});
