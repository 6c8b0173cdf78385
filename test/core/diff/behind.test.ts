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
  return found?.code === 'branch-behind' ? found.facts.changes : [];
}

const values = fc.record(
  { a: fc.nat(2), b: fc.nat(2), c: fc.nat(2) },
  { requiredKeys: [] },
);

test('a branch lacks each change of the ref that it does not have itself', () => {
  fc.assert(
    fc.property(values, values, values, (mergeBase, tip, branch) => {
      const expected = KEYS.filter(
        (key) => tip[key] !== mergeBase[key] && tip[key] !== branch[key],
      );
      expect(lacked(forkOf(mergeBase, tip, branch))).toEqual(
        expected.map((key) => `vt.options.${key}.value`),
      );
    }),
  );
});

test('a change on several servers is named once', () => {
  const fork = forkOf({ a: 1 }, { a: 2, b: 1 }, { a: 1 });
  const other = forkOf({ a: 1, c: 1 }, { a: 2 }, { a: 1, c: 1 });
  expect(lacked(fork, other, fork)).toEqual([
    'vt.options.a.value',
    'vt.options.b.value',
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
  expect(lacked(byRef)).toEqual(['virustotal.name']);
});
