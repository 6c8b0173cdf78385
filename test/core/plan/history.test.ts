import { describe, expect, test } from 'vitest';
import { withoutMissing } from '../../../src/core/config/resolve.ts';
import type {
  LiveIntegration,
  LiveOption,
} from '../../../src/core/model/live.ts';
import { fieldAddress } from '../../../src/core/model/place.ts';
import { hide, isHidden } from '../../../src/core/model/secret.ts';
import { diffIntegration } from '../../../src/core/plan/diff.ts';
import { isSameWritten } from '../../../src/core/plan/history.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import {
  desiredOf,
  entries,
  NO_REFERENCES,
  validConfig,
} from '../../support/config.ts';
import { changeOf, integrationOf, serverOf } from '../../support/documents.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const server = { name: 's', url: 'https://s' };
const desired = (yaml: string, live: readonly LiveIntegration[]) =>
  desiredOf(validConfig(entries(yaml)), live);
const number = (key: string, value: number, own: Partial<LiveOption> = {}) =>
  liveOption(key, { type: 'number', value: readable(value), ...own });

/** What a branch plans since its base, each the YAML of entries. */
function branch(
  base: string,
  head: string,
  live: readonly LiveIntegration[],
  own: object = {},
) {
  const before = {
    base: { ref: 'main', commit: 'c'.repeat(40) },
    before: desired(base, live),
  };
  return planServer({
    server,
    desired: desired(head, live),
    live,
    reads: 1,
    base: before,
    ...own,
  }).plan.integrations;
}

describe('what a branch no longer manages', () => {
  const live = [
    liveIntegration('vt_1', [number('o', 1)], { status: 'stopped' }),
    liveIntegration('other', [number('o', 1)]),
  ];
  const base =
    'mine: { match: vt_*, autosubscribe: true, options: { o: 5 } }\nother: { options: { o: 1 } }';
  const head = 'other: { options: { o: 1 } }';
  const released = ['mine.options.o.value', 'mine.autosubscribe'];
  test('is released, as far as the integration has it', () => {
    const [gone] = branch(base, head, live);
    expect(gone).toEqual({
      ...{
        name: 'mine',
        id: 'vt_1',
        status: 'stopped',
        blocked: false,
        changes: [],
        hidden: [],
      },
      ...{ waived: [], settled: [], released },
    });
    const bare = liveIntegration('vt_1', [], { status: undefined });
    const [other = bare] = live.slice(1);
    const before = desired(base, live);
    const plan = planServer({
      ...{
        server,
        desired: desired(head, [other]),
        live: [bare, other],
        reads: 1,
      },
      base: { base: undefined, before },
    });
    expect(
      plan.plan.integrations.map((each) => [
        each.id,
        each.status,
        each.released,
      ]),
    ).toEqual([
      ['vt_1', null, ['mine.autosubscribe']],
      ['other', 'running', []],
    ]);
  });
  test.each([
    ['mine', ['mine']],
    ['vt_*', ['mine']],
    ['oth*', []],
  ])('is selected by --only %s', (only, names) => {
    const found = branch(base, head, live, { server: { ...server, only } });
    expect(
      found.flatMap((each) => (each.released.length > 0 ? each.name : [])),
    ).toEqual(names);
  });
  test('is nothing if it is not installed, or has none of the options', () => {
    const before = desired('vt_1: { options: { o: 5 } }', live);
    const plans = [[], [liveIntegration('vt_1')]].map(
      (installed) =>
        planServer({
          server,
          desired: [],
          live: installed,
          reads: 1,
          base: { base: undefined, before },
        }).plan,
    );
    expect(plans.map(({ integrations }) => integrations)).toEqual([[], []]);
  });
});

test('a hidden value is written if the branch changed its permission; one that is shown stays waived', () => {
  const masked = { kind: 'hidden', reason: 'masked' } as const;
  const live = [
    liveIntegration('vt', [
      liveOption('key', { value: masked }),
      number('o', 1),
    ]),
  ];
  const both = (permission: string) =>
    `vt: { options: { key: { value: k, permission: ${permission} }, o: { value: 2, permission: ${permission} } } }`;
  const waivers = [{ address: 'vt.options.o.value' }];
  const [plan] = branch(both('lock-and-hide'), both('user-provides'), live, {
    waivers,
  });
  expect(plan?.changes.map(({ address, label }) => [address, label])).toEqual([
    ['vt.options.key.permission', 'change'],
    ['vt.options.key.value', 'change'],
    ['vt.options.o.permission', 'change'],
  ]);
  expect([plan?.hidden, plan?.waived]).toEqual([[], ['vt.options.o.value']]);
});

