import { expect, test } from 'vitest';
import { manyChanges, refusedForSize } from '../../../src/core/plan/guard.ts';
import type { ServerPlan } from '../../../src/core/plan/plan.ts';

/** The plan of a server as far as its size goes. */
function sized(name: string, changed: number, managed: number): ServerPlan {
  const none = { changes: 0, blocked: 0, cannotTell: 0, unmanagedOptions: 0, unmanagedIntegrations: 0 };
  return {
    name,
    url: `https://${name}.example.com`,
    summary: { managed, managedInAll: managed, changed, reads: 1, writes: changed, ...none },
    integrations: [],
  };
}

const isLarge = (changed: number, managed: number) => manyChanges([sized('a', changed, managed)]).length > 0;

test('more than 30 % of at least 10 managed integrations is a large plan', () => {
  expect([isLarge(3, 10), isLarge(4, 10), isLarge(9, 9), isLarge(90, 300), isLarge(91, 300)]).toEqual([
    false,
    true,
    false,
    false,
    true,
  ]);
});

test('only the exact number over all servers lets a large plan pass', () => {
  const plans = [sized('staging', 6, 12), sized('production', 1, 300)];
  const refused = [undefined, 6, 8, 7].map((allowed) =>
    refusedForSize(plans, allowed).map(({ code }) => code),
  );
  expect(refused).toEqual([['many-changes-refused'], ['many-changes-refused'], ['many-changes-refused'], []]);
});

test('a plan that is not large needs no number, and a number does not hinder it', () => {
  expect(refusedForSize([sized('a', 2, 300)], undefined)).toEqual([]);
  expect(refusedForSize([sized('a', 2, 300)], 5)).toEqual([]);
});
