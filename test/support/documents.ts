import type {
  ChangeDocument,
  Document,
  IntegrationDocument,
  ServerDocument,
} from '../../src/core/plan/plan-document.ts';

import { NOTHING_LEFT } from './plan-summary.ts';

const place = (line: number, file = 'base/integrations.yaml') => ({
  file,
  line,
  column: 7,
  endColumn: 12,
});

/** A change of a number, or of what `own` says. */
export function changeOf(
  name: string,
  line: number,
  own: Partial<ChangeDocument> = {},
): ChangeDocument {
  const address = `${name}.options.limit.value`;
  const value = { address, before: 30, after: 60 };
  return { ...value, label: 'change', risks: [], source: place(line), ...own };
}

export function integrationOf(
  name: string,
  changes: readonly ChangeDocument[],
  own: Partial<IntegrationDocument> = {},
): IntegrationDocument {
  const usual = { name, id: `${name}_node_1`, status: 'running' };
  return { ...usual, changes, left: [], ...own };
}

export function serverOf(
  name: string,
  integrations: readonly IntegrationDocument[],
  own: Partial<ServerDocument> = {},
): ServerDocument {
  const changed = integrations.filter(({ changes }) => changes.length > 0);
  const left = { ...NOTHING_LEFT };
  for (const field of integrations.flatMap((each) => each.left)) {
    left[field.because] += 1;
  }
  return {
    name,
    url: `https://${name}.example`,
    summary: {
      managed: integrations.length,
      changed: changed.length,
      changes: changed.flatMap(({ changes }) => changes).length,
      left,
      unmanagedOptions: 41,
      unmanagedIntegrations: 0,
      reads: 2,
      writes: integrations.length,
    },
    refusals: [],
    integrations,
    ...own,
  };
}

export function documentWith(
  servers: readonly ServerDocument[],
  own: Partial<Document> = {},
): Document {
  return {
    formatVersion: '4.0',
    tool: { name: 'setpoint', version: '0.0.0' },
    command: 'plan',
    createdAt: '2026-11-22T21:00:00Z',
    complete: true,
    servers,
    diagnostics: [],
    ...own,
  };
}

const COMMIT = '59451ae5407d59451ae5407d59451ae5407d5945';
const BASE = { ref: 'main', commit: COMMIT };

/** Where the files are: places of a page lead there. */
const REPOSITORY = {
  repository: 'https://github.com/acme/integrations',
  commit: COMMIT,
};

type Own = Partial<ChangeDocument>;
type OwnIntegration = Partial<IntegrationDocument>;

/** A field of an integration: `limit`, or `apiKey.permission`. */
function field(name: string, key: string, line: number, own: Own = {}) {
  const ending = key.endsWith('.permission') ? '' : '.value';
  const address = `${name}.options.${key}${ending}`;
  const file = `base/${name}.yaml`;
  const source = { file, line, column: 7, endColumn: 12 };
  return changeOf(name, line, { address, source, ...own });
}

function planOf(
  servers: readonly ServerDocument[],
  own: Partial<Document> = {},
): Document {
  return documentWith(servers, { ...REPOSITORY, base: BASE, ...own });
}

/** Every section, kind of value and finding, and all that is left alone. */
export function sampleDocument(): Document {
  return planOf([serverOf('staging', onStaging()), productionServer()], {
    diagnostics: [...FINDINGS, LOOSENED],
  });
}

function onStaging(): IntegrationDocument[] {
  return [
    integrationOf('jira', [field('jira', 'comments', 16, flag())]),
    integrationOf('slack', slackChanges()),
    integrationOf('splunk', [field('splunk', 'search', 20, SEARCH)]),
    integrationOf('zeek', [], { unplanned: true }),
  ];
}

function productionServer(): ServerDocument {
  const integrations = [
    integrationOf('jira', [
      field('jira', 'comments', 16, flag()),
      field('jira', 'apiKey.permission', 13, {
        before: 'lock-and-hide',
        after: 'lock-and-show',
        risks: ['exposes-secret'],
      }),
      field('jira', 'apiKey', 12, { ...SECRET, rotated: '2026-11-21' }),
    ]),
    integrationOf('okta', [field('okta', 'maxResults', 9, { after: 90 })], {
      status: 'stopped',
      left: [{ address: 'okta.options.proxy.value', because: 'released' }],
    }),
    integrationOf('shodan', [
      field('shodan', 'warn.permission', 6, {
        before: 'user-provides',
        after: 'lock-and-hide',
        risks: ['overrides-users'],
      }),
    ]),
    integrationOf('slack', slackChanges()),
    integrationOf('splunk', [
      field('splunk', 'search', 20, SEARCH),
      field('splunk', 'maxTags', 33, { label: 'conflict', base: 4 }),
      field('splunk', 'url', 8, LONG),
      field('splunk', 'types', 9, CHOICES),
    ]),
    integrationOf('tenable', [], LEFT),
    integrationOf('zeek', [], { unplanned: true }),
  ];
  return serverOf('prod', integrations, { refusals: [REFUSAL] });
}

