import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReferenceTable } from '../../../src/core/config/resolve.ts';
import type { LiveIntegration, LiveOption, LiveValue } from '../../../src/core/model/live.ts';
import { hide } from '../../../src/core/model/secret.ts';
import { compare } from '../../../src/core/plan/compare.ts';
import { type Fingerprints, fingerprinter } from '../../../src/core/plan/fingerprint.ts';
import { documentOf, type ServerPlan } from '../../../src/core/plan/plan.ts';
import { type Planned, planServer } from '../../../src/core/plan/plan-server.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { edited } from '../../support/edited.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';
import { seeds } from '../../support/soak.ts';

const EDITS = seeds(500, 10_000);

const KEYED = fingerprinter(() => Buffer.alloc(32, 1));
const OTHER_KEY = fingerprinter(() => Buffer.alloc(32, 2));
const env = (key: string): ReferenceTable => ({
  env: new Map([['SETPOINT_KEY', { text: hide(key) }]]),
  file: new Map(),
});
const [OLD_KEY, NEW_KEY] = ['0ldkey-of-vt', 'n3wkey-of-vt'];
const masked: LiveValue = { kind: 'unreadable', reason: 'masked' };

interface Wish {
  /** What the environment holds. */
  readonly key?: string;
  /** Whether secrets that cannot be read are written. */
  readonly writes?: boolean;
  /** `undefined` for a login by password. */
  readonly fingerprints?: Fingerprints | undefined;
}

