import { describe, expect, test } from 'vitest';
import type {
  LiveIntegration,
  LiveOption,
} from '../../../src/core/model/live.ts';
import { hide } from '../../../src/core/model/secret.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import {
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

/** Entries, or whole files; each of several is a layer. */
type Yaml = string | readonly string[];

/** A branch beside its base, and what is live. */
interface Branch {
  readonly base: Yaml;
  readonly branch: Yaml;
  readonly live: readonly LiveIntegration[];
  readonly own?: Partial<PlanInput>;
}

function configOf(yaml: Yaml) {
  const files = [yaml].flat().map((text) => {
    return text.startsWith('version') ? text : entries(text);
  });
  return validConfig(...files);
}

function planned({ base, branch, live, own }: Branch): ServerPlan {
  const before = desiredOf(configOf(base), live);
  const desired = desiredOf(configOf(branch), live, TABLE, new Map());
  const revised = { revision: BASE, before };
  const input = { server: SERVER, desired, live, reads: 1, branch: revised };
  return planServer({ ...input, ...own }).plan;
}

function words(of: Branch): Record<string, Word> {
  return wordsOf(planned(of).integrations);
}

const vt = (...options: LiveOption[]) => liveIntegration('vt', options);

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
const select = (value: string, ...choices: readonly string[]) =>
  liveOption('o', {
    type: 'select',
    choices: choices.map((each) => ({ value: each, display: each })),
    value: readable({ value, display: value.toUpperCase() }),
  });
