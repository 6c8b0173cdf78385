import { expect, test } from 'vitest';
import { NOTHING, type ServerPlan } from '../../../src/core/plan/plan.ts';
import { isRefusal, refusals } from '../../../src/core/plan/refusals.ts';
import { subscribingChange } from '../../support/changes.ts';
import { SUMMARY } from '../../support/plan-summary.ts';

const SECRET = 'exposes-secret';

/** The plan of a server as far as its size goes. */
function sized(name: string, changed: number, managed: number): ServerPlan {
  return {
    name,
    url: `https://${name}.example.com`,
    summary: { ...SUMMARY, managed, changed, writes: changed },
    integrations: [],
  };
}

/** The facts of what is refused for its size. */
const refusedSize = (
  plans: readonly ServerPlan[],
  allowChanges: number | undefined,
) =>
  refusals(plans.map((plan) => ({ ...plan, allowedChanges: allowChanges })))[0]
    ?.facts;

const isLarge = (changed: number, managed: number) =>
  refusedSize([sized('a', changed, managed)], undefined) !== undefined;

test('more than 30 % of at least 10 managed integrations is a large plan', () => {
  expect([
    isLarge(3, 10),
    isLarge(4, 10),
    isLarge(9, 9),
    isLarge(90, 300),
    isLarge(91, 300),
  ]).toEqual([false, true, false, false, true]);
});

test('the least number counts, and servers that change are named', () => {
  const plans = [sized('a', 4, 10), sized('b', 0, 10), sized('c', 4, 10)];
  const allowed = [9, 9, 5].map((allowedChanges, index) => {
    return { ...(plans[index] as ServerPlan), allowedChanges };
  });
  const facts = { changed: 8, allowed: 5, large: ['a', 'c'] };
  expect(refusals(allowed)[0]?.facts).toEqual(facts);
});

test('a number allows at most so many over all servers', () => {
  const plans = [sized('staging', 6, 12), sized('production', 1, 300)];
  const refused = [undefined, 6, 7, 8].map(
    (allowed) => refusedSize(plans, allowed) !== undefined,
  );
  expect(refused).toEqual([true, true, false, false]);
  const facts = { changed: 7, large: ['staging'] };
  expect(refusedSize(plans, undefined)).toMatchObject(facts);
  expect(refusedSize(plans, 7)).toBeUndefined();
});

test('a plan that is not large needs no number, but one that is given holds', () => {
  const small = [sized('a', 2, 300)];
  expect(refusedSize(small, undefined)).toBeUndefined();
  expect(refusedSize(small, 1)).toMatchObject({ changed: 2, allowed: 1 });
});

test('a risk is refused at its place, with the server if there are several', () => {
  const risk = 'subscribes-everyone';
  const changes = [{ ...subscribingChange(3), risks: [risk] }] as const;
  const vt = { ...NOTHING, name: 'vt', id: 'vt', status: null, changes };
  const policy = { [risk]: 'error' } as const;
  const plan = { ...sized('a', 1, 1), policy, integrations: [vt] };
  const about = { addresses: ['vt.autosubscribe'], integrations: ['vt'] };
  const found = {
    code: 'risk-refused',
    facts: { risk, ...about, isBarred: true },
    places: [expect.objectContaining({ line: 3 })],
  };
  expect(refusals([plan])).toEqual([found]);
  expect(refusals([plan], true)).toEqual([{ ...found, server: 'a' }]);
});

test.each<[string, boolean | undefined, Partial<ServerPlan>]>([
  ['is refused without a flag', false, {}],
  ['is allowed by its flag', undefined, { allowedRisks: [SECRET] }],
  [
    'is not allowed by the flag of another risk',
    false,
    { allowedRisks: ['overrides-users'] },
  ],
  ['is a warning by policy', undefined, { policy: { [SECRET]: 'warn' } }],
  [
    'is an error by policy that no flag lifts',
    true,
    { policy: { [SECRET]: 'error' }, allowedRisks: [SECRET] },
  ],
])('a secret that all users would see %s', (_, isBarred, given) => {
  const change = { ...subscribingChange(3), risks: [SECRET] } as const;
  const vt = { ...NOTHING, name: 'vt', id: 'vt', status: null };
  const plan = {
    ...sized('a', 1, 1),
    ...given,
    integrations: [{ ...vt, changes: [change, subscribingChange(4)] }],
  };
  const found = refusals([plan]);
  expect(found.map(isRefusal)).toEqual(found.map(() => true));
  const expected = { code: 'risk-refused', facts: { risk: SECRET, isBarred } };
  expect(found).toMatchObject(isBarred === undefined ? [] : [expected]);
  const places = found.flatMap((each) => each.places ?? []);
  expect(places).toHaveLength(found.length);
});

test('what is too large is found once for all servers, at none of them', () => {
  const plans = [sized('a', 9, 10), sized('b', 9, 10)];
  const found = refusals(plans, true).map(({ code, server }) => [code, server]);
  expect(found).toEqual([['many-changes', undefined]]);
});

test.each([
  ['changes wait for a server without a plan', [0, 1], ['b'], true],
  ['no change waits', [0, 0], ['b'], false],
  ['all are planned', [1, 1], [], false],
])('%s', (_, changes, unplanned, waits) => {
  const plans = changes.map((count, at) => {
    const plan = sized(`s${at}`, 0, 1);
    return { ...plan, summary: { ...plan.summary, changes: count } };
  });
  const facts = { integrations: [], unplanned };
  const expected = waits ? [{ code: 'not-attempted', facts }] : [];
  expect(refusals(plans, true, unplanned)).toMatchObject(expected);
  expect(refusals(plans)).toEqual([]);
});
