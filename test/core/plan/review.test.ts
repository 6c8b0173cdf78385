import { describe, expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import { UNINSTALLED } from '../../../src/core/plan/outcome.ts';
import type { IntegrationPlan, Planned } from '../../../src/core/plan/plan.ts';
import type {
  ChangeDocument,
  IntegrationDocument,
  ServerDocument,
} from '../../../src/core/plan/plan-document.ts';
import { UNPLANNED } from '../../../src/core/plan/review.ts';
import { addressesOf } from '../../support/changes.ts';
import { changeOf, integrationOf, serverOf } from '../../support/documents.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';
import { plannedFor } from '../../support/planned.ts';
import { savedPlan } from '../../support/saved-plan.ts';

const number = (key: string, value: number): LiveOption =>
  liveOption(key, { type: 'number', value: readable(value) });

/** The plan of the options of `vt`; against a reviewed plan if there is one. */
function planned(
  yaml: string,
  options: readonly LiveOption[],
  reviewed?: ServerDocument,
): Planned {
  const live = [liveIntegration('vt', options)];
  return plannedFor(`vt: { options: { ${yaml} } }`, live, { reviewed });
}

const holding = (o: number, p = 1) => [number('o', o), number('p', p)];
const CHANGE = 'vt.options.o.value';

describe('the reviewed change of `o` from 5 to 7', () => {
  /** How its integration ends, which changes are written, and what is found. */
  const applied = (yaml: string, o: number) => {
    const reviewed = savedPlan(planned('o: 7', holding(5)).plan);
    const { plan, diagnostics } = planned(yaml, holding(o), reviewed);
    const [integration] = plan.integrations;
    const changes = addressesOf(integration?.changes ?? []);
    const facts = diagnostics.map((found) => found.facts);
    return { end: integration?.end, changes, facts };
  };
  test('is done if it is at its planned value', () => {
    const end = { kind: 'done' };
    expect(applied('o: 7', 7)).toEqual({ end, changes: [], facts: [] });
  });
  test('is stale if it is no longer managed', () => {
    const moved = [{ address: CHANGE, by: 'configuration' }];
    const end = { kind: 'stale', moved };
    expect(applied('p: 1', 5)).toEqual({ end, changes: [], facts: [] });
  });
  test('is written alone if another field differs too', () => {
    const facts = [{ differences: 1 }];
    expect(applied('o: 7, p: 2', 5)).toEqual({ changes: [CHANGE], facts });
  });
});

test('reviewed changes that an error leaves out are kept, with the reason', () => {
  const reviewed = savedPlan(planned('o: 7', holding(5)).plan);
  const { plan } = planned('o: 7, zz: 1', holding(5), reviewed);
  const reason = 'an error keeps it from being planned';
  expect(plan.integrations[0]?.lost).toMatchObject([{ reason }]);
});

test('a stale integration lists as left only what was not reviewed', () => {
  const asked = 'o: 7, p: 2, q: 3';
  const before = [...holding(5), number('q', 3)];
  const reviewed = savedPlan(planned(asked, before).plan);
  // Somebody moved `o`, wrote `p` as planned, and moved `q`.
  const after = [...holding(6, 2), number('q', 1)];
  const [stale] = planned(asked, after, reviewed).plan.integrations;
  const moved = [{ address: CHANGE, by: 'server' }];
  expect(stale?.end).toEqual({ kind: 'stale', moved });
  expect(stale?.left).toMatchObject([{ because: 'not-reviewed' }]);
});

test('an integration that goes by another name is stale, once', () => {
  const { integrations, ...others } = savedPlan(
    planned('o: 7', holding(5)).plan,
  );
  const renamed = integrations.map((each) => ({ ...each, name: 'us' }));
  const reviewed = { ...others, integrations: renamed };
  const { plan, diagnostics } = planned('o: 7', holding(5), reviewed);
  const detail = UNPLANNED;
  expect(plan.integrations).toMatchObject([
    { name: 'us', id: 'vt', changes: [], end: { kind: 'stale', detail } },
  ]);
  expect(plan.integrations[0]?.lost).toEqual(renamed[0]?.changes);
  // Its differences are those that were reviewed.
  expect(diagnostics).toEqual([]);
});

test('an integration under a new id is stale under the old one, and its differences are not reviewed', () => {
  const yaml = 'vt: { match: vt_*, options: { o: 7 } }';
  const on = (id: string) => [liveIntegration(id, [number('o', 5)])];
  const reviewed = savedPlan(plannedFor(yaml, on('vt_1'), {}).plan);
  const again = plannedFor(yaml, on('vt_2'), { reviewed });
  expect(again.plan.integrations).toMatchObject([
    { id: 'vt_1', end: { kind: 'stale', detail: UNINSTALLED } },
    { id: 'vt_2', changes: [] },
  ]);
  expect(again.diagnostics.map(({ code }) => code)).toEqual(['not-reviewed']);
});

describe('a reviewed plan', () => {
  const live = [
    liveIntegration('vt', [
      number('o', 5),
      liveOption('key', { value: readable('old') }),
    ]),
  ];
  const own = { id: 'vt' };
  const stale = (detail: string) => ({ kind: 'stale', moved: [], detail });
  const reviewing = (
    yaml: string,
    ...integrations: readonly IntegrationDocument[]
  ): readonly IntegrationPlan[] => {
    const reviewed = serverOf('s', integrations);
    const none = yaml === '' ? { desired: [] } : {};
    const asked = yaml === '' ? 'vt: { options: { o: 7 } }' : yaml;
    return plannedFor(asked, live, { reviewed, ...none }).plan.integrations;
  };
  const change = changeOf('vt', 1, { address: CHANGE, before: 5, after: 7 });
  const asked = 'vt: { options: { o: 7 } }';
  test('makes stale what is not planned any more, if it had a change', () => {
    const gone = integrationOf('us', [changeOf('us', 1)], { id: 'us' });
    const vt = integrationOf('vt', [change], own);
    const plans = reviewing('', vt, gone, integrationOf('none', []));
    expect(plans.map(({ name, status, end }) => [name, status, end])).toEqual([
      ['us', null, stale(UNINSTALLED)],
      ['vt', null, stale(UNPLANNED)],
    ]);
    expect(plans.map(({ lost }) => lost)).toEqual([gone.changes, [change]]);
  });
  test('keeps the changes of a stale integration that it has no more', () => {
    const other = { ...change, address: 'vt.options.gone.value' };
    const reviewed = integrationOf('vt', [change, other], own);
    const [plan] = reviewing(asked, reviewed);
    expect([plan?.changes.length, plan?.lost]).toEqual([1, [other]]);
  });
  test('gives changes their labels, and what the base declared', () => {
    const conflict = { ...change, label: 'conflict', base: 3 } as const;
    const [plan] = reviewing(asked, integrationOf('vt', [conflict], own));
    expect(addressesOf(plan?.changes ?? [])).toEqual([CHANGE]);
    expect(plan?.changes).toMatchObject([{ label: 'conflict', base: 3 }]);
    expect(plan?.end).toBeUndefined();
    const [bare] = reviewing(asked, integrationOf('vt', [change], own));
    expect(bare?.changes).toMatchObject([{ label: 'change', base: undefined }]);
  });
  test('leaves what it does not have, or has no change of, to be counted', () => {
    for (const reviewed of [[], [integrationOf('vt', [], own)]]) {
      const plans = reviewing(asked, ...reviewed);
      expect(plans).toMatchObject([{ name: 'vt', changes: [] }]);
      expect(plans[0]?.left.map(({ because }) => because)).toEqual([
        'not-reviewed',
      ]);
      expect(plans[0]?.end).toBeUndefined();
    }
  });
  test.each<['secret' | 'shown', Partial<ChangeDocument>]>([
    ['secret', { secret: true, before: null, after: null }],
    ['secret', { ofSecret: true }],
    ['shown', {}],
  ])('keeps an option %s by its change %j', (kind, was) => {
    const sides = { before: 'old', after: 'new', ...was };
    const address = 'vt.options.key.value';
    const key = changeOf('vt', 1, { address, ...sides });
    const yaml = 'vt: { options: { key: new } }';
    const [plan] = reviewing(yaml, integrationOf('vt', [key], own));
    const afters = plan?.changes.map(({ comparison }) => comparison.after.kind);
    expect(afters).toEqual([kind]);
  });
  test('keeps an option secret by its permission, too', () => {
    const key = changeOf('vt', 1, {
      address: 'vt.options.key.permission',
      before: 'lock-and-hide',
      after: 'lock-and-show',
      ofSecret: true,
    });
    const [plan] = reviewing(
      'vt: { options: { key: { value: new, permission: lock-and-show } } }',
      integrationOf('vt', [key], own),
    );
    expect(plan?.changes).toMatchObject([
      { comparison: { isSecret: true }, risks: ['exposes-secret'] },
    ]);
    expect(plan?.left).toMatchObject([
      { comparison: { after: { kind: 'secret' } } },
    ]);
  });
});