const TOKEN = `ghp_${'a1'.repeat(18)}`;

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

  /** The label of each change, and what a conflict shows of the base. */
  const labels = (of: Branch) => {
    const changes = planned(of).integrations.flatMap((each) => each.changes);
    return changes.map(({ label, base }) => [label, base]);
  };
  const labelled = (base: string, branch: string, live: LiveOption) =>
    labels({
      base: asked(base),
      branch: asked(branch),
      live: [vt(live, other)],
    });
  test('in the form that the option stores', () => {
    const a = select('a');
    expect(labelled('a', 'b', a)).toEqual([['change', undefined]]);
    expect(labelled('"5"', '7', number(9))).toEqual([['conflict', 5]]);
  });
  test('from a choice that the option does not have', () => {
    const fast = select('fast', 'slow', 'fast', 'passive');
    const conflict = ['conflict', 'slowest'];
    expect(labelled('slowest', 'passive', fast)).toEqual([conflict]);
  });
  test('in secret, by the base or by the branch: a conflict does not show the base', () => {
    const none = `{ value: ${TOKEN}, sensitive: false }`;
    const hidden = [['conflict', undefined]];
    expect(labelled(none, 'plain', text('z'))).toEqual(hidden);
    expect(labelled('plain', TOKEN, text('z'))).toEqual(hidden);
    const unread = (value: string) => `{ value: ${value}, sensitive: false }`;
    const reference = unread('"${env:SETPOINT_X}"');
    const unset = liveOption('o', { value: { kind: 'unset' } });
    expect(labelled(unread('a'), reference, unset)).toEqual(hidden);
  });
  test('of a permission: a conflict shows that of the base', () => {
    const base = '{ permission: user-provides }';
    const branch = '{ permission: lock-and-show }';
    const conflict = ['conflict', 'user-provides'];
    expect(labelled(base, branch, liveOption('o'))).toEqual([conflict]);
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
    const [base, branch] = [secret(was, before), secret('NEW', day)];
    const of = (value: LiveSide) =>
      planned({ base, branch, live: [key(value)] }).integrations;
    const word = (value: LiveSide) =>
      wordsOf(of(value))['vt.options.key.value'];
    const [same, label, ofMask] = isTouched
      ? ['settled', 'change', 'change']
      : [undefined, 'drift', undefined];
    expect(word(readable('NEW-secret-value'))).toBe(same);
    // Never a conflict, whatever else is live.
    expect(word(readable('OLD-secret-value'))).toBe(label);
    expect(word(readable('OTHER-secret-value'))).toBe(label);
    expect(word(MASKED)).toBe(ofMask);
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

test.each([
  ['the day in a later layer', 'OLD', '2026-02-02'],
  ['the reference below an old day', 'NEW', '2026-01-01'],
])('a branch that changes %s changes the secret', (_, name, day) => {
  const layers = (reference: string, rotated: string) => [
    `vt: { options: { key: "\${env:SETPOINT_${reference}}" } }`,
    `vt: { options: { key: { rotated: ${rotated} } } }`,
  ];
  const other = { type: 'password', value: readable('other') };
  const found = words({
    base: layers('OLD', '2026-01-01'),
    branch: layers(name, day),
    live: [vt(liveOption('key', other))],
  });
  expect(found).toEqual({ 'vt.options.key.value': 'change' });
});

test('a hidden value is written if the branch changed its permission; one that is shown stays waived', () => {
  const both = (permission: string) =>
    `vt: { options: { key: { value: k, permission: ${permission} }, o: { value: 2, permission: ${permission} } } }`;
  const [plan] = planned({
    base: both('lock-and-hide'),
    branch: both('user-provides'),
    live: [vt(liveOption('key', { value: MASKED }), number(1))],
    own: { waivers: [{ address: 'vt.options.o.value', until: '2026-12-31' }] },
  }).integrations;
  expect(plan && wordsOf([plan])).toEqual({
    'vt.options.key.permission': 'change',
    'vt.options.key.value': 'change',
    'vt.options.o.permission': 'change',
  });
  expect(plan?.left).toMatchObject([
    { because: 'waived', subject: { kind: 'value', option: 'o' } },
  ]);
});

describe('what a branch no longer manages', () => {
  const mine = liveIntegration('vt_1', [number(1)], { status: 'stopped' });
  const other = liveIntegration('other', [number(1)]);
  const live = [mine, other];
  const branch = 'other: { options: { o: 1 } }';
  const base = `mine: { match: vt_*, autosubscribe: true, options: { o: 5 } }\n${branch}`;
  const before = desiredOf(configOf(base), live);
  test('is released, and nothing else is planned of it', () => {
    const [gone] = planned({ base, branch, live }).integrations;
    const integration = 'mine';
    const because = 'released';
    const flag = { kind: 'autosubscribe', integration };
    const value = { kind: 'value', integration, option: 'o' };
    const left = [value, flag].map((subject) => ({ subject, because }));
    const named = { name: integration, id: 'vt_1', status: 'stopped' };
    expect(gone).toEqual({ ...NOTHING, ...named, left });
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
    const own = { live: [bare, other], branch: { revision: BASE, before } };
    const of = { base: branch, branch, live: [other], own };
    const plans = planned(of).integrations;
    expect(plans.map(({ id, status }) => [id, status])).toEqual([
      ['vt_1', null],
      ['other', 'running'],
    ]);
    expect(wordsOf(plans)).toEqual({ 'mine.autosubscribe': 'released' });
  });
  test('is released with its whole entry or a part of it, and is no change', () => {
    const { summary, integrations } = planned({
      base: 'vt: { autosubscribe: true, options: { o: a } }\nus: { options: { o: a } }',
      branch: 'vt: { autosubscribe: false }',
      live: ['vt', 'us'].map((id) => liveIntegration(id, [text('x')])),
    });
    expect(wordsOf(integrations)).toEqual({
      'vt.autosubscribe': 'settled',
      'vt.options.o.value': 'released',
      'us.options.o.value': 'released',
    });
    const left = { settled: 1, released: 2 };
    expect(summary).toMatchObject({ managed: 1, changes: 0, writes: 0, left });
    expect(integrations.map(({ name }) => name)).toEqual(['us', 'vt']);
  });
  test('is nothing of an integration that an error of the branch leaves out', () => {
    const undecided = new Set(['vt_1']);
    const own = { branch: { revision: BASE, before, undecided } };
    expect(words({ base, branch, live, own })).toEqual({});
    const part = `mine: { match: vt_*, options: { o: 5 } }\n${branch}`;
    expect(words({ base, branch: part, live, own })).toEqual({
      'mine.options.o.value': 'drift',
    });
  });
});