test('a conflict has what the base declares, unless that is a secret or cannot be stored', () => {
  const token = `ghp_${'a1'.repeat(18)}`;
  const live = [
    liveIntegration('vt', [
      number('a', 9),
      liveOption('b', { value: readable('z') }),
      number('c', 9),
    ]),
  ];
  const [plan] = branch(
    `vt: { options: { a: { value: 5, permission: user-provides }, b: ${token}, c: "\${env:SETPOINT_X:-5}" } }`,
    'vt: { options: { a: { value: 7, permission: lock-and-show }, b: plain, c: 7 } }',
    live,
  );
  expect(
    plan?.changes.map(({ address, label, base }) => [address, label, base]),
  ).toEqual([
    ['vt.options.a.permission', 'conflict', 'user-provides'],
    ['vt.options.a.value', 'conflict', 5],
    ['vt.options.b.value', 'conflict', undefined],
    ['vt.options.c.value', 'change', undefined],
  ]);
});

test.each([
  ['the same text', { want: 'x' }, { want: 'x' }, true],
  ['another text', { want: 'x' }, { want: 'y' }, false],
  ['another source', { want: 'x' }, { want: 'x', isFromOutside: true }, false],
  [
    'the same reference',
    { want: hide('1'), unresolved: '${env:A}' },
    { want: hide('2'), unresolved: '${env:A}' },
    true,
  ],
  [
    'a file with the same content',
    { files: new Map([['a', '1']]) },
    { files: new Map([['a', '1']]) },
    true,
  ],
  [
    'a file with other content',
    { files: new Map([['a', '1']]) },
    { files: new Map([['a', '2']]) },
    false,
  ],
  ['a file that one side knows', { files: new Map([['a', '1']]) }, {}, true],
  [
    'another file',
    { files: new Map([['a', '1']]) },
    { files: new Map([['b', '2']]) },
    true,
  ],
])(
  'two declarations with %s ask for the same: %j, %j',
  (_, one, other, expected) => {
    const written = { want: 'x', isFromOutside: false };
    expect(
      isSameWritten({ ...written, ...one }, { ...written, ...other }),
    ).toBe(expected);
  },
);

describe('a reviewed plan', () => {
  const live = [
    liveIntegration('vt', [
      number('o', 5),
      liveOption('key', { value: readable('old') }),
    ]),
  ];
  const own = { id: 'vt' };
  const stale = (became: object) => ({ kind: 'stale', moved: [], became });
  const reviewing = (
    yaml: string,
    ...all: readonly ReturnType<typeof integrationOf>[]
  ) =>
    planServer({
      ...{
        server,
        desired: yaml === '' ? [] : desired(yaml, live),
        live,
        reads: 1,
      },
      reviewed: serverOf('s', all),
    }).plan.integrations;
  const change = changeOf('vt', 1, {
    address: 'vt.options.o.value',
    before: 5,
    after: 7,
  });
  test('makes stale what is not planned any more, if it had a change', () => {
    const gone = integrationOf('us', [changeOf('us', 1)], { id: 'us' });
    const plans = reviewing(
      '',
      integrationOf('vt', [change], own),
      gone,
      integrationOf('none', []),
    );
    expect(plans.map(({ name, status, end }) => [name, status, end])).toEqual([
      ['us', null, stale({ kind: 'uninstalled', was: 'us' })],
      ['vt', null, stale({ kind: 'unplanned', was: 'vt' })],
    ]);
    expect(plans.map(({ lost }) => lost)).toEqual([gone.changes, [change]]);
  });
  test('says which id the integration of this name has now', () => {
    const before = integrationOf('vt', [change], { id: 'vt_node_18' });
    const plans = reviewing('vt: { options: { o: 7 } }', before);
    expect(plans.map(({ id, end, lost }) => [id, end, lost])).toEqual([
      ['vt', undefined, undefined],
      [
        'vt_node_18',
        stale({ kind: 'other-id', was: 'vt_node_18', now: 'vt' }),
        [change],
      ],
    ]);
  });
  test('keeps the changes of a stale integration that it has no more', () => {
    const other = { ...change, address: 'vt.options.gone.value' };
    const reviewed = integrationOf('vt', [change, other], own);
    const [plan] = reviewing('vt: { options: { o: 7 } }', reviewed);
    expect([plan?.changes.length, plan?.lost]).toEqual([1, [other]]);
  });
  test('keeps the changes of an integration with errors', () => {
    const reviewed = integrationOf('vt', [change], own);
    const [plan] = reviewing('vt: { options: { o: 7, p: 1 } }', reviewed);
    expect(plan).toMatchObject({ unplanned: true, lost: [change] });
  });
  test('gives changes their labels, and what the base declared', () => {
    const reviewed = integrationOf(
      'vt',
      [{ ...change, label: 'conflict', base: 3 }],
      own,
    );
    const [plan] = reviewing('vt: { options: { o: 7 } }', reviewed);
    expect(plan?.changes).toMatchObject([
      { address: 'vt.options.o.value', label: 'conflict', base: 3 },
    ]);
    expect(plan).not.toHaveProperty('end');
    const [bare] = reviewing(
      'vt: { options: { o: 7 } }',
      integrationOf('vt', [change], own),
    );
    expect(bare?.changes[0]).not.toHaveProperty('base');
  });
  test('leaves what it does not have, or has no change of, to be counted', () => {
    for (const reviewed of [[], [integrationOf('vt', [], own)]])
      expect(reviewing('vt: { options: { o: 7 } }', ...reviewed)).toMatchObject(
        [{ name: 'vt', changes: [] }],
      );
  });
  test.each([
    [{ secret: true as const, before: null, after: null }, true],
    [{ risks: ['exposes-secret'] as const }, true],
    [{}, false],
  ])('keeps an option secret by its change %j', (own, expected) => {
    const key = changeOf('vt', 1, {
      address: 'vt.options.key.value',
      before: 'old',
      after: 'new',
      ...own,
    });
    const [plan] = reviewing(
      'vt: { options: { key: new } }',
      integrationOf('vt', [key], { id: 'vt' }),
    );
    expect(plan?.changes.map(({ after }) => isHidden(after))).toEqual([
      expected,
    ]);
  });
  test.each([
    [
      'another reference',
      { secret: true as const, reference: '${env:SETPOINT_B}' },
      'configuration',
    ],
    [
      'another day',
      { secret: true as const, rotated: '2026-01-01' },
      'configuration',
    ],
    ['the same', { secret: true as const }, undefined],
  ])('of a secret with %s', (_, own, by) => {
    const key = changeOf('vt', 1, {
      address: 'vt.options.key.value',
      before: null,
      after: null,
      ...own,
    });
    const [plan] = reviewing(
      'vt: { options: { key: { value: new, sensitive: true } } }',
      integrationOf('vt', [key], { id: 'vt' }),
    );
    const moved = by && {
      kind: 'stale',
      moved: [{ address: key.address, by }],
    };
    expect(plan?.end).toEqual(moved);
  });
});

