import { expect, test } from 'vitest';
import { checkFit } from '../../../src/core/plan/fit.ts';
import {
  brief,
  desiredOf,
  entries,
  validConfig,
} from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const port = liveOption('port', { type: 'number', value: readable(1) });

test('defaults are checked against a catalog where they are, and specific entries by their names', () => {
  const catalog = [
    liveIntegration('a', [port, liveOption('zone')]),
    liveIntegration('c'),
  ];
  const yaml =
    'all: { match: "*", expect: any, options: { port: 1 } }\nc: { options: { p: x } }';
  const desired = desiredOf(validConfig(entries(yaml)), catalog);
  expect(checkFit(desired, catalog).map(brief)).toEqual([
    'unknown-option 4:19',
  ]);
  expect(checkFit(desired, [])).toEqual([]);
});

test('what fits no integration that shares an entry is one finding', () => {
  const catalog = ['a', 'b'].map((id) => liveIntegration(id, [port]));
  const of = (option: string) => {
    const yaml = `all: { match: "*", expect: any, options: { ${option} } }`;
    const desired = desiredOf(validConfig(entries(yaml)), catalog);
    return checkFit(desired, catalog).map(brief);
  };
  expect(of('prot: 1')).toEqual(['unknown-option 3:46']);
  // A live value that differs is no finding: it is only the default.
  expect(of('port: 2')).toEqual([]);
});
