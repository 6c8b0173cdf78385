import { hide } from '../../src/core/model/secret.ts';
import type { Change, IntegrationPlan, PlanSummary, ServerPlan } from '../../src/core/plan/plan.ts';
import { SUMMARY } from './plan-summary.ts';

const place = (line: number, file = 'base/integrations.yaml') => ({ file, line, column: 7, endColumn: 12 });

/** A change of a number. */
function limitChange(name: string, line: number, own: Partial<Change> = {}): Change {
  const change: Change = {
    address: `${name}.options.limit.value`,
    field: 'value',
    option: 'limit',
    label: 'change',
    risks: [],
    source: place(line),
    sensitive: false,
    before: 30,
    after: 60,
  };
  return Object.assign(change, own);
}

/** An integration with these changes. */
function integrationOf(
  name: string,
  changes: readonly Change[],
  own: Partial<IntegrationPlan> = {},
): IntegrationPlan {
  return {
    name,
    id: `${name}_node_1`,
    status: 'running',
    blocked: false,
    changes,
    cannotTell: [],
    unmanagedOptions: 0,
    ...own,
  };
}

/** A plan of integrations, with the totals that they come to. */
export function planOf(
  name: string,
  integrations: readonly IntegrationPlan[],
  own: Partial<ServerPlan> = {},
  summary: Partial<PlanSummary> = {},
): ServerPlan {
  const changed = integrations.filter(({ changes }) => changes.length > 0);
  return {
    name,
    url: `https://${name}.example`,
    summary: {
      ...SUMMARY,
      managed: integrations.length,
      managedInAll: integrations.length,
      changed: changed.length,
      changes: changed.reduce((sum, { changes }) => sum + changes.length, 0),
      cannotTell: integrations.reduce((sum, { cannotTell }) => sum + cannotTell.length, 0),
      writes: changed.length,
      ...summary,
    },
    integrations,
    ...own,
  };
}

const base = { ref: 'origin/main', commit: 'c0ffee0123456789c0ffee0123456789c0ffee01' };

/** Every label, risk and kind of value in one plan. */
function allLabels(): ServerPlan {
  const permission: Change = {
    address: 'virustotal.options.apiKey.permission',
    field: 'permission',
    option: 'apiKey',
    label: 'change',
    risks: ['exposes-secret', 'overrides-users'],
    source: place(12),
    comment: 'asked for by the SOC',
    sensitive: false,
    before: 'user-provides',
    after: 'lock-and-show',
  };
  const secret: Change = {
    address: 'virustotal.options.apiKey.value',
    field: 'value',
    option: 'apiKey',
    label: 'conflict',
    risks: [],
    source: place(11),
    sensitive: true,
    before: hide('old'),
    after: hide('new'),
    reference: '${env:SETPOINT_VT_API_KEY}',
  };
  const query = limitChange('splunk', 31, {
    address: 'splunk.options.query.value',
    label: 'drift',
    before: 'index=main\n| head 10\n```\n',
    after: 'index=main\n| head 20\n```\n',
  });
  const subscribed: Change = {
    address: 'whois.autosubscribe',
    field: 'autosubscribe',
    label: 'change',
    risks: ['subscribes-everyone'],
    source: place(40),
    sensitive: false,
    before: false,
    after: true,
  };
  const waiver = { until: '2026-12-31', reason: 'moves to a new cluster', owner: 'network team' };
  return planOf(
    'production',
    [
      integrationOf('splunk', [query], {
        waived: [
          {
            address: 'splunk.options.timeout.value',
            field: 'value',
            option: 'timeout',
            label: 'drift',
            source: place(30),
            waiver,
          },
        ],
      }),
      integrationOf('virustotal', [permission, secret], {
        noted: [
          { address: 'virustotal.options.url.value', label: 'settled', field: 'value', option: 'url' },
          { address: 'virustotal.options.proxy.value', label: 'released', field: 'value', option: 'proxy' },
        ],
        cannotTell: [{ address: 'virustotal.options.token.value', reason: 'masked', source: place(14) }],
      }),
      integrationOf('whois', [subscribed], { blocked: true, status: 'stopped' }),
    ],
    { base },
    { labels: { change: 2, conflict: 1, drift: 1, settled: 1, released: 1 }, waived: 1, blocked: 1 },
  );
}

function threeServers(): ServerPlan[] {
  const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
  const shared = names.map((name) =>
    integrationOf(name, [limitChange(name, 9, { address: `${name}.options.proxy.value`, option: 'proxy' })]),
  );
  const applied = [
    integrationOf('alpha', [limitChange('alpha', 4, { outcome: 'verified' })], { outcome: 'verified' }),
    integrationOf('beta', [limitChange('beta', 5)], { outcome: 'failed' }),
  ];
  return [
    planOf('production', shared),
    planOf('staging', applied),
    planOf('test', [integrationOf('alpha', [], { unplanned: true })]),
  ];
}

function many(): ServerPlan {
  const integrations = Array.from({ length: 300 }, (_, index) => {
    const name = `integration-${String(index).padStart(3, '0')}`;
    const changes = Array.from({ length: 10 }, (__, at) =>
      limitChange(name, index * 12 + at + 2, {
        address: `${name}.options.option${at}.value`,
        option: `option${at}`,
        after: `value ${index} of ${at}`,
      }),
    );
    return integrationOf(name, changes);
  });
  return planOf('production', integrations);
}

/** The plans that every format is looked at with. */
export const REPORT_PLANS: Readonly<Record<string, () => readonly ServerPlan[]>> = {
  empty: () => [planOf('production', [integrationOf('virustotal', [])])],
  'one-change': () => [planOf('production', [integrationOf('virustotal', [limitChange('virustotal', 9)])])],
  'all-labels': () => [allLabels()],
  'three-servers': threeServers,
  'three-thousand-changes': () => [many()],
};
