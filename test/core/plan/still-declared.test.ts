import { expect, test } from 'vitest';
import { explain } from '../../../src/core/findings/explain.ts';
import { NOTHING, type Outcome } from '../../../src/core/plan/plan.ts';
import { stillDeclared } from '../../../src/core/plan/undo.ts';
import { settingsFor, valueChange } from '../../support/changes.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { SERVER } from '../../support/planned.ts';

const ADDRESS = 'vt.options.limit.value';

/** What is said of an undo of one change; `asksAgain` is absent if nobody could read the YAML. */
function told(outcome: Outcome, asksAgain?: readonly string[]) {
  const changes = [{ ...valueChange('limit', 4), outcome }];
  const integration = {
    ...NOTHING,
    ...{ name: 'vt', id: 'vt_1', status: null, outcome, changes },
    settings: settingsFor(changes),
  };
  const plan = {
    ...SERVER,
    summary: SUMMARY,
    integrations: [integration],
    asksAgain: asksAgain && new Set(asksAgain),
  };
  return stillDeclared([plan]);
}

test.each([
  ['verified', [ADDRESS], 'The YAML still asks for other values'],
  ['unknown', [ADDRESS], 'The YAML still asks for other values'],
  ['verified', undefined, 'The YAML may still ask for other values'],
] as const)('a field that is %s and asked again, %j, is named', (...row) => {
  const [outcome, asksAgain, start] = row;
  const [found, ...others] = told(outcome, asksAgain);
  if (found === undefined) throw new Error('nothing found');
  expect(others).toEqual([]);
  expect(explain(found)).toMatchObject({
    code: 'still-declared',
    severity: 'warning',
    message: `${start}: ${ADDRESS}.`,
  });
  expect(found.places).toMatchObject([{ file: 'a.yaml', line: 4 }]);
});

test.each([
  ['verified', []],
  ['verified', ['vt.options.other.value']],
  ['stale', [ADDRESS]],
  ['stale', undefined],
] as const)(
  'nothing is said of a field that is %s, %j',
  (outcome, asksAgain) => {
    expect(told(outcome, asksAgain)).toEqual([]);
  },
);
