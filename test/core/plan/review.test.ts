import { describe, expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import {
  type ChangeDocument,
  type IntegrationDocument,
  type IntegrationPlan,
  type Planned,
  type ServerDocument,
  UNINSTALLED,
} from '../../../src/core/plan/plan.ts';
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

interface Row {
  readonly name: string;
  readonly yaml: string;
  readonly options: readonly LiveOption[];
  readonly end?: 'stale' | 'done';
  readonly by?: 'server' | 'configuration';
  readonly changes: readonly string[];
  /** How many differences were not reviewed. */
  readonly differences?: number;
}

describe('the reviewed change of `o` from 5 to 7', () => {
  test.each<Row>([
    {
      name: 'is done if it is at its planned value',
      yaml: 'o: 7',
      options: holding(7),
      end: 'done',
      changes: [],
    },
    {
      name: 'is stale if it is no longer managed',
      yaml: 'p: 1',
      options: holding(5),
      end: 'stale',
      by: 'configuration',
      changes: [],
    },
    {
      name: 'is written alone if another field differs too',
      yaml: 'o: 7, p: 2',
      options: holding(5),
      changes: [CHANGE],
      differences: 1,
    },
  ])('$name', ({ yaml, options, end, by, changes, differences }) => {
    const reviewed = savedPlan(planned('o: 7', holding(5)).plan);
    const { plan, diagnostics } = planned(yaml, options, reviewed);
    const [integration] = plan.integrations;
    const moved = by === undefined ? {} : { moved: [{ address: CHANGE, by }] };
    const expected = end === undefined ? undefined : { kind: end, ...moved };
    expect(integration?.end).toEqual(expected);
    expect(addressesOf(integration?.changes ?? [])).toEqual(changes);
    const found = differences === undefined ? [] : [{ differences }];
    expect(diagnostics.map(({ facts }) => facts)).toEqual(found);
  });
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
    const plans = reviewing(
      '',
      integrationOf('vt', [change], own),
      gone,
      integrationOf('none', []),
    );
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
  test.each<{ was: Partial<ChangeDocument>; kind: 'secret' | 'shown' }>([
    { was: { secret: true, before: null, after: null }, kind: 'secret' },
    { was: { ofSecret: true }, kind: 'secret' },
    { was: {}, kind: 'shown' },
  ])('keeps an option secret by its change $was: $kind', ({ was, kind }) => {
    const address = 'vt.options.key.value';
    const key = changeOf('vt', 1, {
      address,
      before: 'old',
      after: 'new',
      ...was,
    });
    const [plan] = reviewing(
      'vt: { options: { key: new } }',
      integrationOf('vt', [key], own),
    );
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