/** Plans a YAML against what is live, with fingerprints unless it is wished otherwise. */
function planned(yaml: string, live: readonly LiveIntegration[], wish: Wish = {}): Planned {
  const { key = NEW_KEY, writes = false, fingerprints } = { fingerprints: KEYED, ...wish };
  const table = env(key);
  const { value } = planServer({
    server: { name: 's', url: 'https://s' },
    desired: desiredOf(validConfig(entries(yaml)), live, table),
    live,
    reads: 1,
    secrets: {
      fingerprints,
      isKnown: () => false,
      writesUnreadable: () => writes,
      writesUnknownFlags: () => false,
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
function verdicts(
  now: Planned,
  was: ServerPlan<null>,
  fingerprints: Fingerprints | undefined = KEYED,
): Record<string, string> {
  const { plan, verdicts: found } = compare(now, was, fingerprints);
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
const OLD = { value: readable(OLD_KEY) };
const NEW = { value: readable(NEW_KEY) };

describe('what is left to do', () => {
  const plan = () => reviewed(planned(YAML, [vt(OLD)]));
  const subscribed = (live: LiveIntegration) => ({ ...live, autosubscribe: true });
  test.each<[string, () => Planned, string | undefined]>([
    ['all of it', () => planned(YAML, [vt(OLD)]), 'write'],
    ['one PATCH of two', () => planned(YAML, [vt(NEW, { value: readable(9) })]), 'write'],
    ['the other PATCH', () => planned(YAML, [subscribed(vt(OLD))]), 'write'],
    ['nothing', () => planned(YAML, [subscribed(vt(NEW, { value: readable(9) }))]), 'done'],
    [
      'a number that is stored as text now',
      () => planned(YAML, [vt(OLD, { value: readable('4') })]),
      'write',
    ],
    [
      'a number that was written by hand',
      () => planned(YAML, [vt(OLD, { value: readable(5) })]),
      'stale server',
    ],
    [
      'a secret that was replaced',
      () => planned(YAML, [vt({ value: readable('by-hand-key') })]),
      'stale server',
    ],
    ['a secret that was taken away', () => planned(YAML, [vt({ value: { kind: 'empty' } })]), 'stale server'],
    ['a secret that is hidden now', () => planned(YAML, [vt({ value: masked })]), 'stale server'],
    [
      'a secret that is hidden, on request',
      () => planned(YAML, [vt({ value: masked })], { writes: true }),
      'stale server',
    ],
    [
      'a field that has drifted',
      () =>
        planned(YAML, [
          {
            ...vt(OLD),
            options: new Map([...vt(OLD).options, ['m', liveOption('m', { value: readable('x') })]]),
          },
        ]),
      'stale either',
    ],
    ['another value', () => planned(YAML.replace('n: 9', 'n: 8'), [vt(OLD)]), 'stale configuration'],
    ['the live value', () => planned(YAML.replace('n: 9', 'n: 4'), [vt(OLD)]), 'stale configuration'],
    ['a field less', () => planned(YAML.replace('n: 9, ', ''), [vt(OLD)]), 'stale unmanaged'],
    ['another secret', () => planned(YAML, [vt(OLD)], { key: 'another-key' }), 'stale configuration'],
    ['the old secret', () => planned(YAML, [vt(OLD)], { key: OLD_KEY }), 'stale configuration'],
    [
      'the secret in clear',
      () => planned(YAML.replace('"${env:SETPOINT_KEY}"', NEW_KEY), [vt(OLD)]),
      'write',
    ],
    [
      'no such integration',
      () => planned('x: { options: { n: 4 } }', [vt(OLD), vt(OLD, {}, 'x')]),
      'stale unmanaged',
    ],
    ['it is gone', () => planned('x: { options: { n: 4 } }', [vt(OLD, {}, 'x')]), 'stale server'],
    [
      'another id',
      () => planned(YAML.replace('{', '{ match: "vt*",'), [vt(OLD, {}, 'vt_2')]),
      'stale server',
    ],
    [
      'the other of two',
      () => planned(YAML.replace('{', '{ match: "vt_2",'), [vt(OLD), vt(OLD, {}, 'vt_2')]),
      'stale configuration',
    ],
  ])('%s', (_, now, expected) => {
    expect(verdicts(now(), plan())['vt']).toBe(expected);
  });
  test('an integration that was as desired, or not managed', () => {
    const now = planned(`${YAML}\nx: { options: { n: 9 } }`, [vt(OLD), vt(OLD, {}, 'x')]);
    expect(verdicts(now, plan())).toEqual({ vt: 'write', x: 'stale either' });
    const quiet = planned(`${YAML}\nx: { options: { n: 4 } }`, [vt(OLD), vt(OLD, {}, 'x')]);
    expect(verdicts(quiet, plan())).toEqual({ vt: 'write' });
    expect(verdicts(now, reviewed(quiet))).toEqual({ vt: 'write', x: 'stale either' });
  });
  test('a field that is managed since', () => {
    const narrow = reviewed(planned('vt: { options: { n: 9 } }', [vt(OLD)]));
    const now = planned('vt: { options: { n: 9, m: x } }', [vt(OLD)]);
    expect(verdicts(now, narrow)).toEqual({ vt: 'stale managed' });
  });
  test('an integration under another name is one, and moved in the configuration', () => {
    const renamed = planned(YAML.replace('vt:', 'other: ').replace('{', '{ match: vt,'), [vt(OLD)]);
    expect(verdicts(renamed, plan())).toEqual({ other: 'stale unmanaged managed' });
  });
});

describe('a select that was written by its value', () => {
  const asked = 'vt: { autosubscribe: true, options: { mode: fast, tags: [b, a], size: big } }';
  const shown = (text: string) => ({ value: text, display: `The ${text} one` });
  const live = (isApplied: boolean, autosubscribe: boolean) =>
    liveIntegration(
      'vt',
      [
        liveOption('mode', { type: 'select', value: readable(shown(isApplied ? 'fast' : 'slow')) }),
        liveOption('tags', {
          type: 'select',
          multiple: true,
          value: isApplied ? readable([shown('a'), shown('b')]) : { kind: 'empty' },
        }),
        // Its type is not served: it was written as a text.
        {
          key: 'size',
          permission: 'lock-and-hide',
          choices: [],
          value: isApplied ? readable(shown('big')) : { kind: 'empty' },
        },
      ],
      { autosubscribe },
    );
  const plan = () => reviewed(planned(asked, [live(false, false)]));
  test.each<[string, LiveIntegration, string]>([
    ['torn', live(true, false), 'write'],
    ['fully applied', live(true, true), 'done'],
  ])('is as planned whatever its display: %s', (_, now, expected) => {
    expect(verdicts(planned(asked, [now]), plan())).toEqual({ vt: expected });
  });
  test('is written where the server has listed its choices since', () => {
    const { options, ...rest } = live(false, false);
    const mode = liveOption('mode', {
      type: 'select',
      value: readable(shown('slow')),
      choices: [shown('fast'), shown('slow')],
    });
    const now = { ...rest, options: new Map([...options, ['mode', mode]]) };
    expect(verdicts(planned(asked, [now]), plan())).toEqual({ vt: 'write' });
  });
  test('is stale where another one is asked for, or held', () => {
    const other = asked.replace('fast', 'slow');
    expect(verdicts(planned(other, [live(true, true)]), plan())).toEqual({ vt: 'stale configuration' });
    expect(verdicts(planned(other, [live(false, false)]), plan())).toEqual({ vt: 'stale configuration' });
  });
});

describe('an integration that an error kept out of the reviewed plan', () => {
  const live = () => [vt(OLD), vt(OLD, {}, 'x')];
  const broken = () => reviewed(planned(`${YAML}\nx: { options: { nothing: 9 } }`, live()));
  test('has no part in it', () => {
    expect(broken().integrations.map(({ name, unplanned }) => [name, unplanned])).toEqual([
      ['vt', undefined],
      ['x', true],
    ]);
    const now = planned(`${YAML}\nx: { options: { n: 9, m: x } }`, live());
    expect(verdicts(now, broken())).toEqual({ vt: 'write', x: 'stale unplanned' });
    const { verdicts: found } = compare(now, broken(), KEYED);
    expect(found.get('x')).toEqual({ kind: 'stale', moved: [{ address: 'x', by: 'unplanned' }] });
  });
  test('is no matter where it is as desired', () => {
    expect(verdicts(planned(`${YAML}\nx: { options: { n: 4 } }`, live()), broken())).toEqual({ vt: 'write' });
  });
});

/** A plan without some of its fields. */
function without(fields: RegExp, plan: ServerPlan<null>): ServerPlan<null> {
  return JSON.parse(JSON.stringify(plan), (name, value) => (fields.test(name) ? undefined : value));
}

describe('without fingerprints', () => {
  const none = { fingerprints: undefined };
  const plan = () => reviewed(planned(YAML, [vt(OLD)], none));
  const verdict = (now: Planned, was = plan(), fingerprints?: Fingerprints) => {
    const { verdicts: found, isByReference } = compare(now, was, fingerprints);
    const of = found.get('vt');
    const moved = of?.kind === 'stale' ? of.moved.map(({ by }) => by) : [];
    return [of?.kind, ...moved, ...(isByReference ? ['by reference'] : [])].join(' ');
  };
  test.each<[string, string, () => Planned]>([
    ['what is equal by its reference is written', 'write', () => planned(YAML, [vt(OLD)], none)],
    ['another value behind it', 'write', () => planned(YAML, [vt(OLD)], { ...none, key: 'another-key' })],
    ['another live secret', 'write', () => planned(YAML, [vt({ value: readable('by-hand-key') })], none)],
    ['what it holds already', 'write', () => planned(YAML, [vt(NEW)], none)],
    [
      'all that it holds already',
      'done',
      () => planned(YAML, [{ ...vt(NEW, { value: readable(9) }), autosubscribe: true }], none),
    ],
  ])('%s: %s, and it is said', (_, expected, now) => {
    expect(verdict(now())).toBe(`${expected} by reference`);
    // A key that is there by now has nothing to compare.
    expect(verdict(now(), plan(), KEYED)).toBe(`${expected} by reference`);
  });
  test.each<[string, string, () => Planned]>([
    ['another reference', 'configuration', () => planned(YAML.replace('_KEY}', '_KEY:-x}'), [vt(OLD)], none)],
    [
      'a literal',
      'configuration',
      () => planned(YAML.replace('"${env:SETPOINT_KEY}"', NEW_KEY), [vt(OLD)], none),
    ],
    ['a secret that was taken away', 'server', () => planned(YAML, [vt({ value: { kind: 'empty' } })], none)],
    [
      'one that is hidden now',
      'server',
      () => planned(YAML, [vt({ value: masked })], { ...none, writes: true }),
    ],
  ])('%s is stale: %s', (_, side, now) => {
    expect(verdict(now())).toBe(`stale ${side}`);
  });
  test.each(['in-the-clear', '["${env:SETPOINT_KEY}", ip]'])('%s cannot be compared', (written) => {
    const yaml = `vt: { options: { key: ${written} } }`;
    const choices = ['ip', NEW_KEY].map((value) => ({ value, display: value }));
    const type = written.startsWith('[') ? { type: 'select', multiple: true, choices } : {};
    const live = (value: LiveValue) => vt({ ...type, value });
    const unset: LiveValue = { kind: 'empty' };
    const was = reviewed(planned(yaml, [live(unset)], none));
    expect(was.summary.changes).toBe(1);
    expect(verdict(planned(yaml, [live(unset)], none), was)).toBe('stale literal');
    const held = written.startsWith('[') ? readable([...choices]) : readable('in-the-clear');
    expect(verdict(planned(yaml, [live(held)], none), was)).toBe('stale literal');
  });
  test('a secret with a fallback cannot be compared, as no plan shows that', () => {
    const yaml = (fallback: string) => YAML.replace('_KEY}', `_KEY:-${fallback}}`);
    const was = reviewed(planned(yaml('one-of-them'), [vt(OLD)], none));
    for (const fallback of ['one-of-them', 'another-one'])
      expect(verdict(planned(yaml(fallback), [vt(OLD)], none), was)).toBe('stale literal');
    const keyed = reviewed(planned(yaml('one-of-them'), [vt(OLD)]));
    expect(verdict(planned(yaml('another-one'), [vt(OLD)]), keyed, KEYED)).toBe('write');
  });
  test('only what has no key either: of an edited plan with a key, no secret is compared', () => {
    const keyed = reviewed(planned(YAML, [vt(OLD)]));
    const bare = without(/^(fingerprint|beforeFingerprint)$/, keyed);
    expect(verdict(planned(YAML, [vt(OLD)]), bare, KEYED)).toBe('stale configuration');
    expect(verdict(planned(YAML, [vt(NEW)]), bare, KEYED)).toBe('stale configuration');
    const after = without(/^beforeFingerprint$/, keyed);
    expect(verdict(planned(YAML, [vt(OLD)]), after, KEYED)).toBe('stale server');
    const keyless = without(/fingerprint/i, keyed);
    expect(verdict(planned(YAML, [vt(OLD)]), keyless, KEYED)).toBe('write by reference');
  });
  test.each([
    ['another key', OTHER_KEY],
    ['no key', undefined],
  ])(
    'a plan with them is not compared under %s, and that is no matter of the references',
    (_, fingerprints) => {
      const keyed = reviewed(planned(YAML, [vt(OLD)]));
      const now = planned(YAML, [vt(OLD)], { fingerprints });
      expect(verdict(now, keyed, fingerprints)).toBe('stale key');
      expect(verdict(planned(YAML, [vt(NEW)], { fingerprints }), keyed, fingerprints)).toBe('stale key');
      expect(compare(now, keyed, fingerprints).isOtherKey).toBe(true);
      expect(verdict(now, without(/^fingerprintKey$/, keyed), undefined)).toBe('stale key');
    },
  );
  test('a short secret has none under a key: its reference decides', () => {
    const short = { key: 'n3wkey' };
    const live = [vt({ value: readable('0ldkey') })];
    const was = reviewed(planned(YAML, live, short));
    expect(JSON.stringify(was)).not.toMatch(/"(fingerprint|beforeFingerprint)"/);
    expect(verdict(planned(YAML, live, short), was, KEYED)).toBe('write');
    expect(verdict(planned(YAML, live), was, KEYED)).toBe('stale configuration');
    expect(verdict(planned(YAML, [vt(OLD)], short), was, KEYED)).toBe('stale server');
  });
});

describe('a secret that cannot be read', () => {
  const plan = () => reviewed(planned(YAML, [vt({ value: masked })], { writes: true }));
  test('is written again, whatever is done beside it', () => {
    const beside = { ...vt({ value: masked }, { value: readable(9) }), autosubscribe: true };
    const now = planned(YAML, [beside], { writes: true });
    expect(verdicts(now, plan())).toEqual({ vt: 'write' });
    expect(now.plan.summary.changes).toBe(1);
  });
  test('is written again where it was empty when it was planned', () => {
    const empty = reviewed(planned(YAML, [vt()]));
    expect(verdicts(planned(YAML, [vt({ value: masked })], { writes: true }), empty)).toEqual({
      vt: 'write',
    });
    expect(verdicts(planned(YAML, [vt(OLD)]), empty)).toEqual({ vt: 'stale server' });
  });
  test('is stale where a run with a key sees no fingerprint of it, unless the run itself is to write it', () => {
    const now = planned(YAML, [vt({ value: masked })], { writes: true });
    const bare = without(/fingerprint/i, plan());
    expect(verdicts(now, bare)).toEqual({ vt: 'stale unseen' });
    const asked = (address: string) => compare(now, bare, KEYED, (each) => each === address);
    expect(asked('vt.options.key.value').verdicts.get('vt')).toEqual({ kind: 'write' });
    expect(asked('vt.options.n.value').verdicts.get('vt')?.kind).toBe('stale');
    const short = { key: 'n3wkey', writes: true };
    const shortNow = planned(YAML, [vt({ value: masked })], short);
    expect(verdicts(shortNow, reviewed(shortNow))).toEqual({ vt: 'write' });
    expect(compare(now, bare, undefined).verdicts.get('vt')).toEqual({ kind: 'write' });
  });
  test('is done once it can be read and is as planned; any other is stale', () => {
    const beside = { value: readable(9) };
    const done = { ...vt(NEW, beside), autosubscribe: true };
    expect(verdicts(planned(YAML, [done], { writes: true }), plan())).toEqual({ vt: 'done' });
    expect(verdicts(planned(YAML, [vt(OLD)], { writes: true }), plan())).toEqual({ vt: 'stale server' });
  });
});

describe('what moved', () => {
  /** What of `vt`, or of `vt_2` in its place, moved since it was reviewed, or else the verdict. */
  const moved = (now: Planned, was: ServerPlan<null>, fingerprints: Fingerprints | undefined = KEYED) => {
    const { verdicts: found } = compare(now, was, fingerprints);
    const verdict = found.get('vt') ?? found.get('vt_2');
    return verdict?.kind === 'stale' ? verdict.moved : verdict?.kind;
  };
  const one = (option: string) => `vt: { options: { ${option} } }`;
  const key = 'vt.options.key.value';
  const asked = one('key: "${env:SETPOINT_KEY}"');
  const differs = 'a different secret';
  test.each<[string, () => Planned, object]>([
    [
      'another secret is asked for',
      () => planned(asked, [vt(OLD)], { key: 'another-key' }),
      { by: 'configuration', before: 'a secret', now: differs },
    ],
    [
      'another secret is there already, as desired',
      () => planned(asked, [vt({ value: readable('another-key') })], { key: 'another-key' }),
      { by: 'configuration', before: 'a secret', now: differs },
    ],
    [
      'another secret is there, and hidden no more',
      () =>
        planned(one('key: { value: another-key, sensitive: false }'), [
          vt({ value: readable('another-key') }),
        ]),
      { by: 'configuration', before: 'a secret', now: differs },
    ],
    [
      'another secret was set by hand',
      () => planned(asked, [vt({ value: readable('by-hand-key') })]),
      { by: 'server', before: 'a secret', now: differs },
    ],
    [
      'the secret was taken away',
      () => planned(asked, [vt({ value: { kind: 'empty' } })]),
      { by: 'server', before: 'a secret', now: 'nothing' },
    ],
    [
      'the secret is masked now',
      () => planned(asked, [vt({ value: masked })]),
      { by: 'server', before: 'a secret', now: 'unreadable' },
    ],
    [
      'its option is listed, but not shown any more',
      () => planned(asked, [liveIntegration('vt', [], { optionKeys: new Set(['key']) })]),
      { by: 'server', before: 'a secret', now: 'unreadable' },
    ],
    ['it is under another key', () => planned(asked, [vt(OLD)], { fingerprints: OTHER_KEY }), { by: 'key' }],
    [
      'its option is no longer managed, beside one that is not shown',
      () => planned(one('n: 9'), [vt(OLD, { value: masked })]),
      { by: 'unmanaged' },
    ],
    [
      'its integration is gone',
      () => planned('x: { options: { n: 4 } }', [vt(OLD, {}, 'x')]),
      {
        by: 'server',
        before: 'a secret',
        now: 'gone with its integration',
      },
    ],
  ])('of a secret: %s', (_, now, expected) => {
    const was = reviewed(planned(asked, [vt(OLD)]));
    const planning = now();
    const fingerprints = 'by' in expected && expected.by === 'key' ? OTHER_KEY : KEYED;
    expect(moved(planning, was, fingerprints)).toEqual([{ address: key, ...expected }]);
    expect(JSON.stringify([...compare(planning, was, fingerprints).verdicts])).not.toMatch(
      /0ldkey|n3wkey|by-hand|another-key/,
    );
  });

  test('of a first secret: another one is asked for', () => {
    const was = reviewed(planned(asked, [vt()]));
    expect(moved(planned(asked, [vt()], { key: 'another-key' }), was)).toEqual([
      { address: key, by: 'configuration', before: 'a secret', now: differs },
    ]);
  });
  test('of a secret in clear without fingerprints: nobody can tell', () => {
    const inClear = () => planned(one('key: in-the-clear'), [vt(OLD)], { fingerprints: undefined });
    expect(moved(inClear(), reviewed(inClear()), undefined)).toEqual([{ address: key, by: 'literal' }]);
  });
  test('of a secret: a plan that was edited to hold its placeholder in clear', () => {
    const plan = reviewed(planned(asked, [vt(OLD)]));
    const edited = JSON.parse(JSON.stringify(plan), (name, value) => {
      if (name === 'sensitive') return false;
      return ['before', 'after'].includes(name) ? '[secret]' : value;
    });
    expect(moved(planned(asked, [vt(OLD)]), edited)).toMatchObject([{ address: key, by: 'configuration' }]);
  });

  /** All that `vt` may be asked for in clear. */
  const plain = one('n: 9, m: { permission: lock-and-show }').replace('{', '{ autosubscribe: true,');
  const text = (permission: LiveOption['permission']) =>
    liveOption('m', { value: readable('m'), permission });
  const number = (value: LiveValue) => liveOption('n', { type: 'number', value });
  const [four, nine] = [number(readable(4)), number(readable(9))];
  const hidden = text('lock-and-hide');
  const [n, m, all] = ['vt.options.n.value', 'vt.options.m.permission', 'vt.autosubscribe'];
  const gone = 'gone with its integration';
  const unseen = 'not shown by the server';
  test.each<[string, () => Planned, string | readonly object[]]>([
    [
      'other values are asked for',
      () =>
        planned(plain.replace('9', '8').replace('show', 'hide'), [
          liveIntegration('vt', [four, text('invalid')]),
        ]),
      [
        { address: n, by: 'configuration', before: '9', now: '8' },
        { address: m, by: 'configuration', before: 'lock-and-show', now: 'lock-and-hide' },
      ],
    ],
    [
      'what is there is asked for',
      () =>
        planned(plain.replace('9', '4').replace('true', 'false'), [liveIntegration('vt', [four, hidden])]),
      [
        { address: n, by: 'configuration', before: '9', now: '4' },
        { address: all, by: 'configuration', before: 'true', now: 'false' },
      ],
    ],
    [
      'what is there is asked for, as a secret',
      () =>
        planned(plain.replace('n: 9', 'n: { value: 4, sensitive: true }'), [
          liveIntegration('vt', [four, hidden]),
        ]),
      [{ address: n, by: 'configuration', before: '9', now: differs }],
    ],
    [
      'what was asked for is a secret now',
      () =>
        planned(plain.replace('n: 9', 'n: { value: 9, sensitive: true }'), [
          liveIntegration('vt', [four, hidden]),
        ]),
      [{ address: n, by: 'configuration', before: '9', now: 'a secret' }],
    ],
    [
      'the server holds other values',
      () => planned(plain, [liveIntegration('vt', [number(readable(5)), text('user-provides')])]),
      [
        { address: n, by: 'server', before: '4', now: '5' },
        { address: m, by: 'server', before: 'lock-and-hide', now: 'user-provides' },
      ],
    ],
    [
      'the server shows nothing of them',
      () => {
        const { autosubscribe: _flag, ...live } = liveIntegration('vt', [number(masked), text('unknown')]);
        return planned(plain, [live]);
      },
      [
        { address: n, by: 'server', before: '4', now: unseen },
        { address: m, by: 'server', before: 'lock-and-hide', now: unseen },
        { address: all, by: 'server', before: 'false', now: unseen },
      ],
    ],
    [
      'their options are only listed',
      () => planned(plain, [liveIntegration('vt', [], { optionKeys: new Set(['m', 'n']) })]),
      [
        { address: n, by: 'server', before: '4', now: unseen },
        { address: m, by: 'server', before: 'lock-and-hide', now: unseen },
      ],
    ],
    [
      'less is managed, beside what is not shown',
      () => planned(one('n: 9'), [liveIntegration('vt', [number(masked), hidden])]),
      [
        { address: n, by: 'server', before: '4', now: unseen },
        { address: m, by: 'unmanaged' },
        { address: all, by: 'unmanaged' },
      ],
    ],
    [
      'more is managed',
      () =>
        planned(plain.replace('9,', '9, x: y,'), [liveIntegration('vt', [four, hidden, liveOption('x')])]),
      [{ address: 'vt.options.x.value', by: 'managed', now: '"y"' }],
    ],
    [
      'the name means another integration, though the first is there',
      () =>
        planned(plain.replace('{', '{ match: vt_2,'), [
          liveIntegration('vt', [four, hidden]),
          liveIntegration('vt_2', [four, hidden]),
        ]),
      [{ address: 'vt', by: 'configuration', before: 'vt', now: 'vt_2' }],
    ],
    [
      'the server has another integration in its place',
      () => planned(plain.replace('{', '{ match: "vt*",'), [liveIntegration('vt_2', [four, hidden])]),
      [{ address: 'vt', by: 'server', before: 'vt', now: 'vt_2' }],
    ],
    [
      'it has another name, and so other addresses',
      () =>
        planned(plain.replace('vt: {', 'other: { match: vt,').replace(/autosubscribe: true, /, ''), [
          liveIntegration('vt', [nine, hidden]),
        ]),
      [
        { address: 'vt', by: 'unmanaged' },
        { address: 'other.options.m.permission', by: 'managed', now: 'lock-and-show' },
      ],
    ],
    [
      'it is gone',
      () => planned('x: { options: { n: 9 } }', [liveIntegration('x', [four])]),
      [
        { address: n, by: 'server', before: '4', now: gone },
        { address: m, by: 'server', before: 'lock-and-hide', now: gone },
        { address: all, by: 'server', before: 'false', now: gone },
      ],
    ],
    ['nothing', () => planned(plain, [liveIntegration('vt', [four, hidden])]), 'write'],
    [
      'all is done',
      () => planned(plain, [liveIntegration('vt', [nine, text('lock-and-show')], { autosubscribe: true })]),
      'done',
    ],
  ])('of fields in clear: %s', (_, now, expected) => {
    const was = reviewed(planned(plain, [liveIntegration('vt', [four, hidden, liveOption('x')])]));
    expect(was.summary.changes).toBe(3);
    const found = moved(now(), was);
    const order = [n, m, all];
    const sorted =
      typeof found === 'string'
        ? found
        : found?.toSorted((a, b) => order.indexOf(a.address) - order.indexOf(b.address));
    expect(sorted).toEqual(expected);
  });
  test('an integration that is gone is in the plan, in its order, with nothing to do', () => {
    const live = ['a', 'vt', 'z'].map((id) => liveIntegration(id, [four]));
    const yaml = 'a: { options: { n: 9 } }\nvt: { options: { n: 9 } }\nz: { options: { n: 9 } }';
    const now = planned(yaml.replace(/vt.*\n/, ''), [...live].reverse());
    const { plan } = compare(now, reviewed(planned(yaml, live)), KEYED);
    expect(plan.integrations.map(({ name, changes }) => [name, changes.length])).toEqual([
      ['a', 1],
      ['vt', 0],
      ['z', 1],
    ]);
    expect(plan.integrations[1]).toEqual({
      name: 'vt',
      id: 'vt',
      status: null,
      blocked: false,
      changes: [],
      cannotTell: [],
      unmanagedOptions: 0,
    });
  });
  test('an integration without reviewed changes that is gone is no matter', () => {
    const quiet = planned('vt: { options: { n: 4 } }\nx: { options: { n: 9 } }', [
      liveIntegration('vt', [four]),
      liveIntegration('x', [four]),
    ]);
    const now = planned('x: { options: { n: 9 } }', [liveIntegration('x', [four])]);
    const { plan, verdicts: found } = compare(now, reviewed(quiet), KEYED);
    expect(plan.integrations.map(({ name }) => name)).toEqual(['x']);
    expect([...found]).toEqual([['x', { kind: 'write' }]]);
  });
});

test.each([
  ['with', KEYED, KEYED],
  ['without', undefined, undefined],
  ['with, where there were none,', undefined, KEYED],
  ['without, where there were some,', KEYED, undefined],
])(`%s fingerprints: of ${EDITS} edited plans none widens what is asked for`, (_, then, fingerprints) => {
  const yaml = `${YAML}\nx: { options: { n: 9 } }\ny: { options: { n: 4 } }`;
  const live = [vt(OLD), vt(OLD, {}, 'x'), vt(OLD, {}, 'y')];
  const now = planned(yaml, live, { fingerprints });
  const plan = reviewed(planned(yaml, live, { fingerprints: then }));
  const asked = new Map(now.plan.integrations.map((each) => [each.id, each]));
  const seen = { plans: 0, write: 0, stale: 0 };
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      seen.plans += 1;
      // What has not the shape of a plan does not come this far.
      const integrations = edited(plan.integrations, seed).filter(
        (each) => typeof each === 'object' && each !== null && Array.isArray(each.changes),
      );
      const sound = integrations.map((each) => ({
        ...each,
        changes: each.changes.filter((change) => typeof change === 'object' && change !== null),
      }));
      const { plan: compared, verdicts: found } = compare(
        now,
        { ...plan, integrations: sound },
        fingerprints,
      );
      for (const { id, changes } of compared.integrations) {
        const kind = found.get(id)?.kind ?? (changes.length === 0 ? 'none' : 'unjudged');
        expect(['write', 'done', 'stale', 'none']).toContain(kind);
        if (kind === 'write') expect(changes).toEqual(asked.get(id)?.changes);
        if (kind === 'write' || kind === 'stale') seen[kind] += 1;
      }
    }),
    { numRuns: EDITS },
  );
  // Of few plans, as where time is short, any share may be of one kind.
  const share = Math.floor(seen.plans / 10);
  expect(seen.write).toBeGreaterThanOrEqual(share);
  expect(seen.stale).toBeGreaterThanOrEqual(share);
});
