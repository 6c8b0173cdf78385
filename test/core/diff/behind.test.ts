import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ResolvedConfig } from '../../../src/core/config/resolve.ts';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { branchBehind, type Fork } from '../../../src/core/diff/behind.ts';
import { entries, validConfig } from '../../support/config.ts';

const KEYS = ['a', 'b', 'c'] as const;

/** The values of options; an option without one is not declared. */
type Values = Partial<Record<(typeof KEYS)[number], number>>;

/** An entry with these options. */
function configOf(values: Values, name = 'vt'): ResolvedConfig {
  const options = JSON.stringify(values);
  const text = entries(`${name}: { match: vt_*, options: ${options} }`);
  return resolveConfig(validConfig(text));
}

function forkOf(mergeBase: Values, tip: Values, branch: Values): Fork {
  return {
    mergeBase: configOf(mergeBase),
    tip: configOf(tip),
    branch: configOf(branch),
  };
}

/** The addresses that a branch lacks. */
function lacked(...forks: readonly Fork[]): readonly string[] {
  const found = branchBehind('main', forks);
  return found?.code === 'branch-behind' ? found.facts.addresses : [];
}

const values = fc.record(
  { a: fc.nat(2), b: fc.nat(2), c: fc.nat(2) },
  { requiredKeys: [] },
);

test('a branch lacks each change of the ref that its own declaration would undo', () => {
  fc.assert(
    fc.property(values, values, values, (mergeBase, tip, branch) => {
      const expected = KEYS.filter(
        (key) =>
          tip[key] !== mergeBase[key] &&
          tip[key] !== branch[key] &&
          tip[key] !== undefined &&
          branch[key] !== undefined,
      );
      expect(lacked(forkOf(mergeBase, tip, branch))).toEqual(
        expected.map((key) => `vt.options.${key}.value`),
      );
    }),
  );
});

test('a change on several servers is named once', () => {
  const fork = forkOf({ a: 1 }, { a: 2 }, { a: 1 });
  const other = forkOf({ a: 1, c: 1 }, { a: 2, c: 2 }, { a: 1, c: 1 });
  expect(lacked(fork, other, fork)).toEqual([
    'vt.options.a.value',
    'vt.options.c.value',
  ]);
});

test('a change is found under the name that the ref has for its entry', () => {
  const renamed = {
    mergeBase: configOf({ a: 1 }),
    tip: configOf({ a: 2 }),
    branch: configOf({ a: 1 }, 'virustotal'),
  };
  expect(lacked(renamed)).toEqual(['vt.options.a.value']);
  const byRef = { ...renamed, tip: renamed.branch, branch: configOf({ a: 3 }) };
  expect(lacked(byRef)).toEqual([]);
});

/** A whole configuration of one entry. */
function config(entry: string): ResolvedConfig {
  return resolveConfig(validConfig(entries(entry)));
}

const BEFORE = 'vt: { match: vt_*, options: { a: 1 } }';

test.each<[string, string, string]>([
  [
    'renamed an entry',
    'virustotal: { match: vt_*, options: { a: 1 } }',
    BEFORE,
  ],
  ['changed a match', 'vt: { match: vt_x_*, options: { a: 1 } }', BEFORE],
  [
    'no longer declares a field',
    'vt: { match: vt_*, options: { b: 1 } }',
    BEFORE,
  ],
  [
    'stopped managing a field',
    'vt: { match: vt_*, options: { a: null } }',
    BEFORE,
  ],
  [
    'changed what the branch no longer declares',
    'vt: { match: vt_*, options: { a: 2 } }',
    'vt: { match: vt_*, options: { b: 1 } }',
  ],
  [
    'marks an option',
    'vt: { match: vt_*, options: { a: { value: 1, sensitive: false } } }',
    BEFORE,
  ],
])('an apply undoes nothing if the ref %s', (_, tip, branch) => {
  const fork = {
    mergeBase: config(BEFORE),
    tip: config(tip),
    branch: config(branch),
  };
  expect(lacked(fork)).toEqual([]);
});

test('a permission and a subscription of the ref are lacked too', () => {
  const entry = (permission: string, autosubscribe: boolean) =>
    config(
      `vt: { match: vt_*, autosubscribe: ${autosubscribe}, options: { a: { permission: ${permission} } } }`,
    );
  const before = entry('lock-and-hide', false);
  const tip = entry('lock-and-show', true);
  expect(lacked({ mergeBase: before, tip, branch: before })).toEqual([
    'vt.autosubscribe',
    'vt.options.a.permission',
  ]);
});
