import { expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import type { ServerDocument } from '../../../src/core/plan/plan.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';
import { savedPlan } from '../../support/saved-plan.ts';

const server = { name: 's', url: 'https://s' };

/** The plan of option `o` of `vt`, with what is live; against a reviewed plan if there is one. */
function planned(
  yaml: string,
  options: readonly LiveOption[],
  reviewed?: ServerDocument,
) {
  const live = [liveIntegration('vt', options)];
  const desired = desiredOf(
    validConfig(entries(`vt: { options: { ${yaml} } }`)),
    live,
  );
  return planServer({ server, desired, live, reads: 1, reviewed });
}

const holding = (o: number, p = 1) => [
  liveOption('o', { type: 'number', value: readable(o) }),
  liveOption('p', { type: 'number', value: readable(p) }),
];

/** What becomes of the reviewed change of `o` from 5 to 7. */
function verdict(yaml: string, options: readonly LiveOption[]) {
  const reviewed = savedPlan(planned('o: 7', holding(5)).plan);
  const { plan, diagnostics } = planned(yaml, options, reviewed);
  const found = plan.integrations.find(({ id }) => id === 'vt')?.end;
  const by = found?.kind === 'stale' ? found.moved.map((each) => each.by) : [];
  const written = plan.integrations.flatMap(({ changes }) =>
    changes.map(({ address }) => address),
  );
  return [found?.kind, by, written, diagnostics.map(({ facts }) => facts)];
}

const CHANGE = 'vt.options.o.value';

test.each([
  ['nothing moved', 'o: 7', holding(5), [undefined, [], [CHANGE], []]],
  ['it is at its planned value', 'o: 7', holding(7), ['done', [], [], []]],
  ['the server moved', 'o: 7', holding(6), ['stale', ['server'], [CHANGE], []]],
  [
    'the configuration moved',
    'o: 8',
    holding(5),
    ['stale', ['configuration'], [CHANGE], []],
  ],
  [
    'both are at another value',
    'o: 9',
    holding(9),
    ['stale', ['configuration'], [], []],
  ],
  [
    'it is no longer managed',
    'p: 1',
    holding(5),
    ['stale', ['configuration'], [], []],
  ],
  [
    'another field differs too',
    'o: 7, p: 2',
    holding(5),
    [undefined, [], [CHANGE], [{ differences: 1 }]],
  ],
] as const)('a reviewed change if %s', (_, yaml, options, expected) => {
  expect(verdict(yaml, options)).toEqual(expected);
});

test.each([
  [
    'the same',
    '{ value: a-secret, sensitive: true, rotated: 2026-01-01 }',
    undefined,
  ],
  [
    'rotated',
    '{ value: a-secret, sensitive: true, rotated: 2026-02-02 }',
    'stale',
  ],
])('a secret whose declaration is %s', (_, declared, expected) => {
  const options = [liveOption('o', { value: readable('old') })];
  const reviewed = savedPlan(
    planned(
      'o: { value: a-secret, sensitive: true, rotated: 2026-01-01 }',
      options,
    ).plan,
  );
  const [again] = planned(`o: ${declared}`, options, reviewed).plan
    .integrations;
  expect(again?.end?.kind).toBe(expected);
});

test('an integration that goes by another name is stale, once', () => {
  const reviewed = savedPlan(planned('o: 7', holding(5)).plan);
  const renamed = {
    ...reviewed,
    integrations: reviewed.integrations.map((each) => ({
      ...each,
      name: 'us',
    })),
  };
  const end = {
    kind: 'stale',
    became: { kind: 'other-name', now: 'vt' },
  };
  expect(planned('o: 7', holding(5), renamed).plan.integrations).toMatchObject([
    { name: 'us', id: 'vt', changes: [], end },
  ]);
});
