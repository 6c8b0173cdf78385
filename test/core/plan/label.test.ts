import { describe, expect, test } from 'vitest';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import { matchEntries } from '../../../src/core/match/match.ts';
import type {
  LiveIntegration,
  LiveOption,
} from '../../../src/core/model/live.ts';
import { hide } from '../../../src/core/model/secret.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import { addressOf } from '../../../src/core/model/subject.ts';
import type { OptionValue } from '../../../src/core/model/value.ts';
import {
  type IntegrationPlan,
  leftBecause,
  NOTHING,
  type ServerPlan,
} from '../../../src/core/plan/plan.ts';
import {
  type PlanInput,
  planServer,
} from '../../../src/core/plan/plan-server.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import {
  liveIntegration,
  liveOption,
  MASKED,
  readable,
} from '../../support/live.ts';
import { SERVER, type Word, wordsOf } from '../../support/planned.ts';

const BASE = { ref: 'main', commit: 'c0ffee'.padEnd(40, '0') };

/** The environment of the run; a base is read without. */
const TABLE = new Map([
  ['env:SETPOINT_OLD', { text: hide('OLD-secret-value') }],
  ['env:SETPOINT_NEW', { text: hide('NEW-secret-value') }],
]);

/** A branch beside its base: the YAML of their entries, or whole files. */
interface Branch {
  readonly base: string;
  readonly branch: string;
  readonly live: readonly LiveIntegration[];
  readonly own?: Partial<PlanInput>;
}

function planned({ base, branch, live, own }: Branch): ServerPlan {
  const config = (yaml: string) =>
    validConfig(yaml.startsWith('version') ? yaml : entries(yaml));
  const before = matchEntries(resolveConfig(config(base)), live).integrations;
  const desired = desiredOf(config(branch), live, TABLE, new Map());
  const { plan } = planServer({
    server: SERVER,
    desired,
    live,
    reads: 1,
    branch: { revision: BASE, before },
    ...own,
  });
  return plan;
}

function words(of: Branch): Record<string, Word> {
  return wordsOf(planned(of).integrations);
}

const vt = (...options: LiveOption[]) => liveIntegration('vt', options);

/** What a branch and its base ask of the option `o`, if anything. */
interface Row {
  readonly name: string;
  readonly base?: string;
  readonly branch?: string;
  readonly live: LiveOption;
  readonly word?: Word;
  /** What a conflict shows of the base. */
  readonly declared?: OptionValue;
}

/** Two values, or none: what the base asks, what the branch asks, and what is live. */
interface Cell {
  readonly base?: 'a' | 'b';
  readonly branch?: 'a' | 'b';
  readonly live?: 'a' | 'b';
  readonly word: Word | undefined;
}

/** The words of a reviewer: who moved, and whether there is anything left to do. */
const CELLS: readonly Cell[] = [
  { word: undefined },
  { live: 'a', word: undefined },
  // The branch begins to ask.
  { branch: 'a', word: 'change' },
  { branch: 'a', live: 'a', word: 'settled' },
  { branch: 'a', live: 'b', word: 'change' },
  // The branch asks no more.
  { base: 'a', word: 'released' },
  { base: 'a', live: 'a', word: 'released' },
  { base: 'a', live: 'b', word: 'released' },
  // The branch asks for the same.
  { base: 'a', branch: 'a', word: 'drift' },
  { base: 'a', branch: 'a', live: 'a', word: undefined },
  { base: 'a', branch: 'a', live: 'b', word: 'drift' },
  // The branch asks for something else.
  { base: 'a', branch: 'b', word: 'conflict' },
  { base: 'a', branch: 'b', live: 'a', word: 'change' },
  { base: 'a', branch: 'b', live: 'b', word: 'settled' },
];

/** The same cell with the two values exchanged. */
function exchanged({ base, branch, live, word }: Cell): Cell {
  const other = { a: 'b', b: 'a' } as const;
  return {
    ...(base && { base: other[base] }),
    ...(branch && { branch: other[branch] }),
    ...(live && { live: other[live] }),
    word,
  };
}

const number = (value: number) =>
  liveOption('o', { type: 'number', value: readable(value) });
const text = (value: string) => liveOption('o', { value: readable(value) });
const mode = (value: string) =>
  liveOption('o', {
    type: 'select',
    choices: ['slow', 'fast', 'passive'].map((each) => {
      return { value: each, display: each };
    }),
    value: readable({ value, display: value }),
  });
