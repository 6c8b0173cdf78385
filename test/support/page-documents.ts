import type {
  ChangeDocument,
  Document,
  IntegrationDocument,
  ServerDocument,
} from '../../src/core/plan/plan.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  serverOf,
} from './documents.ts';

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

function integration(
  name: string,
  changes: readonly ChangeDocument[],
  own: OwnIntegration = {},
): IntegrationDocument {
  return integrationOf(name, changes, own);
}

function server(
  name: string,
  integrations: readonly IntegrationDocument[],
  refusals: Document['diagnostics'] = [],
): ServerDocument {
  return serverOf(name, integrations, { refusals });
}

function plan(
  servers: readonly ServerDocument[],
  own: Partial<Document> = {},
): Document {
  return documentWith(servers, {
    ...REPOSITORY,
    base: BASE,
    ...own,
  });
}

/** One change that has a risk. */
export function smallPlan(): Document {
  const change = changeOf('whois', 6, {
    address: 'whois.autosubscribe',
    before: false,
    after: true,
    risks: ['subscribes-everyone'],
    comment: 'the pilot is over',
  });
  return plan([server('prod', [integration('whois', [change])])]);
}

/** Every section, kind of value and finding, and all that is left alone. */
export function richPlan(): Document {
  return plan([server('staging', onStaging()), productionServer()], {
    diagnostics: [...FINDINGS, LOOSENED],
  });
}

function onStaging(): IntegrationDocument[] {
  return [
    integration('jira', [field('jira', 'comments', 16, flag())]),
    integration('slack', slackChanges()),
    integration('splunk', [field('splunk', 'search', 20, SEARCH)]),
    integration('zeek', [], { unplanned: true }),
  ];
}

function productionServer(): ServerDocument {
  const integrations = [
    integration('jira', [
      field('jira', 'comments', 16, flag()),
      field('jira', 'apiKey.permission', 13, {
        before: 'lock-and-hide',
        after: 'lock-and-show',
        risks: ['exposes-secret'],
      }),
      field('jira', 'apiKey', 12, { ...SECRET, rotated: '2026-11-21' }),
    ]),
    integration('okta', [field('okta', 'maxResults', 9, { after: 90 })], {
      status: 'stopped',
      left: [{ address: 'okta.options.proxy.value', because: 'released' }],
    }),
    integration('shodan', [
      field('shodan', 'warn.permission', 6, {
        before: 'user-provides',
        after: 'lock-and-hide',
        risks: ['overrides-users'],
      }),
    ]),
    integration('slack', slackChanges()),
    integration('splunk', [
      field('splunk', 'search', 20, SEARCH),
      field('splunk', 'maxTags', 33, { label: 'conflict', base: 4 }),
      field('splunk', 'url', 8, LONG),
      field('splunk', 'types', 9, CHOICES),
    ]),
    integration('tenable', [], LEFT),
    integration('zeek', [], { unplanned: true }),
  ];
  return server('prod', integrations, [REFUSAL]);
}

const REFUSAL: Document['diagnostics'][number] = {
  code: 'risk-refused',
  severity: 'error',
  message:
    'The risk exposes-secret is refused: jira.options.apiKey.permission.',
  hint: 'Apply with --allow exposes-secret; if it is no secret, say sensitive: false.',
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

const LEFT: OwnIntegration = {
  left: [
    {
      address: 'tenable.options.accessKey.value',
      because: 'unread',
      source: PLACE,
      reference: '${env:SETPOINT_TENABLE_KEY}',
    },
    {
      address: 'tenable.options.secretKey.value',
      because: 'hidden',
      source: PLACE,
    },
    {
      address: 'tenable.options.timeout.value',
      because: 'waived',
      before: 30,
      after: 60,
      until: '2026-12-31',
      reason: 'slow until the upgrade',
      source: PLACE,
    },
    {
      address: 'tenable.options.url.value',
      because: 'settled',
      source: PLACE,
    },
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

/** How an apply ended that failed on its first server. */
export function endedApply(): Document {
  const staging = server('staging', [
    integration('jira', [
      field('jira', 'comments', 16, {
        ...flag(),
        outcome: 'failed',
        reason: 'Value of comments requires a user name',
      }),
    ]),
    integration('shodan', [
      field('shodan', 'apiKey', 9, { ...SECRET, outcome: 'sent' }),
      field('shodan', 'limit', 10, { outcome: 'verified' }),
    ]),
    integration('virustotal', [
      field('virustotal', 'limit', 24, STALE),
      field('virustotal', 'runsAll', 26, { ...flag(), ...STALE }),
    ]),
    integration('whois', [field('whois', 'limit', 4, { outcome: 'verified' })]),
  ]);
  const production = server('prod', [
    integration('jira', [
      field('jira', 'comments', 16, { ...flag(), ...OPEN }),
    ]),
    integration('virustotal', [
      field('virustotal', 'limit', 24, OPEN),
      field('virustotal', 'runsAll', 26, { ...flag(), ...OPEN }),
    ]),
  ]);
  const diagnostics: Document['diagnostics'] = [
    {
      code: 'not-attempted',
      severity: 'error',
      message: 'Not attempted: jira, virustotal.',
      hint: 'Correct what failed, then run the same command again.',
      server: 'prod',
      integrations: ['jira', 'virustotal'],
    },
    {
      code: 'apply-failed',
      severity: 'error',
      message: 'Not changed: jira: Unprocessable Entity.',
      server: 'staging',
      integrations: ['jira'],
      places: [{ file: 'base/jira.yaml', line: 16, column: 7 }],
    },
  ];
  return plan([staging, production], { command: 'apply', diagnostics });
}

const STALE: Own = {
  outcome: 'stale',
  reason: 'moved on the server since the plan',
};

const OPEN: Own = { outcome: 'not-attempted', reason: 'staging failed before' };

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
    all.push(server(name, own));
  }
  return plan(all);
}

function largeIntegration(number: number, changes: number) {
  const name = `integration-${String(number).padStart(3, '0')}`;
  const own: ChangeDocument[] = [];
  for (let at = 0; at < changes; at += 1) {
    const turn = TURNS[(number + at) % TURNS.length];
    const value = { before: `of ${number}`, after: `of ${number} and ${at}` };
    own.push(field(name, `option${at}`, 10 + at, { ...value, ...turn }));
  }
  return integration(name, own);
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

/** What validate finds, without a server. */
export function findingsOnly(): Document {
  const own = { command: 'validate', diagnostics: FINDINGS } as const;
  const { complete, ...found } = plan([], own);
  return found;
}
