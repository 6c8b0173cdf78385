import { describe, expect, test } from 'vitest';
import { diagnostic } from '../../../src/core/findings/diagnostic.ts';
import type {
  LiveIntegration,
  LiveOption,
} from '../../../src/core/model/live.ts';
import { hide } from '../../../src/core/model/secret.ts';
import {
  isNothingPlanned,
  NOTHING,
  type ServerPlan,
  sidesOf,
} from '../../../src/core/plan/plan.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import {
  permissionChange,
  secretChange,
  valueChange,
} from '../../support/changes.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { serverOf } from '../../support/documents.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';
import { SUMMARY } from '../../support/plan-summary.ts';

const server = { name: 's', url: 'https://s' };

/** The plan of entries, and its findings. */
function planned(
  yaml: string,
  live: readonly LiveIntegration[],
  own: object = {},
) {
  const desired = desiredOf(validConfig(entries(yaml)), live);
  const { plan, diagnostics } = planServer({
    server,
    desired,
    live,
    reads: 1,
    ...own,
  });
  return { plan, found: diagnostics.map(({ code, facts }) => [code, facts]) };
}

describe('what a plan notes', () => {
  const secret = (key: string, value: LiveOption['value']) =>
    liveOption(key, { type: 'text', value });
  const yaml =
    'vt: { options: { a: { value: x, sensitive: true }, b: { value: y, sensitive: true }, c: z } }';
  const vt = (a: LiveOption['value'], b: LiveOption['value']) => [
    liveIntegration('vt', [secret('a', a), secret('b', b), liveOption('c')]),
  ];
  const empty = { kind: 'unset' } as const;
  test.each<[string, LiveOption['value'], LiveOption['value'], boolean]>([
    ['all secrets that read as empty', empty, empty, true],
    ['nothing if one is shown', empty, readable('old'), false],
    [
      'nothing if one is masked',
      empty,
      { kind: 'hidden', reason: 'masked' },
      false,
    ],
    ['nothing if one is as desired', readable('x'), empty, false],
  ])('%s', (_, a, b, isNoted) => {
    const addresses = ['vt.options.a.value', 'vt.options.b.value'];
    expect(planned(yaml, vt(a, b)).found).toEqual(
      isNoted ? [['hides-secrets', { addresses, isSent: false }]] : [],
    );
  });
  test('nothing of a part of the secrets', () => {
    const own = { server: { ...server, only: 'vt' } };
    expect(planned(yaml, vt(empty, empty), own).found).toEqual([]);
  });
  test('nothing if a secret of which only the permission is managed is masked', () => {
    const masked = { kind: 'hidden', reason: 'masked' } as const;
    const both =
      'vt: { options: { a: { value: x, sensitive: true }, b: { permission: lock-and-hide } } }';
    expect(planned(both, vt(empty, masked)).found).toEqual([]);
    expect(planned(both, vt(empty, empty)).found).toMatchObject([
      ['hides-secrets', { addresses: ['vt.options.a.value'] }],
    ]);
  });
  test('permissions that are not shown, but no values', () => {
    const option = liveOption('o', {
      permission: 'unknown',
      value: { kind: 'hidden', reason: 'absent' },
    });
    const { found } = planned(
      'vt: { options: { o: { value: x, permission: lock-and-show } } }',
      [liveIntegration('vt', [option])],
    );
    expect(found).toEqual([
      ['hidden-field', { addresses: ['vt.options.o.permission'] }],
    ]);
  });
  test('integrations that do not run and are to change, and what was not reviewed', () => {
    const live = ['a', 'b', 'c'].map((id) =>
      liveIntegration(
        id,
        [liveOption('o', { value: readable(id === 'c' ? 'new' : 'old') })],
        {
          status: id === 'a' ? 'running' : 'stopped',
        },
      ),
    );
    const all =
      'a: { options: { o: new } }\nb: { options: { o: new } }\nc: { options: { o: new } }';
    const { plan, found } = planned(all, live);
    expect(found).toEqual([
      ['not-running', { stopped: [{ id: 'b', status: 'stopped' }] }],
    ]);
    expect(plan.integrations.map(({ blocked }) => blocked)).toEqual([
      false,
      true,
      false,
    ]);
    const base = { ref: 'main', commit: 'c'.repeat(40) };
    const reviewed = planned(all, live, {
      reviewed: serverOf('s', [], { base }),
    });
    expect(reviewed.found).toEqual([['not-reviewed', { differences: 2 }]]);
    expect(reviewed.plan.base).toEqual(base);
  });
});

test('an integration that could not be read is not planned, and says why', () => {
  const error = diagnostic('bad-answer', { problem: 'no' });
  const live = [liveIntegration('vt', [liveOption('o')])];
  const { plan, found } = planned('vt: { options: { o: x } }', live, {
    unread: new Map([['vt', error]]),
  });
  expect(plan.integrations).toEqual([
    { ...NOTHING, name: 'vt', id: 'vt', status: 'running', unplanned: true },
  ]);
  expect(found).toEqual([['bad-answer', { problem: 'no' }]]);
});

test('defaults of which an integration has nothing make no plan of it', () => {
  const live = [liveIntegration('a', [liveOption('o')]), liveIntegration('b')];
  const { plan, found } = planned(
    'all: { match: "*", expect: any, options: { o: x } }',
    live,
  );
  expect([plan.integrations.map(({ id }) => id), found]).toEqual([['a'], []]);
});

test.each<[string, Parameters<typeof sidesOf>[0], object]>([
  ['of a text', valueChange('o'), { before: 'old', after: 'new' }],
  [
    'of nothing',
    { ...valueChange('o'), before: null },
    { before: null, after: 'new' },
  ],
  [
    'that are hidden',
    { ...valueChange('o'), before: null, unreadable: 'masked' },
    { before: null, after: 'new', hidden: true },
  ],
  [
    'of a secret',
    secretChange('o', hide('old'), hide('new')),
    { before: null, after: null, secret: true },
  ],
  [
    'of a first secret',
    secretChange('o', null, hide('new')),
    { before: '', after: null, secret: true },
  ],
  [
    'of a hidden secret',
    { ...secretChange('o', null, hide('new')), unreadable: 'masked' },
    { before: null, after: null, secret: true, hidden: true },
  ],
])('the sides %s in a document', (_, change, expected) => {
  expect(sidesOf(change)).toMatchObject(expected);
  expect(
    Object.keys(sidesOf(change))
      .filter((key) => !['reference', 'rotated'].includes(key))
      .sort(),
  ).toEqual(Object.keys(expected).sort());
});

test('the sides of a permission have no reference', () => {
  expect(
    Object.keys(
      sidesOf(permissionChange('o', 'lock-and-hide', 'lock-and-show')),
    ).sort(),
  ).toEqual(['after', 'before']);
});

test.each([
  [[], false],
  [[[]], false],
  [[[true]], true],
  [[[true], [true, true]], true],
  [[[true], [true, false]], false],
])(
  'nothing is planned if all integrations of all servers have errors: %j is %s',
  (servers, expected) => {
    const plans = servers.map(
      (each): ServerPlan => ({
        ...{ ...server, summary: SUMMARY },
        integrations: each.map((unplanned) => ({
          ...{ ...NOTHING, name: 'vt', id: 'vt', status: null },
          ...(unplanned ? { unplanned } : {}),
        })),
      }),
    );
    expect(isNothingPlanned(plans)).toBe(expected);
  },
);