const TOKEN = `ghp_${'a1'.repeat(18)}`;

/** What is the same in another form, and what a conflict shows. */
const FORMS: readonly Row[] = [
  {
    name: 'the base is compared in the form that the option stores',
    base: 'a',
    branch: 'b',
    live: liveOption('o', {
      type: 'select',
      value: readable({ display: 'A', value: 'a' }),
    }),
    word: 'change',
  },
  {
    name: 'a choice that the option does not have, live another',
    base: 'slowest',
    branch: 'passive',
    live: mode('fast'),
    word: 'conflict',
    declared: 'slowest',
  },
  {
    name: 'a number, with the base as it is stored',
    base: '"5"',
    branch: '7',
    live: number(9),
    word: 'conflict',
    declared: 5,
  },
  {
    name: 'nor is one that the base calls none',
    base: `{ value: ${TOKEN}, sensitive: false }`,
    branch: 'plain',
    live: text('z'),
    word: 'conflict',
  },
  {
    name: 'a secret of the branch hides the base',
    base: 'plain',
    branch: TOKEN,
    live: text('z'),
    word: 'conflict',
  },
];

describe('who moved a field', () => {
  const asking = (...fields: readonly string[]) =>
    `vt: { options: { p: same${fields.map((field) => `, ${field}`).join('')} } }`;
  const other = liveOption('p', { value: readable('same') });
  const asked = (value: string | undefined) =>
    value === undefined ? asking() : asking(`o: ${value}`);

  test.each(CELLS)(
    'of a text, in each of the 27 cells: $base, $branch, $live: $word',
    (cell) => {
      for (const { base, branch, live, word } of [cell, exchanged(cell)]) {
        const found = words({
          base: asked(base),
          branch: asked(branch),
          live: [vt(text(live ?? ''), other)],
        });
        expect(found['vt.options.o.value']).toBe(word);
      }
    },
  );

  test.each(FORMS)('$name', ({ base, branch, live, word, declared }) => {
    const of = {
      base: asked(base),
      branch: asked(branch),
      live: [vt(live, other)],
    };
    expect(words(of)['vt.options.o.value']).toBe(word);
    const changes = planned(of).integrations.flatMap((each) => each.changes);
    const expected = word === 'settled' ? [] : [declared];
    expect(changes.map((change) => change.base)).toEqual(expected);
  });
  test('of a permission: a conflict shows that of the base', () => {
    const yaml = (permission: string) =>
      `vt: { options: { o: { permission: ${permission} } } }`;
    const [plan] = planned({
      base: yaml('user-provides'),
      branch: yaml('lock-and-show'),
      live: [vt(liveOption('o', { permission: 'lock-and-hide' }))],
    }).integrations;
    expect(plan?.changes).toMatchObject([
      { label: 'conflict', base: 'user-provides' },
    ]);
  });
  test('of a value that was not read: a conflict does not show the base', () => {
    const yaml = (value: string) =>
      `vt: { options: { o: { value: ${value}, sensitive: false } } }`;
    const [plan] = planned({
      base: yaml('a'),
      branch: yaml('"${env:SETPOINT_X}"'),
      live: [vt(liveOption('o', { value: { kind: 'unset' } }))],
    }).integrations;
    const [change] = plan?.changes ?? [];
    expect([change?.label, change?.base]).toEqual(['conflict', undefined]);
  });
});

