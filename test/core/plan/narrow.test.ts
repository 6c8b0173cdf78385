import { expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { narrow } from '../../../src/core/plan/saved.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';
import { savedPlan } from '../../support/saved-plan.ts';

type Reviewed = Parameters<typeof narrow>[1];

const writesHidden = () => false;
const server = { name: 's', url: 'https://s' };

/** The plan of option `o` of `vt`, with what is live; against a reviewed plan if there is one. */
function planned(yaml: string, options: readonly LiveOption[], reviewed?: Reviewed) {
  const live = [liveIntegration('vt', options)];
  const desired = desiredOf(validConfig(entries(`vt: { options: { ${yaml} } }`)), live);
  const leaves = { waivers: [], today: '2026-11-22', reviewed };
  return planServer({ server, desired, live, reads: 1, writesHidden, leaves }).value;
}

const holding = (o: number, p = 1) => [
  liveOption('o', { type: 'number', value: readable(o) }),
  liveOption('p', { type: 'number', value: readable(p) }),
];

/** What becomes of the reviewed change of `o` from 5 to 7. */
function verdict(yaml: string, options: readonly LiveOption[]) {
  const reviewed = savedPlan(planned('o: 7', holding(5)).plan);
  const now = planned(yaml, options, reviewed);
  const { verdicts, plan } = narrow(now, reviewed);
  const found = verdicts.get('vt');
  const by = found?.kind === 'stale' ? found.moved.map((each) => each.by) : [];
  const written = plan.integrations.flatMap(({ changes }) => changes.map(({ address }) => address));
  return [found?.kind, by, written, now.unreviewed];
}

const CHANGE = 'vt.options.o.value';

test.each([
  ['nothing moved', 'o: 7', holding(5), ['write', [], [CHANGE], 0]],
  ['it is at its planned value', 'o: 7', holding(7), ['done', [], [], 0]],
  ['the server moved', 'o: 7', holding(6), ['stale', ['server'], [CHANGE], 0]],
  ['the configuration moved', 'o: 8', holding(5), ['stale', ['configuration'], [CHANGE], 0]],
  ['both are at another value', 'o: 9', holding(9), ['stale', ['configuration'], [], 0]],
  ['it is no longer managed', 'p: 1', holding(5), ['stale', ['configuration'], [], 0]],
  ['another field differs too', 'o: 7, p: 2', holding(5), ['write', [], [CHANGE], 1]],
] as const)('a reviewed change if %s', (_, yaml, options, expected) => {
  expect(verdict(yaml, options)).toEqual(expected);
});

test.each([
  ['the same', '{ value: a-secret, rotated: 2026-01-01 }', 'write'],
  ['rotated', '{ value: a-secret, rotated: 2026-02-02 }', 'stale'],
])('a secret whose declaration is %s', (_, declared, expected) => {
  const options = [liveOption('o', { type: 'password', value: readable('old') })];
  const reviewed = savedPlan(planned('o: { value: a-secret, rotated: 2026-01-01 }', options).plan);
  const { verdicts } = narrow(planned(`o: ${declared}`, options, reviewed), reviewed);
  expect(verdicts.get('vt')?.kind).toBe(expected);
});

test('an integration that goes by another name is stale, once', () => {
  const reviewed = savedPlan(planned('o: 7', holding(5)).plan);
  const renamed = {
    ...reviewed,
    integrations: reviewed.integrations.map((each) => ({ ...each, name: 'us' })),
  };
  const { plan, verdicts } = narrow(planned('o: 7', holding(5), renamed), renamed);
  expect(plan.integrations).toMatchObject([{ name: 'us', id: 'vt', changes: [] }]);
  expect(verdicts.get('vt')).toMatchObject({
    kind: 'stale',
    moved: [{ address: 'us', by: 'configuration' }],
  });
});
