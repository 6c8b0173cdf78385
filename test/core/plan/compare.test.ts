import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReferenceTable } from '../../../src/core/config/resolve.ts';
import type { LiveIntegration, LiveOption, LiveValue } from '../../../src/core/model/live.ts';
import { reveal, type Secret } from '../../../src/core/model/secret.ts';
import { canonicalText, type OptionValue } from '../../../src/core/model/value.ts';
import { compare } from '../../../src/core/plan/compare.ts';
import { documentOf, type ServerPlan } from '../../../src/core/plan/plan.ts';
import { type Planned, planServer } from '../../../src/core/plan/plan-server.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { edited } from '../../support/edited.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const EDITS = 10_000;

const fingerprint = (address: string, value: OptionValue | Secret<OptionValue>) =>
  `${address}#${canonicalText(reveal(value))}`;
const env = (key: string): ReferenceTable => ({
  env: new Map([['SETPOINT_KEY', { text: key }]]),
  file: new Map(),
});
const masked: LiveValue = { kind: 'unreadable', reason: 'masked' };

/** Plans a YAML against what is live; secrets that cannot be read are written where `writes` says so. */
function planned(yaml: string, live: readonly LiveIntegration[], key = 'n3wkey', writes = false): Planned {
  const table = env(key);
  const { value } = planServer({
    server: { name: 's', url: 'https://s' },
    desired: desiredOf(validConfig(entries(yaml)), live, table),
    live,
    reads: 1,
    secrets: {
      fingerprint,
      isKnown: () => false,
      writesUnreadable: () => writes,
    },
  });
  if (value === undefined) throw new Error('no plan');
  return value;
}

/** A plan as it comes back from a file. */
function reviewed({ plan }: Planned): ServerPlan<null> {
  return JSON.parse(JSON.stringify(documentOf(plan)));
}

/** What is to be done now, by the name of the integration: a verdict, or of what is stale the sides that moved. */
function verdicts(now: Planned, was: ServerPlan<null>): Record<string, string> {
  const { plan, verdicts: found } = compare(now, was, fingerprint);
  return Object.fromEntries(
    plan.integrations.flatMap(({ id, name }) => {
      const verdict = found.get(id);
      if (verdict === undefined) return [];
      const sides = verdict.kind === 'stale' ? verdict.moved.map(({ by }) => by) : [];
      return [[name, [verdict.kind, ...new Set(sides)].join(' ')]];
    }),
  );
}

const vt = (option: Partial<LiveOption> = {}, other: Partial<LiveOption> = {}, id = 'vt') =>
  liveIntegration(id, [
    liveOption('key', { type: 'password', ...option }),
    liveOption('n', { type: 'number', value: readable(4), ...other }),
    liveOption('m', { value: readable('m') }),
  ]);
const YAML = 'vt: { autosubscribe: true, options: { key: "${env:SETPOINT_KEY}", n: 9, m: m } }';
const OLD = { value: readable('0ldkey') };
const NEW = { value: readable('n3wkey') };

describe('what is left to do', () => {
  const plan = reviewed(planned(YAML, [vt(OLD)]));
  const subscribed = (live: LiveIntegration) => ({ ...live, autosubscribe: true });
  test.each<[string, Planned, string | undefined]>([
    ['all of it', planned(YAML, [vt(OLD)]), 'write'],
    ['one PATCH of two', planned(YAML, [vt(NEW, { value: readable(9) })]), 'write'],
    ['the other PATCH', planned(YAML, [subscribed(vt(OLD))]), 'write'],
    ['nothing', planned(YAML, [subscribed(vt(NEW, { value: readable(9) }))]), 'done'],
    ['a number that is stored as text now', planned(YAML, [vt(OLD, { value: readable('4') })]), 'write'],
    ['a number that was written by hand', planned(YAML, [vt(OLD, { value: readable(5) })]), 'stale server'],
    ['a secret that was replaced', planned(YAML, [vt({ value: readable('by-hand') })]), 'stale server'],
    ['a secret that was taken away', planned(YAML, [vt({ value: { kind: 'empty' } })]), 'stale server'],
    ['a secret that is hidden now', planned(YAML, [vt({ value: masked })]), 'stale server'],
    [
      'a secret that is hidden, on request',
      planned(YAML, [vt({ value: masked })], undefined, true),
      'stale server',
    ],
    [
      'a field that has drifted',
      planned(YAML, [
        {
          ...vt(OLD),
          options: new Map([...vt(OLD).options, ['m', liveOption('m', { value: readable('x') })]]),
        },
      ]),
      'stale either',
    ],
    ['another value', planned(YAML.replace('n: 9', 'n: 8'), [vt(OLD)]), 'stale configuration'],
    ['the live value', planned(YAML.replace('n: 9', 'n: 4'), [vt(OLD)]), 'stale configuration'],
    ['a field less', planned(YAML.replace('n: 9, ', ''), [vt(OLD)]), 'stale unmanaged'],
    ['another secret', planned(YAML, [vt(OLD)], 'other'), 'stale configuration'],
    ['the old secret', planned(YAML, [vt(OLD)], '0ldkey'), 'stale configuration'],
    ['the secret in clear', planned(YAML.replace('"${env:SETPOINT_KEY}"', 'n3wkey'), [vt(OLD)]), 'write'],
    [
      'no such integration',
      planned('x: { options: { n: 4 } }', [vt(OLD), vt(OLD, {}, 'x')]),
      'stale unmanaged',
    ],
    ['it is gone', planned('x: { options: { n: 4 } }', [vt(OLD, {}, 'x')]), 'stale server'],
    ['another id', planned(YAML.replace('{', '{ match: "vt*",'), [vt(OLD, {}, 'vt_2')]), 'stale server'],
    [
      'the other of two',
      planned(YAML.replace('{', '{ match: "vt_2",'), [vt(OLD), vt(OLD, {}, 'vt_2')]),
      'stale configuration',
    ],
  ])('%s', (_, now, expected) => {
    expect(verdicts(now, plan)['vt']).toBe(expected);
  });
  test('an integration that was as desired, or not managed', () => {
    const now = planned(`${YAML}\nx: { options: { n: 9 } }`, [vt(OLD), vt(OLD, {}, 'x')]);
    expect(verdicts(now, plan)).toEqual({ vt: 'write', x: 'stale either' });
    const quiet = planned(`${YAML}\nx: { options: { n: 4 } }`, [vt(OLD), vt(OLD, {}, 'x')]);
    expect(verdicts(quiet, plan)).toEqual({ vt: 'write' });
    expect(verdicts(now, reviewed(quiet))).toEqual({ vt: 'write', x: 'stale either' });
  });
  test('a field that is managed since', () => {
    const before = reviewed(planned('vt: { options: { n: 9 } }', [vt(OLD)]));
    const now = planned('vt: { options: { n: 9, m: x } }', [vt(OLD)]);
    expect(verdicts(now, before)).toEqual({ vt: 'stale managed' });
  });
  test('an integration under another name is one, and moved in the configuration', () => {
    const renamed = planned(YAML.replace('vt:', 'other: ').replace('{', '{ match: vt,'), [vt(OLD)]);
    expect(verdicts(renamed, plan)).toEqual({ other: 'stale unmanaged managed' });
  });
  test('a plan without fingerprints says nothing of its secrets', () => {
    const bare = JSON.parse(JSON.stringify(plan), (name, value) =>
      /fingerprint/i.test(name) ? undefined : value,
    );
    expect(verdicts(planned(YAML, [vt(OLD)]), bare)).toEqual({ vt: 'stale configuration' });
  });
});