describe('a secret is compared by its reference and the day beside it', () => {
  const FIRST = '2026-01-01';
  const SECOND = '2026-02-02';
  const secret = (name: string, rotated?: string, permission?: string) => {
    const parts = [`value: "\${env:SETPOINT_${name}}"`];
    if (rotated !== undefined) parts.push(`rotated: ${rotated}`);
    if (permission !== undefined) parts.push(`permission: ${permission}`);
    return `vt: { options: { key: { ${parts.join(', ')} } } }`;
  };
  const key = (value: LiveSide, own: Partial<LiveOption> = {}) =>
    vt(liveOption('key', { type: 'password', value, ...own }));
  test.each([
    { was: 'NEW', before: undefined, day: undefined, isTouched: false },
    { was: 'NEW', before: FIRST, day: FIRST, isTouched: false },
    { was: 'NEW', before: FIRST, day: SECOND, isTouched: true },
    { was: 'NEW', before: undefined, day: FIRST, isTouched: true },
    { was: 'NEW', before: FIRST, day: undefined, isTouched: true },
    { was: 'OLD', before: undefined, day: undefined, isTouched: true },
    { was: 'OLD', before: FIRST, day: FIRST, isTouched: true },
    { was: 'OLD', before: FIRST, day: SECOND, isTouched: true },
    { was: 'OLD', before: undefined, day: FIRST, isTouched: true },
    { was: 'OLD', before: FIRST, day: undefined, isTouched: true },
  ])('$was on $before, then NEW on $day', ({ was, before, day, isTouched }) => {
    const of = (value: LiveSide) =>
      planned({
        base: secret(was, before),
        branch: secret('NEW', day),
        live: [key(value)],
      }).integrations;
    const word = (value: LiveSide) =>
      wordsOf(of(value))['vt.options.key.value'];
    const label = isTouched ? 'change' : 'drift';
    expect(word(readable('NEW-secret-value'))).toBe(
      isTouched ? 'settled' : undefined,
    );
    // Never a conflict, whatever else is live.
    expect(word(readable('OLD-secret-value'))).toBe(label);
    expect(word(readable('OTHER-secret-value'))).toBe(label);
    expect(word(MASKED)).toBe(isTouched ? 'change' : undefined);
    const hidden = of(MASKED).flatMap((plan) => leftBecause(plan, 'hidden'));
    expect(hidden.length).toBe(isTouched ? 0 : 1);
  });
  test('and is written with its permission if nobody can see it', () => {
    const branch = secret('NEW', undefined, 'lock-and-hide');
    const live = [key(MASKED, { permission: 'user-provides' })];
    const base = secret('NEW', undefined, 'user-provides');
    expect(words({ base, branch, live })).toEqual({
      'vt.options.key.value': 'change',
      'vt.options.key.permission': 'change',
    });
    expect(words({ base: branch, branch, live })).toEqual({
      'vt.options.key.permission': 'drift',
    });
  });
  test('and is no drift where nobody can see it and a flag alone has it written', () => {
    const branch = secret('NEW', undefined, 'lock-and-hide');
    const live = [key(MASKED, { permission: 'unknown' })];
    for (const base of [branch, secret('OLD', undefined, 'user-provides')]) {
      const own = { writeHidden: ['all'] };
      expect(words({ base, branch, live, own })).toEqual({
        'vt.options.key.value': 'change',
        'vt.options.key.permission': 'change',
      });
    }
  });
  test('a reference that comes by another named value is the same, and a named value that changes is none', () => {
    const named = (values: string, value: string) =>
      `version: 1\nvalues: { ${values} }\nintegrations:\n  vt: { options: { key: ${value} } }\n`;
    const base = named('a: "${env:SETPOINT_OLD}"', '"${value:a}"');
    const touched = (branch: string) => {
      const live = [vt(liveOption('key', { value: readable('another') }))];
      return words({ base, branch, live })['vt.options.key.value'] === 'change';
    };
    expect([
      touched(named('b: "${env:SETPOINT_OLD}"', '"${value:b}"')),
      touched(named('unused: 1', '"${env:SETPOINT_OLD}"')),
      touched(named('a: "${env:SETPOINT_NEW}"', '"${value:a}"')),
      touched(named('a: "${env:SETPOINT_OLD:-x}"', '"${value:a}"')),
      touched(named('unused: 1', '"$${env:SETPOINT_OLD}"')),
    ]).toEqual([false, false, true, true, true]);
  });
});

test('a hidden value is written if the branch changed its permission; one that is shown stays waived', () => {
  const live = [
    vt(
      liveOption('key', { value: MASKED }),
      liveOption('o', { type: 'number', value: readable(1) }),
    ),
  ];
  const both = (permission: string) =>
    `vt: { options: { key: { value: k, permission: ${permission} }, o: { value: 2, permission: ${permission} } } }`;
  const [plan] = planned({
    base: both('lock-and-hide'),
    branch: both('user-provides'),
    live,
    own: { waivers: [{ address: 'vt.options.o.value', until: '2026-12-31' }] },
  }).integrations;
  if (plan === undefined) throw new Error('not planned');
  expect(wordsOf([plan])).toEqual({
    'vt.options.key.permission': 'change',
    'vt.options.key.value': 'change',
    'vt.options.o.permission': 'change',
  });
  expect(plan.left.map(({ because }) => because)).toEqual(['waived']);
  const left = plan.left.map(({ subject }) => addressOf(subject));
  expect(left).toEqual(['vt.options.o.value']);
});

