import { describe, expect, test } from 'vitest';
import { hide } from '../../../src/core/model/secret.ts';
import type { Change, IntegrationPlan } from '../../../src/core/plan/plan.ts';
import { foldChanges } from '../../../src/core/report/fold.ts';

const base = { label: 'change', risks: [], source: { file: 'a.yaml', line: 1, column: 1 } } as const;

function value(name: string, option: string, after: string): Change {
  const address = `${name}.options.${option}.value`;
  return { ...base, address, field: 'value', option, sensitive: false, before: '', after };
}

function secret(name: string, fingerprint: string, reference?: string): Change {
  const address = `${name}.options.k.value`;
  const known = { fingerprint, ...(reference === undefined ? {} : { reference }) };
  return {
    ...base,
    ...known,
    address,
    field: 'value',
    option: 'k',
    sensitive: true,
    before: null,
    after: hide(name),
  };
}

function integration(
  name: string,
  changes: readonly Change[],
  own: Partial<IntegrationPlan> = {},
): IntegrationPlan {
  return {
    name,
    id: `${name}-id`,
    status: 'running',
    blocked: false,
    changes,
    cannotTell: [],
    unmanagedOptions: 0,
    ...own,
  };
}

/** What is shown once, with its integrations, and what is left to each. */
function told(integrations: readonly IntegrationPlan[]) {
  const { shared, own } = foldChanges(integrations);
  return {
    shared: shared.map((block) => [
      block.integrations.map(({ name }) => name).join(' '),
      block.changes.length,
    ]),
    own: own.flatMap(({ name, changes }) => (changes.length === 0 ? [] : [`${name} ${changes.length}`])),
  };
}

const NAMES = ['a', 'b', 'c', 'd'];

describe('the same change', () => {
  test('in four integrations is shown once, with what else the same four share', () => {
    const all = NAMES.map((name) => integration(name, [value(name, 'x', '1'), value(name, 'y', '2')]));
    expect(told(all)).toEqual({ shared: [['a b c d', 2]], own: [] });
  });
  test('in three is shown with each', () => {
    const three = NAMES.slice(1).map((name) => integration(name, [value(name, 'x', '1')]));
    expect(told(three)).toEqual({ shared: [], own: ['b 1', 'c 1', 'd 1'] });
  });
  test('leaves to each what is its own', () => {
    const all = NAMES.map((name) => integration(name, [value(name, 'x', '1'), value(name, 'y', name)]));
    expect(told(all)).toEqual({ shared: [['a b c d', 1]], own: ['a 1', 'b 1', 'c 1', 'd 1'] });
  });
  test('of more integrations is not that of four of them', () => {
    const all = [...NAMES, 'e'].map((name) =>
      integration(name, [value(name, 'x', '1'), ...(name === 'e' ? [] : [value(name, 'y', '2')])]),
    );
    expect(told(all).shared).toEqual([
      ['a b c d e', 1],
      ['a b c d', 1],
    ]);
  });
  test.each<[string, Partial<IntegrationPlan>]>([
    ['that is not running', { blocked: true }],
    ['with another outcome', { outcome: 'failed' }],
  ])('is not that of an integration %s', (_, own) => {
    const all = NAMES.map((name, index) =>
      integration(name, [value(name, 'x', '1')], index === 0 ? own : {}),
    );
    expect(told(all).shared).toEqual([]);
  });
});

describe('secrets', () => {
  test('are the same where they are references to one, whatever their fingerprints', () => {
    const all = NAMES.map((name) => integration(name, [secret(name, `f-${name}`, '${env:SETPOINT_K}')]));
    expect(told(all)).toEqual({ shared: [['a b c d', 1]], own: [] });
  });
  test('are not the same where nothing tells so', () => {
    const all = NAMES.map((name) => integration(name, [secret(name, 'f')]));
    expect(told(all).shared).toEqual([]);
  });
});
