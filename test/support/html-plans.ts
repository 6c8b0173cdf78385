import type { Diagnostic } from '../../src/core/findings/diagnostic.ts';
import { diagnostic } from '../../src/core/findings/diagnostic.ts';
import type { Place } from '../../src/core/model/place.ts';
import { hide } from '../../src/core/model/secret.ts';
import type { OptionValue } from '../../src/core/model/value.ts';
import type { Change, IntegrationPlan, ServerPlan } from '../../src/core/plan/plan.ts';
import { SUMMARY } from './plan-summary.ts';

/** Plans of one run and what was found beside them. */
export interface PlanSample {
  readonly servers: readonly ServerPlan[];
  readonly findings: readonly Diagnostic[];
}

const at = (line: number, file = 'base/threat.yaml'): Place => ({ file, line, column: 16 });

/** An integration as desired, with what differs. */
function integration(name: string, own: Partial<IntegrationPlan> = {}): IntegrationPlan {
  const id = `${name}_node_18_1725278818`;
  const rest = { status: 'running', blocked: false, changes: [], cannotTell: [], unmanagedOptions: 4 };
  return { name, id, ...rest, ...own };
}

/** A plan of some integrations, with its counts. */
function server(
  name: string,
  integrations: readonly IntegrationPlan[],
  own: Partial<ServerPlan> = {},
): ServerPlan {
  const sum = (of: (each: IntegrationPlan) => number) =>
    integrations.reduce((total, each) => total + of(each), 0);
  const labelled = integrations.flatMap(({ changes, noted = [] }) => [...changes, ...noted]);
  const counted = (label: string) => labelled.filter((each) => each.label === label).length;
  const waived = sum((each) => each.waived?.length ?? 0);
  const labels = {
    change: counted('change'),
    conflict: counted('conflict'),
    drift: counted('drift'),
    settled: counted('settled'),
    released: counted('released'),
  };
  const summary = {
    ...SUMMARY,
    managed: integrations.length,
    managedInAll: integrations.length,
    changed: sum(({ changes }) => Math.min(1, changes.length)),
    changes: sum(({ changes }) => changes.length),
    blocked: sum(({ blocked }) => Number(blocked)),
    cannotTell: sum(({ cannotTell }) => cannotTell.length),
    unmanagedOptions: sum(({ unmanagedOptions }) => unmanagedOptions),
    writes: sum(({ changes }) => Math.min(1, changes.length)),
    ...(own.base === undefined ? {} : { labels }),
    ...(waived === 0 ? {} : { waived }),
  };
  return { name, url: `https://${name}.example.com`, summary, integrations, ...own };
}

/** A plain value that changes. */
function value(name: string, option: string, before: OptionValue | null, after: OptionValue): Change {
  return {
    address: `${name}.options.${option}.value`,
    field: 'value',
    option,
    label: 'change',
    risks: [],
    source: at(9),
    sensitive: false,
    before,
    after,
  };
}

const RULES = 'allow internal\nlimit 100\nlog all\nretry 3\nexpire 30d\nmask tokens\ndeny rest\n';
const JSON_BEFORE = '{"hosts":["a.example.com","b.example.com"],"limit":100,"mode":"fast"}';

/** One change of each kind, with the risks and outcomes that each can have. */
function everyKind(name: string): Change[] {
  const option = (key: string) => ({ address: `${name}.options.${key}`, option: key, source: at(12) });
  const choice = (text: string) => ({ display: text.toUpperCase(), value: text });
  return [
    value(name, 'url', 'https://old.example.com/api', 'https://new.example.com/api'),
    { ...value(name, 'timeout', 30, 60), comment: 'slow since the last upgrade' },
    { ...value(name, 'rules', RULES, RULES.replace('limit 100', 'limit 250')), label: 'drift' },
    { ...value(name, 'query', JSON_BEFORE, JSON_BEFORE.replace('100', '500')), label: 'conflict' },
    value(name, 'note', null, 'kept by the platform team'),
    value(name, 'types', [choice('ip'), choice('url')], [choice('ip'), choice('domain')]),
    {
      ...option('apiKey'),
      address: `${name}.options.apiKey.value`,
      field: 'value',
      label: 'change',
      risks: [],
      sensitive: true,
      before: null,
      after: hide('canary-of-a-secret'),
      reference: '${env:SETPOINT_THREAT_KEY}',
    },
    {
      ...option('apiKey'),
      address: `${name}.options.apiKey.permission`,
      field: 'permission',
      label: 'change',
      risks: ['exposes-secret', 'overrides-users'],
      before: 'user-provides',
      after: 'lock-and-show',
      sensitive: false,
    },
    {
      address: `${name}.autosubscribe`,
      field: 'autosubscribe',
      label: 'drift',
      risks: ['subscribes-everyone'],
      source: at(3),
      before: false,
      after: true,
      sensitive: false,
    },
  ];
}

