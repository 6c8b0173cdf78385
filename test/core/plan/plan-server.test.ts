import { describe, expect, test } from 'vitest';
import type { referenceTable } from '../../../src/core/config/resolve.ts';
import { present } from '../../../src/core/model/json.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { hide } from '../../../src/core/model/secret.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { encoderFor } from '../../../src/core/plan/requests.ts';
import { type Policy, strictest } from '../../../src/core/plan/risk.ts';
import { addressesOf } from '../../support/changes.ts';
import {
  brief,
  desiredOf,
  entries,
  matchedWith,
  validConfig,
} from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';
import { plannedFor, wordsOf } from '../../support/planned.ts';
import { documented } from '../../support/saved-plan.ts';

const table: ReturnType<typeof referenceTable> = new Map([
  ['env:SETPOINT_KEY', { text: hide('n3wkey-of-vt') }],
  ['env:SETPOINT_PORT', { text: hide('8080') }],
]);

/** The plan of some entries for what is live, its findings, and those of matching. */
function plannedAll(
  yaml: string,
  live: readonly LiveIntegration[],
  { only, installed = live, policy }: Wish = {},
) {
  const matched = matchedWith(validConfig(entries(yaml)), live, only, table);
  const server = { name: 's', url: 'https://s', ...present({ only, policy }) };
  const planned = planServer({
    server,
    desired: matched.integrations,
    live: installed,
    reads: 3,
  });
  return {
    ...planned,
    codes: [...matched.diagnostics, ...planned.diagnostics].map(brief),
  };
}

interface Wish {
  readonly only?: string;
  /** What is installed, if not what was matched. */
  readonly installed?: readonly LiveIntegration[];
  readonly policy?: Policy;
}

/** The plan for one live integration `vt` and the YAML of its entry. */
function planned(yaml: string, live: LiveIntegration, wish: Wish = {}) {
  const value = plannedAll(`vt: ${yaml}`, [live], wish);
  const [integration] = value.plan.integrations;
  if (integration === undefined) throw new Error('no integration');
  return { ...value, integration };
}

test('an option that does not exist is an error, with the names that do', () => {
  const { codes } = planned(
    '{ options: { apiKe: x } }',
    liveIntegration('vt', [liveOption('apiKey')]),
  );
  expect(codes).toEqual(['unknown-option 3:20']);
});

test('defaults may fit what --only leaves out', () => {
  const live = [
    liveIntegration('a_1'),
    liveIntegration('a_2', [liveOption('x')]),
  ];
  const yaml =
    'all: { match: "*", expect: any, options: { timeout: 5, x: 1 } }';
  const { plan, codes } = plannedAll(yaml, live, { only: 'a_2' });
  const changes = plan.integrations.flatMap((each) => each.changes);
  expect([addressesOf(changes), codes]).toEqual([['a_2.options.x.value'], []]);
});

describe('a secret', () => {
  test('a person may say that a value is none, but not of a password', () => {
    const open = (written: string, type: string) => {
      const [change] = planned(
        `{ options: { apiToken: { value: ${written}, sensitive: false } } }`,
        liveIntegration('vt', [liveOption('apiToken', { type })]),
      ).integration.changes;
      return change?.comparison.after.kind === 'shown';
    };
    expect(open('https://user:pass@h.example', 'text')).toBe(true);
    expect(open('"${env:SETPOINT_KEY}"', 'password')).toBe(false);
    expect(open('"${env:SETPOINT_KEY}"', 'text')).toBe(true);
  });
});

describe('risks', () => {
  const key = '"${env:SETPOINT_KEY}"';
  test.each<[string, string, string[]]>([
    ['a text becomes visible', 't: { permission: lock-and-show }', []],
    [
      'what looks like a secret is shown',
      'k: { permission: lock-and-show }',
      ['exposes-secret'],
    ],
    ['a secret goes where users see it', `s: ${key}`, ['exposes-secret']],
  ])('%s', (_, option, expected) => {
    const live = liveIntegration('vt', [
      liveOption('t'),
      liveOption('k', { value: readable('https://user:pass@h.example') }),
      liveOption('s', { permission: 'lock-and-show' }),
    ]);
    const { changes } = planned(`{ options: { ${option} } }`, live).integration;
    expect(changes.flatMap(({ risks }) => risks)).toEqual(expected);
  });
  test('a risk that the policy turns off is not mentioned', () => {
    const live = liveIntegration('vt', [
      liveOption('u', { permission: 'user-provides' }),
    ]);
    const risks = (policy: Policy) =>
      planned('{ options: { u: { permission: lock-and-hide } } }', live, {
        policy,
      }).integration.changes.flatMap((each) => each.risks);
    expect([
      risks({ 'overrides-users': 'warn' }),
      risks({ 'overrides-users': 'off' }),
    ]).toEqual([['overrides-users'], []]);
  });
  test('of several policies the stricter word counts, in any order', () => {
    const [loose, strict] = [
      { 'exposes-secret': 'warn' },
      { 'exposes-secret': 'error' },
    ] as const;
    expect([strictest([loose, strict]), strictest([strict, loose])]).toEqual([
      strict,
      strict,
    ]);
    expect(strictest([loose])).toEqual(loose);
    // The default of exposes-secret is stricter than a warning.
    expect([
      strictest([loose, {}]),
      strictest([{}, loose]),
      strictest([]),
    ]).toEqual([{}, {}, {}]);
    expect(strictest([{ 'overrides-users': 'off' }, {}])).toEqual({});
  });
});