const REFUSAL: Document['diagnostics'][number] = {
  code: 'risk-refused',
  severity: 'error',
  message:
    'The risk exposes-secret is refused: jira.options.apiKey.permission.',
  hint: 'To allow it, pass --allow exposes-secret; if it is no secret, say sensitive: false.',
  risk: 'exposes-secret',
  server: 'prod',
  integrations: ['jira'],
  addresses: ['jira.options.apiKey.permission'],
  places: [{ file: 'base/jira.yaml', line: 13, column: 7 }],
};

const SECRET: Own = {
  before: null,
  after: null,
  secret: true,
  hidden: true,
  reference: '${env:SETPOINT_JIRA_API_KEY}',
};

const SEARCH: Own = {
  before:
    'search index=threat\n| fields _time, host\n| sort - count\n| head 10',
  after: 'search index=threat\n| fields _time, host\n| sort - count\n| head 25',
};

const LONG: Own = {
  before: 'https://splunk.prod.example.com:8089/services/search',
  after: 'https://splunk-search-1.prod.example.com:8089/services/search',
};

const CHOICES: Own = {
  before: [choice('ip'), choice('url')],
  after: [choice('url'), choice('domain')],
};

function choice(value: string) {
  return { display: value.toUpperCase(), value };
}

function flag(own: Own = {}): Own {
  return { before: false, after: true, ...own };
}

function slackChanges(): ChangeDocument[] {
  const drift = { label: 'drift' } as const;
  return [
    field('slack', 'sendsMessages', 22, flag(drift)),
    field('slack', 'channels', 23, {
      ...drift,
      before: 'general, soc-alerts',
      after: 'general',
    }),
  ];
}

const PLACE = { file: 'base/tenable.yaml', line: 13, column: 16 };

type Left = IntegrationDocument['left'][number];

function leftField(key: string, because: Left['because'], own: object = {}) {
  const address = `tenable.options.${key}.value`;
  return { address, because, ...own, source: PLACE } as Left;
}

const WAIVED = { until: '2026-12-31', reason: 'slow until the upgrade' };

const LEFT: OwnIntegration = {
  left: [
    leftField('accessKey', 'unread', {
      source: PLACE,
      reference: '${env:SETPOINT_TENABLE_KEY}',
    }),
    leftField('secretKey', 'hidden'),
    leftField('timeout', 'waived', { before: 30, after: 60, ...WAIVED }),
    leftField('url', 'settled'),
  ],
};

const LOOSENED: Document['diagnostics'][number] = {
  code: 'loosened',
  severity: 'warning',
  message:
    'setpoint.yaml is less strict at waivers/splunk.timeout: not set -> until 2026-12-31.',
};

const FINDINGS: Document['diagnostics'] = [
  {
    code: 'unknown-option',
    severity: 'error',
    message: 'zeek has no option limt.',
    hint: 'Did you mean limit?',
    server: 'prod',
    integrations: ['zeek'],
    places: [{ file: 'base/zeek.yaml', line: 11, column: 7 }],
  },
  {
    code: 'secret-aged',
    severity: 'warning',
    message: 'jira.options.apiKey was replaced 268 days ago.',
    integrations: ['jira'],
    addresses: ['jira.options.apiKey.value'],
    places: [{ file: 'base/jira.yaml', line: 12, column: 7 }],
  },
  {
    code: 'not-running',
    severity: 'warning',
    message: 'Not running, so likely to refuse changes: okta_node_1 (stopped).',
    hint: 'Start them before you apply.',
    server: 'prod',
    integrations: ['okta'],
  },
];

/** How large a plan is. */
export interface PlanSize {
  readonly servers: number;
  readonly integrations: number;
  /** The changes of each integration. */
  readonly changes: number;
}

/** A plan of many changes: risks, labels and values of all kinds by turns. */
export function largePlan({ servers, integrations, changes }: PlanSize) {
  const all: ServerDocument[] = [];
  for (let at = 1; at <= servers; at += 1) {
    const own: IntegrationDocument[] = [];
    for (let number = 1; number <= integrations; number += 1) {
      // Not every server has every integration.
      if (servers > 2 && (at + number) % 5 === 0) continue;
      own.push(largeIntegration(number, changes));
    }
    const name = `site-${String(at).padStart(2, '0')}`;
    all.push(serverOf(name, own));
  }
  return planOf(all);
}

function largeIntegration(number: number, changes: number) {
  const name = `integration-${String(number).padStart(3, '0')}`;
  const own: ChangeDocument[] = [];
  for (let at = 0; at < changes; at += 1) {
    const turn = TURNS[(number + at) % TURNS.length];
    const value = { before: `of ${number}`, after: `of ${number} and ${at}` };
    own.push(field(name, `option${at}`, 10 + at, { ...value, ...turn }));
  }
  return integrationOf(name, own);
}

const TURNS: readonly Own[] = [
  {},
  flag({ risks: ['subscribes-everyone'] }),
  SEARCH,
  { label: 'drift' },
  { label: 'conflict', base: 4 },
  LONG,
  {},
];
