import { expect, test } from 'vitest';
import { checkFit } from '../../../src/core/plan/fit.ts';
import type { Policy } from '../../../src/core/plan/risk.ts';
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

test('a permission that would show a secret is found where an apply refuses it', () => {
  const catalog = [
    liveIntegration('a', [
      liveOption('apiKey', { type: 'password', permission: 'lock-and-hide' }),
      liveOption('known', { type: 'password', permission: 'lock-and-show' }),
      port,
    ]),
  ];
  const found = (fields: string, policy?: Policy) => {
    const desired = desiredOf(validConfig(entries(fields)), catalog);
    return checkFit(desired, catalog, policy).map(brief);
  };
  const shown = 'a: { options: { apiKey: { permission: lock-and-show } } }';
  expect(found(shown)).toEqual(['exposes-secret 3:41']);
  expect(found(shown, { 'exposes-secret': 'error' })).toHaveLength(1);
  expect(found(shown, { 'exposes-secret': 'warn' })).toEqual([]);
  expect(found(shown, { 'exposes-secret': 'off' })).toEqual([]);
  for (const fields of [
    'a: { options: { apiKey: { permission: user-provides } } }',
    'a: { autosubscribe: true }',
    'a: { options: { known: { permission: lock-and-show } } }',
    'a: { options: { port: { permission: lock-and-show } } }',
  ])
    expect(found(fields), fields).toEqual([]);
});