describe('a secret that cannot be read', () => {
  const before = planned(YAML, [vt({ value: masked })], undefined, true);
  const plan = reviewed(before);
  test('is written again, whatever is done beside it', () => {
    const beside = { ...vt({ value: masked }, { value: readable(9) }), autosubscribe: true };
    const now = planned(YAML, [beside], undefined, true);
    expect(verdicts(now, plan)).toEqual({ vt: 'write' });
    expect(now.plan.summary.changes).toBe(1);
  });
  test('is written again where it was empty when it was planned', () => {
    const empty = reviewed(planned(YAML, [vt()]));
    expect(verdicts(planned(YAML, [vt({ value: masked })], undefined, true), empty)).toEqual({ vt: 'write' });
    expect(verdicts(planned(YAML, [vt(OLD)]), empty)).toEqual({ vt: 'stale server' });
  });
  test('is done once it can be read and is as planned; any other is stale', () => {
    const beside = { value: readable(9) };
    const done = { ...vt(NEW, beside), autosubscribe: true };
    expect(verdicts(planned(YAML, [done], undefined, true), plan)).toEqual({ vt: 'done' });
    expect(verdicts(planned(YAML, [vt(OLD)], undefined, true), plan)).toEqual({ vt: 'stale server' });
  });
});

describe('words', () => {
  test('hold no secret', () => {
    const plan = reviewed(planned(YAML, [vt(OLD)]));
    for (const now of [
      planned(YAML, [vt({ value: readable('by-hand') })]),
      planned(YAML, [vt(OLD)], 'other'),
      planned(YAML, [vt(NEW)], 'n3wkey'),
    ])
      expect(JSON.stringify([...compare(now, plan, fingerprint).verdicts])).not.toMatch(
        /0ldkey|n3wkey|by-hand|other"/,
      );
  });
});

test(`of ${EDITS} edited plans none widens what is asked for`, () => {
  const yaml = `${YAML}\nx: { options: { n: 9 } }\ny: { options: { n: 4 } }`;
  const live = [vt(OLD), vt(OLD, {}, 'x'), vt(OLD, {}, 'y')];
  const now = planned(yaml, live);
  const plan = reviewed(now);
  const asked = new Map(now.plan.integrations.map((each) => [each.id, each]));
  const seen = { write: 0, stale: 0 };
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      // What has not the shape of a plan does not come this far.
      const integrations = edited(plan.integrations, seed).filter(
        (each) => typeof each === 'object' && each !== null && Array.isArray(each.changes),
      );
      const sound = integrations.map((each) => ({
        ...each,
        changes: each.changes.filter((change) => typeof change === 'object' && change !== null),
      }));
      const { plan: compared, verdicts: found } = compare(now, { ...plan, integrations: sound }, fingerprint);
      for (const { id, changes } of compared.integrations) {
        const kind = found.get(id)?.kind ?? (changes.length === 0 ? 'none' : 'unjudged');
        expect(['write', 'done', 'stale', 'none']).toContain(kind);
        if (kind === 'write') expect(changes).toEqual(asked.get(id)?.changes);
        if (kind === 'write' || kind === 'stale') seen[kind] += 1;
      }
    }),
    { numRuns: EDITS },
  );
  expect(seen.write).toBeGreaterThan(EDITS / 4);
  expect(seen.stale).toBeGreaterThan(EDITS / 4);
});
