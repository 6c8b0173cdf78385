import { expect, test } from 'vitest';
import { hide } from '../../../src/core/model/secret.ts';
import type { Outcome } from '../../../src/core/plan/outcome.ts';
import type { Change, IntegrationPlan, ServerPlan } from '../../../src/core/plan/plan.ts';
import { type Paint, PLAIN } from '../../../src/core/report/paint.ts';
import { renderPlans } from '../../../src/core/report/text/plan.ts';
import { SUMMARY } from '../../support/plan-summary.ts';

const source = { file: 'a.yaml', line: 1, column: 1 };
const base = { label: 'change', risks: [], source, sensitive: false } as const;
const key = { ...base, option: 'apiKey' } as const;
const choices = (value: string) => [{ display: value.toUpperCase(), value }];

const CHANGES: readonly Change[] = [
  {
    ...key,
    address: 'vt.options.apiKey.value',
    field: 'value',
    sensitive: true,
    before: null,
    after: hide('x'),
    unreadable: true,
    reference: '${env:SETPOINT_K}',
  },
  {
    ...key,
    address: 'vt.options.apiKey.permission',
    field: 'permission',
    before: 'lock-and-hide',
    after: 'lock-and-show',
    risks: ['exposes-secret'],
  },
  {
    ...base,
    address: 'vt.options.url.value',
    field: 'value',
    option: 'url',
    before: null,
    after: 'https://x',
  },
  {
    ...base,
    address: 'vt.options.pem.value',
    field: 'value',
    option: 'pem',
    before: '1\n2\n',
    after: '1\n3\n',
  },
  {
    ...base,
    address: 'vt.options.types.value',
    field: 'value',
    option: 'types',
    before: choices('a'),
    after: choices('b'),
  },
  {
    ...base,
    address: 'vt.autosubscribe',
    field: 'autosubscribe',
    before: false,
    after: true,
    risks: ['subscribes-everyone'],
  },
];

const integration = (name: string, changes: Partial<IntegrationPlan>): IntegrationPlan => ({
  name,
  id: name,
  status: 'running',
  blocked: false,
  unmanagedOptions: 0,
  changes: [],
  cannotTell: [],
  ...changes,
});

const host: Change = {
  ...base,
  address: 'mail.options.host.value',
  field: 'value',
  option: 'host',
  before: 'a',
  after: 'b',
};

const PLAN: ServerPlan = {
  name: 'production',
  url: 'https://p.example',
  summary: {
    ...SUMMARY,
    managed: 4,
    changed: 2,
    changes: 7,
    cannotTell: 4,
    unmanagedOptions: 1,
    unmanagedIntegrations: 2,
    reads: 3,
    writes: 3,
  },
  integrations: [
    integration('vt', { id: 'vt_node_18', changes: CHANGES }),
    integration('mail', {
      status: 'stopped',
      blocked: true,
      changes: [host],
      cannotTell: [{ address: 'mail.options.password.value', reason: 'masked', source }],
    }),
    integration('dns', {
      cannotTell: [
        { address: 'dns.options.a.value', reason: 'empty', source },
        { address: 'dns.options.bb.value', reason: 'absent', source },
        { address: 'dns.autosubscribe', reason: 'form', source },
      ],
    }),
    integration('rest', {}),
  ],
};

const marking: Paint = {
  ...PLAIN,
  add: (text) => `<add ${text}>`,
  remove: (text) => `<remove ${text}>`,
  change: (text) => `<change ${text}>`,
  risk: (text) => `<risk ${text}>`,
  error: (text) => `<error ${text}>`,
  strong: (text) => `<strong ${text}>`,
  faint: (text) => `<faint ${text}>`,
};

const lines = (plan: ServerPlan, paint = PLAIN, requests = false) =>
  renderPlans([plan], { paint, width: 60, requests, findings: [] }).split('\n');