const BASE = { ref: 'origin/main', commit: '0123456789abcdef0123456789abcdef01234567' };

function allLabels(): ServerPlan {
  const name = 'tickets';
  const noted = [
    {
      address: `${name}.options.project.value`,
      label: 'settled',
      field: 'value',
      option: 'project',
      source: at(4),
    },
    { address: `${name}.options.queue.value`, label: 'released', field: 'value', option: 'queue' },
  ] as const;
  const waived = [
    {
      address: `${name}.options.limit.value`,
      field: 'value',
      option: 'limit',
      label: 'drift',
      source: at(6),
      waiver: { until: '2026-12-31', reason: 'slow until the upgrade', owner: 'soc' },
    },
  ] as const;
  const cannotTell = [
    {
      address: `${name}.options.token.value`,
      reason: 'masked',
      reference: '${env:SETPOINT_TOKEN_2}',
      source: at(7),
    },
  ] as const;
  const integrations = [
    integration('logs', { unplanned: true }),
    integration('threat', { changes: everyKind('threat') }),
    integration(name, { noted, waived, cannotTell }),
    integration('vault', { status: 'stopped', blocked: true, changes: [value('vault', 'orgId', 7, 8)] }),
  ];
  return server('production', integrations, { base: BASE });
}

function threeServers(): ServerPlan[] {
  const changed = integration('threat', { changes: everyKind('threat').slice(0, 3) });
  const applied = (outcome: 'verified' | 'failed' | 'sent'): IntegrationPlan => ({ ...changed, outcome });
  return [
    server('production', [applied('verified'), integration('vault')]),
    server('staging', [applied('failed'), integration('tickets')]),
    server('test', [
      applied('sent'),
      integration('vault', { changes: [value('vault', 'orgId', 7, 8)], outcome: 'verified' }),
    ]),
  ];
}

/** Ten changes in each of 300 integrations, on three servers. */
function large(): ServerPlan[] {
  const fleet = (from: number) =>
    Array.from({ length: 100 }, (_, index) => {
      const name = `integration-${String(from + index).padStart(3, '0')}`;
      return integration(name, {
        changes: [...everyKind(name), value(name, 'proxy', 'http://a', `http://b${index}`)],
      });
    });
  return ['production', 'staging', 'test'].map((name, index) =>
    server(name, fleet(index * 50), { base: BASE }),
  );
}

/** The five samples that a format is looked at by. */
export function planSamples(): Readonly<Record<string, PlanSample>> {
  const one = server('production', [integration('threat', { changes: everyKind('threat').slice(0, 1) })]);
  const found = [
    diagnostic(
      'risk-refused',
      { risk: 'exposes-secret', addresses: ['threat.options.apiKey.permission'], by: 'default' },
      at(13),
    ),
    diagnostic(
      'unknown-option',
      { key: 'ttl', integration: 'logs', known: ['limit'] },
      at(21, 'base/logs.yaml'),
    ),
  ];
  return {
    empty: { servers: [server('production', [integration('threat')])], findings: [] },
    'one-change': { servers: [one], findings: [] },
    'all-labels': { servers: [allLabels()], findings: found },
    'three-servers': { servers: threeServers(), findings: [] },
    '3000-changes': { servers: large(), findings: [] },
  };
}
