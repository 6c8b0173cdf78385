import { describe, expect, test } from 'vitest';
import type { referenceTable } from '../../../src/core/config/resolve.ts';
import { diagnostic } from '../../../src/core/findings/diagnostic.ts';
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
import { NOTHING_LEFT } from '../../support/plan-summary.ts';
import { plannedFor, SERVER, wordsOf } from '../../support/planned.ts';
import { documented, savedPlan } from '../../support/saved-plan.ts';

const table: ReturnType<typeof referenceTable> = new Map([
  ['env:SETPOINT_KEY', { text: hide('n3wkey-of-vt') }],
  ['env:SETPOINT_PORT', { text: hide('8080') }],
]);

/** The plan of some entries for what is live, its findings, and those of matching. */
function plannedAll(
  yaml: string,
  live: readonly LiveIntegration[],
  { only, policy }: { readonly only?: string; readonly policy?: Policy } = {},
) {
  const matched = matchedWith(validConfig(entries(yaml)), live, only, table);
  const server = { ...SERVER, ...present({ only, policy }) };
  const desired = matched.integrations;
  const planned = planServer({ server, desired, live, reads: 3 });
  const found = [...matched.diagnostics, ...planned.diagnostics];
  return { ...planned, codes: found.map(brief) };
}

/** The plan for one live integration `vt` and the YAML of its entry. */
function planned(yaml: string, live: LiveIntegration, policy?: Policy) {
  const wish = policy === undefined ? {} : { policy };
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

test('an integration that was not read is reported only as that', () => {
  const live = [liveIntegration('vt')];
  const error = diagnostic('bad-answer', { problem: 'it is cut' });
  const unread = new Map([['vt', error]]);
  const yaml = 'vt: { options: { o: x } }';
  const { plan, diagnostics } = plannedFor(yaml, live, { unread });
  expect(diagnostics).toEqual([error]);
  expect(plan.integrations).toMatchObject([{ id: 'vt', unplanned: true }]);
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
  expect(plan.summary.unmanagedOptions).toBe(0);
  expect(plannedAll(yaml, live).codes).toEqual(['unknown-option 3:46']);
});

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

describe('risks', () => {
  test('are no matter of what is no secret; a secret goes where users see it', () => {
    const live = liveIntegration('vt', [
      liveOption('t'),
      liveOption('k', { value: readable('https://user:pass@h.example') }),
      liveOption('s', { permission: 'lock-and-show' }),
    ]);
    const risks = (option: string) => {
      const { integration } = planned(`{ options: { ${option} } }`, live);
      return integration.changes.flatMap((change) => change.risks);
    };
    expect(risks('t: { permission: lock-and-show }')).toEqual([]);
    const exposed = ['exposes-secret'];
    expect(risks('k: { permission: lock-and-show }')).toEqual(exposed);
    expect(risks('s: "${env:SETPOINT_KEY}"')).toEqual(exposed);
  });
  test('a risk that the policy turns off is not mentioned', () => {
    const option = liveOption('u', { permission: 'user-provides' });
    const live = liveIntegration('vt', [option]);
    const yaml = '{ options: { u: { permission: lock-and-hide } } }';
    const risks = (policy: Policy) =>
      planned(yaml, live, policy).integration.changes[0]?.risks;
    expect(risks({ 'overrides-users': 'warn' })).toEqual(['overrides-users']);
    expect(risks({ 'overrides-users': 'off' })).toEqual([]);
  });
  test('of several policies the stricter word counts, in any order', () => {
    const loose = { 'exposes-secret': 'warn' } as const;
    const strict = { 'exposes-secret': 'error' } as const;
    expect(strictest([loose, strict])).toEqual(strict);
    expect(strictest([strict, loose])).toEqual(strict);
    expect(strictest([loose])).toEqual(loose);
    // The default of exposes-secret is stricter than a warning.
    for (const policies of [[loose, {}], [{}, loose], []])
      expect(strictest(policies)).toEqual({});
    expect(strictest([{ 'overrides-users': 'off' }, {}])).toEqual({});
  });
});

describe('requests', () => {
  const live = liveIntegration(
    'vt',
    ['a', 'b', 'c'].map((key) => liveOption(key)),
  );
  const yaml = (autosubscribe: boolean) =>
    `{ autosubscribe: ${autosubscribe}, options: { a: x, b: { value: y, permission: lock-and-show }, c: { permission: user-provides } } }`;
  /** The requests of an integration as a server takes them that shows nothing of its own form. */
  const bodiesOf = encoderFor([]);
  test('one for the options, with only what changes, both flags together; one for the attributes, last', () => {
    const { integration } = planned(yaml(true), live);
    const type = 'integration-options';
    const of = (key: string, attributes: object) => {
      return { id: `vt-${key}`, type, attributes };
    };
    const data = [
      of('a', { value: 'x' }),
      of('b', { 'admin-only': false, 'user-can-edit': false, value: 'y' }),
      of('c', { 'admin-only': false, 'user-can-edit': true }),
    ];
    const flag = { id: 'vt', attributes: { autosubscribe: true } };
    const requests = bodiesOf(integration);
    expect(requests.map(({ path, body }) => [path, body])).toEqual([
      ['/api/integration-options', { data }],
      ['/api/integrations/vt', { data: flag }],
    ]);
  });
  test('nobody is subscribed any more before the options change', () => {
    const subscribed = { ...live, autosubscribe: true };
    const { integration } = planned(yaml(false), subscribed);
    expect(bodiesOf(integration)).toMatchObject([
      { path: '/api/integrations/vt' },
      { path: '/api/integration-options' },
    ]);
    const alone = planned('{ autosubscribe: false }', subscribed).integration;
    expect(bodiesOf(alone)).toHaveLength(1);
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

test('the summary of a plan counts integrations, fields and requests', () => {
  const held = liveOption('held', { value: readable('x') });
  const unknown = liveOption('hidden', { permission: 'unknown' });
  const [o, free] = [liveOption('o'), liveOption('free')];
  const live = [
    liveIntegration('changed', [held, o, unknown, free]),
    liveIntegration('stopped', [o], { status: 'stopped' }),
    liveIntegration('as-desired', [held, free, liveOption('other')]),
    liveIntegration('unmanaged', [held]),
  ];
  const yaml = `
changed: { autosubscribe: true, options: { held: x, o: y, hidden: { permission: lock-and-show } } }
stopped: { options: { o: y } }
as-desired: { options: { held: x } }`;
  expect(plannedAll(yaml, live).plan.summary).toEqual({
    managed: 3,
    changed: 2,
    changes: 3,
    left: { ...NOTHING_LEFT, hidden: 1 },
    unmanagedOptions: 3,
    unmanagedIntegrations: 0,
    reads: 3,
    writes: 3,
  });
});

test('defaults of which an integration has nothing make no plan of it', () => {
  const live = [liveIntegration('a', [liveOption('o')]), liveIntegration('b')];
  const yaml = 'all: { match: "*", expect: any, options: { o: x } }';
  const { plan, diagnostics } = plannedFor(yaml, live);
  expect(plan.integrations.map(({ id }) => id)).toEqual(['a']);
  expect(diagnostics).toEqual([]);
});

test('what is left alone is drift that a waiver allows, and no change of the branch', () => {
  const option = (key: string, value: string) =>
    liveOption(key, { value: readable(value) });
  const options = [
    option('o', 'moved'),
    option('p', 'x'),
    option('q', 'moved'),
  ];
  const live = [liveIntegration('vt', options)];
  const yaml = (p: string) => `vt: { options: { o: x, p: ${p}, q: x } }`;
  const branch = {
    revision: { ref: 'main', commit: 'c'.repeat(40) },
    before: desiredOf(validConfig(entries(yaml('x'))), live),
  };
  const until = '2026-12-31';
  const waivers = [
    { address: 'vt.options.o', until, reason: 'slow' },
    { address: 'vt.options.p.value', until },
  ];
  const own = { branch, waivers };
  const { plan, diagnostics } = plannedFor(yaml('y'), live, own);
  expect(wordsOf(plan.integrations)).toEqual({
    'vt.options.p.value': 'change',
    'vt.options.q.value': 'drift',
  });
  const address = 'vt.options.o.value';
  const { base, integrations } = savedPlan(plan);
  expect(base).toEqual(branch.revision);
  expect(integrations[0]?.left).toMatchObject([
    { address, because: 'waived', until, reason: 'slow' },
  ]);
  expect(diagnostics).toEqual([]);
});