test('a plan shows each integration with its changes, risks and requests, and ends with a summary', () => {
  expect(lines(PLAN, PLAIN, true).join('\n')).toMatchInlineSnapshot(`
    "production  https://p.example

    ~ vt  vt_node_18
        ~ apiKey.value       (unreadable) -> \${env:SETPOINT_K}
        ~ apiKey.permission  lock-and-hide -> lock-and-show
          (set for all, hidden from users -> set for all, users see it)
          ! exposes-secret: all users will see this secret
        + url.value          (none) -> https://x
        ~ pem.value
              1
            - 2
            + 3
        ~ types.value        -a +b
        ~ autosubscribe      false -> true
          ! subscribes-everyone: all users with access are subscribed
        > PATCH /api/integration-options
            apiKey.value, apiKey.permission, url.value,
            pem.value, types.value
        > PATCH /api/integrations/vt_node_18
            autosubscribe

    ! mail  (stopped)
        ~ host.value  a -> b
        > PATCH /api/integration-options
            host.value

    Risks: exposes-secret 1, subscribes-everyone 1.
    Plan: 7 changes in 2 of 4 managed integrations.
    3 values cannot be read:
        mail.options.password, dns.options.a, dns.options.bb
    Pass --write-secrets all, or some of these addresses, to
    write them.
    1 field is not shown by the server:
        dns.autosubscribe
    Left alone: 1 option of these, 2 other integrations.
    Requests: 3 to read, 3 to apply.
    "
  `);
});

test('an applied plan shows outcomes, and counts what was verified', () => {
  const outcomes: readonly (Outcome | undefined)[] = ['verified', 'failed', 'sent'];
  const integrations = PLAN.integrations.map((each, index) => {
    const outcome = outcomes[index];
    return outcome === undefined ? each : { ...each, outcome };
  });
  const applied = lines({ ...PLAN, integrations }, marking);
  expect(applied.join('\n')).toMatchInlineSnapshot(`
    "<strong production>  https://p.example

    <strong ~ vt>  <faint vt_node_18>  [<add verified>]
        <change ~> apiKey.value       (unreadable) -> <add \${env:SETPOINT_K}>
        <change ~> apiKey.permission  lock-and-hide -> <add lock-and-show>
          <faint (set for all, hidden from users -> set for all, users see it)>
          <risk ! exposes-secret: all users will see this secret>
        <add +> url.value          (none) -> <add https://x>
        <change ~> pem.value
            <faint   1>
            <remove - 2>
            <add + 3>
        <change ~> types.value        <remove -a> <add +b>
        <change ~> autosubscribe      false -> <add true>
          <risk ! subscribes-everyone: all users with access are subscribed>

    <strong ! mail>  <risk (stopped)>  [<error failed>]
        <change ~> host.value  a -> <add b>

    Applied: 6 of 7 changes verified, in 2 of 4 managed
    integrations.
    3 values cannot be read:
        mail.options.password, dns.options.a, dns.options.bb
    1 field is not shown by the server:
        dns.autosubscribe
    Outcomes: 1 verified, 1 sent, 1 failed.
    Left alone: 1 option of these, 2 other integrations.
    Requests: 3 read, 3 planned to write.
    "
  `);
});

test('a value that does not fit beside its name stands below it', () => {
  const long = { ...host, before: 'a'.repeat(21), after: 'b'.repeat(21) };
  const shown = (change: Change) =>
    lines({ ...PLAN, integrations: [integration('mail', { changes: [change] })] }, marking)
      .slice(3)
      .filter((line) => line.startsWith('    '));
  // Six columns, the name, two blanks and the change: 60.
  expect(shown({ ...host, before: 'a'.repeat(19), after: 'b'.repeat(19) })).toHaveLength(1);
  expect(shown(long)).toEqual([
    '    <change ~> host.value',
    `        <remove - ${'a'.repeat(21)}>`,
    `        <add + ${'b'.repeat(21)}>`,
  ]);
});

test.each([
  [0, 1, 'No changes: 1 managed integration is as desired.'],
  [0, 2, 'No changes: 2 managed integrations are as desired.'],
  [1, 2, 'No changes: 1 field is as desired, 1 field cannot be seen.'],
])('a plan without changes that cannot see %s fields of %s says so', (cannotTell, managed, expected) => {
  const summary = { ...SUMMARY, cannotTell, managed };
  expect(lines({ ...PLAN, summary, integrations: [] })[2]).toBe(expected);
});

test('plans of several servers have a line between them', () => {
  const bare = { ...PLAN, summary: SUMMARY, integrations: [] };
  const text = renderPlans([bare, bare], { paint: PLAIN, width: 60, findings: [] });
  expect(text.match(/apply\.\n\nproduction {2}/g)).toHaveLength(1);
});