describe('one field', () => {
  const fieldsOf = (
    yaml: string,
    options: readonly LiveOption[],
    own: Partial<LiveIntegration> = {},
  ) => {
    const live = liveIntegration('vt', options, own);
    const table = withoutMissing(NO_REFERENCES);
    const [asked] = desiredOf(
      validConfig(entries(`vt: ${yaml}`)),
      [live],
      table,
    );
    if (asked === undefined) throw new Error('not desired');
    const unread = asked.settings.map((each) =>
      each.field === 'value' && each.isFromOutside
        ? { ...each, unread: true as const }
        : each,
    );
    const { fields, diagnostics } = diffIntegration(
      { ...asked, settings: unread },
      live,
    );
    expect(asked.settings.map((each) => fieldAddress('vt', each))).toEqual(
      expect.arrayContaining(fields.map(({ address }) => address)),
    );
    return {
      fields: fields.map(({ address, fate, unreadable, risks }) => [
        address,
        fate,
        unreadable,
        risks,
      ]),
      diagnostics,
    };
  };
  test('of a snapshot is a secret unless it is marked as none', () => {
    const value = { kind: 'hidden', reason: 'snapshot' } as const;
    const shown = (own: Partial<LiveOption>, mark = '') =>
      fieldsOf(`{ options: { o: { permission: lock-and-show${mark} } } }`, [
        liveOption('o', own),
      ]).fields;
    const field = ['vt.options.o.permission', 'changed', undefined];
    expect(shown({ value })).toEqual([[...field, ['exposes-secret']]]);
    expect(shown({ value }, ', sensitive: false')).toEqual([[...field, []]]);
    expect(shown({ value: { kind: 'hidden', reason: 'absent' } })).toEqual([
      [...field, []],
    ]);
  });
  test('whose reference was not read is hidden, unless nothing is set', () => {
    const yaml = '{ options: { o: "${env:SETPOINT_X}" } }';
    const shown = (value: LiveOption['value']) =>
      fieldsOf(yaml, [liveOption('o', { value })]).fields;
    expect(shown(readable('x'))).toEqual([
      ['vt.options.o.value', 'hidden', 'unresolved', []],
    ]);
    expect(shown({ kind: 'unset' })).toEqual([
      ['vt.options.o.value', 'changed', undefined, []],
    ]);
  });
  test('that is as desired has no risk, and a flag that is not served is hidden', () => {
    expect(
      fieldsOf('{ autosubscribe: true }', [], { autosubscribe: true }).fields,
    ).toEqual([['vt.autosubscribe', 'same', undefined, []]]);
    expect(
      fieldsOf('{ autosubscribe: true }', [], { autosubscribe: undefined })
        .fields,
    ).toEqual([
      ['vt.autosubscribe', 'hidden', 'absent', ['subscribes-everyone']],
    ]);
  });
  test('carries the risk of its own permission, not of the one before it', () => {
    const secret = (key: string, permission: LiveOption['permission']) =>
      liveOption(key, { value: readable('old'), permission });
    const yaml =
      '{ options: { a: { permission: lock-and-show, sensitive: true }, b: { value: new, sensitive: true } } }';
    expect(
      fieldsOf(yaml, [
        secret('a', 'lock-and-hide'),
        secret('b', 'lock-and-show'),
      ]).fields,
    ).toEqual([
      ['vt.options.a.permission', 'changed', undefined, ['exposes-secret']],
      ['vt.options.b.value', 'changed', undefined, ['exposes-secret']],
    ]);
  });
});