describe('what a branch no longer manages', () => {
  const one = liveOption('o', { type: 'number', value: readable(1) });
  const mine = liveIntegration('vt_1', [one], { status: 'stopped' });
  const other = liveIntegration('other', [one]);
  const live = [mine, other];
  const base =
    'mine: { match: vt_*, autosubscribe: true, options: { o: 5 } }\nother: { options: { o: 1 } }';
  const branch = 'other: { options: { o: 1 } }';
  const without = (installed: readonly LiveIntegration[]) => {
    const before = desiredOf(validConfig(entries(base)), live);
    const own = { live: installed, branch: { revision: undefined, before } };
    return planned({ base: branch, branch, live: [other], own }).integrations;
  };
  test('is released, and nothing else is planned of it', () => {
    const [gone] = planned({ base, branch, live }).integrations;
    const integration = 'mine';
    const expected: IntegrationPlan = {
      ...NOTHING,
      name: integration,
      id: 'vt_1',
      status: 'stopped',
      left: [
        {
          subject: { kind: 'value', integration, option: 'o' },
          because: 'released',
        },
        {
          subject: { kind: 'autosubscribe', integration },
          because: 'released',
        },
      ],
    };
    expect(gone).toEqual(expected);
  });
  test.each([
    { only: 'mine', names: ['mine'] },
    { only: 'vt_*', names: ['mine'] },
    { only: 'oth*', names: [] },
  ])('is selected by --only $only', ({ only, names }) => {
    const own = { server: { ...SERVER, only } };
    const plans = planned({ base, branch, live, own }).integrations;
    const gone = plans.filter(({ left }) => left.length > 0);
    expect(gone.map(({ name }) => name)).toEqual(names);
  });
  test('is released as far as the integration has it', () => {
    const bare = liveIntegration('vt_1', [], { status: undefined });
    const plans = without([bare, other]);
    expect(plans.map(({ id, status }) => [id, status])).toEqual([
      ['vt_1', null],
      ['other', 'running'],
    ]);
    expect(wordsOf(plans)).toEqual({ 'mine.autosubscribe': 'released' });
  });
  test('is released with its whole entry or a part of it, and is no change', () => {
    const installed = ['vt', 'us'].map((id) =>
      liveIntegration(id, [text('x')]),
    );
    const { summary, integrations } = planned({
      base: 'vt: { autosubscribe: true, options: { o: a } }\nus: { options: { o: a } }',
      branch: 'vt: { autosubscribe: false }',
      live: installed,
    });
    expect(wordsOf(integrations)).toEqual({
      'vt.autosubscribe': 'settled',
      'vt.options.o.value': 'released',
      'us.options.o.value': 'released',
    });
    expect(summary).toMatchObject({
      managed: 1,
      changes: 0,
      writes: 0,
      left: { settled: 1, released: 2 },
    });
    expect(integrations.map(({ name }) => name)).toEqual(['us', 'vt']);
  });
  test('is nothing of an integration that an error of the branch leaves out', () => {
    const before = desiredOf(validConfig(entries(base)), live);
    const undecided = new Set(['vt_1']);
    const own = { branch: { revision: BASE, before, undecided } };
    expect(words({ base, branch, live, own })).toEqual({});
    const part =
      'mine: { match: vt_*, options: { o: 5 } }\nother: { options: { o: 1 } }';
    expect(words({ base, branch: part, live, own })).toEqual({
      'mine.options.o.value': 'drift',
    });
  });
});

test.each([
  ['the day in a later layer', 'OLD', '2026-02-02'],
  ['the reference below an old day', 'NEW', '2026-01-01'],
])('a branch that changes %s changes the secret', (_, name, day) => {
  const configOf = (reference: string, rotated: string) =>
    validConfig(
      entries(`vt: { options: { key: "\${env:SETPOINT_${reference}}" } }`),
      entries(`vt: { options: { key: { rotated: ${rotated} } } }`),
    );
  const live = [
    liveIntegration('vt', [
      liveOption('key', { type: 'password', value: readable('other') }),
    ]),
  ];
  const base = resolveConfig(configOf('OLD', '2026-01-01'));
  const before = matchEntries(base, live).integrations;
  const desired = desiredOf(configOf(name, day), live, TABLE, new Map());
  const branch = { revision: BASE, before };
  const { plan } = planServer({
    server: SERVER,
    desired,
    live,
    reads: 1,
    branch,
  });
  const [change] = plan.integrations[0]?.changes ?? [];
  expect(change?.label).toBe('change');
});