describe('requests', () => {
  const live = liveIntegration('vt', [
    liveOption('a'),
    liveOption('b'),
    liveOption('c'),
  ]);
  const yaml = (autosubscribe: boolean) =>
    `{ autosubscribe: ${autosubscribe}, options: { a: x, b: { value: y, permission: lock-and-show }, c: { permission: user-provides } } }`;
  test('one for the options, with only what changes, both flags together; one for the attributes, last', () => {
    const { integration } = planned(yaml(true), live);
    const of = (key: string, attributes: object) => ({
      id: `vt-${key}`,
      type: 'integration-options',
      attributes,
    });
    const data = [
      of('a', { value: 'x' }),
      of('b', { 'admin-only': false, 'user-can-edit': false, value: 'y' }),
      of('c', { 'admin-only': false, 'user-can-edit': true }),
    ];
    expect(bodiesOf(integration).map(({ path, body }) => [path, body])).toEqual(
      [
        ['/api/integration-options', { data }],
        [
          '/api/integrations/vt',
          { data: { id: 'vt', attributes: { autosubscribe: true } } },
        ],
      ],
    );
  });
  test('nobody is subscribed any more before the options change', () => {
    const { integration } = planned(yaml(false), {
      ...live,
      autosubscribe: true,
    });
    expect(bodiesOf(integration).map(({ path }) => path)).toEqual([
      '/api/integrations/vt',
      '/api/integration-options',
    ]);
  });
});

test.each([
  ['the desk decides', 'the desk decides'],
  ['was ghp_16C7e42F292c6912E7710c838347Ae178B4a', undefined],
])(
  'a comment is in the plan unless it holds a secret: %s',
  (comment, expected) => {
    const yaml = `\n    options:\n      a: 1\n      b: x # ${comment}`;
    const { plan } = planned(
      yaml,
      liveIntegration('vt', [liveOption('a'), liveOption('b')]),
    );
    const [, change] = documented(plan).integrations[0]?.changes ?? [];
    expect(change?.comment).toBe(expected);
  },
);

/** The requests of an integration as a server takes them that shows nothing of its own form. */
const bodiesOf = encoderFor([]);

describe('the summary of a plan', () => {
  const held = liveOption('held', { value: readable('x') });
  const live = [
    liveIntegration('changed', [
      held,
      liveOption('o'),
      liveOption('hidden', { permission: 'unknown' }),
      liveOption('free'),
    ]),
    liveIntegration('stopped', [liveOption('o')], { status: 'stopped' }),
    liveIntegration('as-desired', [
      held,
      liveOption('free'),
      liveOption('other'),
    ]),
    liveIntegration('unmanaged', [held]),
  ];
  const yaml = `
changed: { autosubscribe: true, options: { held: x, o: y, hidden: { permission: lock-and-show } } }
stopped: { options: { o: y } }
as-desired: { options: { held: x } }`;
  test('counts integrations, fields and requests', () => {
    expect(plannedAll(yaml, live).plan.summary).toEqual({
      managed: 3,
      changed: 2,
      changes: 3,
      left: { hidden: 1, unread: 0, waived: 0, settled: 0, released: 0 },
      unmanagedOptions: 3,
      unmanagedIntegrations: 0,
      reads: 3,
      writes: 3,
    });
  });
});

test('defaults of which an integration has nothing make no plan of it', () => {
  const live = [liveIntegration('a', [liveOption('o')]), liveIntegration('b')];
  const yaml = 'all: { match: "*", expect: any, options: { o: x } }';
  const { plan, diagnostics } = plannedFor(yaml, live);
  expect(plan.integrations.map(({ id }) => id)).toEqual(['a']);
  expect(diagnostics).toEqual([]);
});

describe('what is left alone', () => {
  const live = [
    liveIntegration('vt', [
      liveOption('o', { value: readable('moved') }),
      liveOption('p', { value: readable('x') }),
      liveOption('q', { value: readable('moved') }),
    ]),
  ];
  const yaml = (p: string) => `vt: { options: { o: x, p: ${p}, q: x } }`;
  const branch = {
    revision: { ref: 'main', commit: 'c'.repeat(40) },
    before: desiredOf(validConfig(entries(yaml('x'))), live),
  };
  test('is drift that a waiver allows, and no change of the branch', () => {
    const until = '2026-12-31';
    const waivers = [
      { address: 'vt.options.o', until, reason: 'slow' },
      { address: 'vt.options.p.value', until },
    ];
    const { plan, diagnostics } = plannedFor(yaml('y'), live, {
      branch,
      waivers,
    });
    expect(wordsOf(plan.integrations)).toEqual({
      'vt.options.p.value': 'change',
      'vt.options.q.value': 'drift',
    });
    expect(addressesOf(plan.integrations[0]?.left ?? [])).toEqual([
      'vt.options.o.value',
    ]);
    expect(documented(plan).integrations[0]?.left).toMatchObject([
      {
        address: 'vt.options.o.value',
        because: 'waived',
        until,
        reason: 'slow',
      },
    ]);
    expect(diagnostics).toEqual([]);
  });
});
