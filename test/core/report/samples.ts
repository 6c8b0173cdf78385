import type { Outcome } from '../../../src/core/plan/outcome.ts';
import type {
  ChangeDocument,
  Document,
} from '../../../src/core/plan/plan-document.ts';
import type { renderLists } from '../../../src/core/report/text/list.ts';
import type { renderShown } from '../../../src/core/report/text/show.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  sampleDocument,
  serverOf,
} from '../../support/documents.ts';

const COMMIT = 'c0ffee0123456789c0ffee0123456789c0ffee01';
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at}\n`);
const choices = (...values: readonly string[]) =>
  values.map((value) => ({ display: value.toUpperCase(), value }));

type Own = Partial<ChangeDocument>;

const SECRET = { secret: true, before: null, after: null } as const;

/** After an apply: each outcome, an integration with several, and one that was not tried. */
export function applied(): Document {
  const ended = (name: string, ...outcomes: readonly Outcome[]) => {
    const risks = ['overrides-users'] as const;
    const changes = outcomes.map((outcome, at) => {
      const label = at === 0 ? 'drift' : 'change';
      return changeOf(name, 10 + at, { outcome, label, risks });
    });
    return integrationOf(name, changes);
  };
  const production = serverOf('production', [
    ended('alpha', 'verified'),
    ended('beta', 'verified', 'not-converged', 'sent'),
    ended('gamma', 'verified', 'verified'),
    ended('delta', 'failed'),
    ended('epsilon', 'stale'),
    ended('zeta', 'blocked'),
    ended('eta', 'not-attempted'),
    ended('theta', 'unknown'),
    integrationOf('iota', [changeOf('iota', 3)]),
  ]);
  const failed: Document['diagnostics'][number] = {
    code: 'apply-failed',
    severity: 'error',
    message: 'delta: the server refused the change.',
    server: 'production',
    integrations: ['delta', 'eta'],
    places: [{ file: '/etc/a b#c.yaml', line: 2, column: 1 }],
  };
  const servers = [serverOf('idle', [integrationOf('alpha', [])]), production];
  const diagnostics = [failed];
  return documentWith(servers, { ...APPLY, complete: false, diagnostics });
}

const APPLY = { command: 'apply' } as const;

/** Nothing to do, or nothing that was written. */
function idle(own: Partial<Document> = {}): Document {
  return documentWith([serverOf('only', [integrationOf('alpha', [])])], own);
}

function unwritten(): Document {
  const left = changeOf('alpha', 3, { outcome: 'stale' });
  const other = changeOf('beta', 4, { outcome: 'not-attempted' });
  const alpha = integrationOf('alpha', [left]);
  const only = serverOf('only', [alpha, integrationOf('beta', [other])]);
  return documentWith([only], APPLY);
}

/** Two revisions, without a server; the project file loosens something. */
function diff(): Document {
  const revisions = {
    commit: `f${COMMIT.slice(1)}`,
    base: { ref: COMMIT, commit: COMMIT },
    head: { ref: 'feature', commit: `f${COMMIT.slice(1)}` },
  };
  const declared = (
    line: number,
    side: NonNullable<Own['declared']>,
    own: Own,
  ) => changeOf('vt', line, { declared: side, ...own });
  const rotated = { address: 'vt.options.key.rotated', before: '2026-11-01' };
  const renamed = { address: 'vt.name', before: 'virustotal', after: 'vt' };
  const json = '{"limit":1,"hosts":["a.example","b.example"]}';
  const changes = [
    declared(3, 'after', { before: null }),
    declared(4, 'after', { ...SECRET, before: '' }),
    declared(5, 'before', { after: null }),
    declared(6, 'before', { ...SECRET, beforeReference: '${env:OLD}' }),
    declared(7, 'both', { before: '' }),
    declared(8, 'before', { ...rotated, after: null }),
    declared(9, 'both', renamed),
    declared(10, 'after', { before: null, after: 'first line\nsecond line\n' }),
    declared(11, 'before', { before: json, after: null }),
  ];
  const one = serverOf('one', [integrationOf('vt', changes)], {
    url: 'https://one:8443/',
  });
  const loosened = (message: string) => {
    return { code: 'loosened', severity: 'warning', message } as const;
  };
  const diagnostics = [
    loosened('setpoint.yaml is less strict at policy/x: error -> warn.'),
    loosened('setpoint.yaml is less strict at servers/b: not set -> b.'),
  ];
  return documentWith([one], { ...revisions, command: 'diff', diagnostics });
}

/** Each way in which two values are compared, on servers with snapshots. */
function values(): Document {
  const moved = { beforeReference: '${env:OLD}', reference: '${env:NEW}' };
  const limit = 'vt.options.limit.permission';
  const url = (path: string) => `https://${'long'.repeat(30)}.example/${path}`;
  const [first, second] = [lines(0, 60).join(''), lines(1, 62).join('')];
  const pairs: readonly (readonly [
    before: unknown,
    after: unknown,
    own?: Own,
  ])[] = [
    [null, 'new'],
    ['', 'now set', { label: 'drift' }],
    [' padded ', '7'],
    ['true', 'plain'],
    [choices('a', 'b', 'b', 'c'), choices('c', 'd')],
    [[], choices('a')],
    [
      { display: 'None', value: '' },
      { display: 'All', value: 'all' },
    ],
    [first, second.trimEnd()],
    [lines(0, 3).join(''), `${lines(0, 3).join('')}more\n`],
    [lines(0, 30).join(''), lines(30, 60).join('')],
    [
      '{"limit":1,"hosts":["a.example","b.example"],"on":true}',
      '{"limit":2,"hosts":["a.example","c.example"],"on":true}',
    ],
    [
      '{"hosts":["a.example","b.example"],"limit":1.0000000}',
      '{"hosts":["a.example","b.example"],"limit":1}',
    ],
    [url('a'), url('b'), { label: 'drift' }],
    ['東京', '大阪'],
    [null, null, { ...SECRET, hidden: true, reference: '${env:KEY}' }],
    [null, null, { ...SECRET, label: 'conflict', base: 'never shown' }],
    [null, null, { ...SECRET, ...moved }],
    ['old', 'new', { label: 'conflict', base: null, comment: 'first\nsecond' }],
    ['invalid', 'lock-and-show', { address: limit }],
    [null, 'user-provides', { address: limit, risks: ['overrides-users'] }],
  ];
  const changes = pairs.map(([before, after, own], at) => {
    const address = `vt.options.f${at}.value`;
    const change = changeOf('vt', at + 1, { address, ...own });
    return { ...change, before, after } as ChangeDocument;
  });
  const vt = integrationOf('vt', changes, { id: 'vt' });
  const snapshot = { takenAt: '2026-11-19T20:00:00Z' };
  const many = Array.from({ length: 23 }, (_, at) => {
    const address = `other.options.hidden${at}.value`;
    return { address, because: 'hidden' } as const;
  });
  const other = changeOf('other', 9);
  return documentWith([
    serverOf('host.example', [vt], {
      url: 'https://host.example/base',
      snapshot,
      only: 'vt*',
    }),
    serverOf('later', [integrationOf('other', [other], { status: null })], {
      snapshot: { takenAt: '2026-11-22T20:00:00Z' },
    }),
    serverOf('odd', [integrationOf('other', [], { left: many })], {
      snapshot: { takenAt: '2026-11-22T20:03:00Z' },
    }),
  ]);
}

/** Two servers: what differs, what only one has, and what cannot be told. */
function compared(): Document {
  const field = (line: number, option: string, own: Own) => {
    const address = `vt.options.${option}.value`;
    const { source: _, ...change } = changeOf('vt', line, { address, ...own });
    return change;
  };
  const changes = [
    field(1, 'limit', {}),
    field(2, 'unset', { after: null }),
    field(3, 'long', { before: 'a\nb\n', after: 'a\nc\n' }),
    field(4, 'apiKey', SECRET),
    field(5, 'token', { ...SECRET, after: '' }),
    field(6, 'password', { ...SECRET, before: '' }),
    field(7, 'old', { after: null, onlyOn: 'before' }),
    field(8, 'new', { before: null, onlyOn: 'after' }),
  ];
  const vt = integrationOf('vt', changes, {
    status: null,
    counterpart: 'vt_node_0',
    sameSecrets: ['vt.options.shared.value'],
    left: [
      { address: 'vt.options.pin.permission', because: 'hidden' },
      { address: 'vt.options.pin.value', because: 'hidden' },
    ],
  });
  const installed = (name: string) => {
    const address = `${name}.installed`;
    const own = { address, before: true, after: false };
    const { source: _, ...change } = changeOf(name, 1, own);
    return integrationOf(name, [change], { status: null });
  };
  const { summary, ...production } = serverOf('production', [
    installed('alpha'),
    installed('beta'),
    vt,
  ]);
  const server = {
    ...production,
    summary: { ...summary, unmanagedOptions: 0, equal: 212 },
    comparedWith: {
      name: 'friday.json',
      url: 'https://staging.example',
      snapshot: { takenAt: '2026-11-19T20:00:00Z' },
    },
  };
  const { complete: _, ...document } = documentWith([server]);
  return { ...document, command: 'compare' };
}

/** Documents that hold each case of the renderers. */
export const SAMPLES: Readonly<Record<string, Document>> = {
  plan: sampleDocument(),
  applied: applied(),
  unwritten: unwritten(),
  diff: diff(),
  compared: compared(),
  values: values(),
  nothing: idle(),
  empty: documentWith([]),
  broken: idle({
    ...APPLY,
    diagnostics: [
      {
        code: 'no-match',
        severity: 'error',
        message: 'alpha:3:4 [x](y) {z} matches none.',
        hint: 'See line 3.',
      },
      {
        code: 'not-running',
        severity: 'note',
        message: 'A note: 100 %, a::b.',
      },
    ],
  }),
};

type Shown = Parameters<typeof renderShown>[0];
type ShownIntegration = Shown['servers'][number]['integrations'][number];
type ShownField = NonNullable<ShownIntegration['autosubscribe']>;

const source = (line: number, file = 'integrations') => {
  return { file: `base/${file}.yaml`, line, column: 7 };
};

/** A field with what declares it: an entry of its own over defaults, by a named value. */
function shownField(path: string, own: Partial<ShownField>): ShownField {
  const origin = (entry: string, line: number) => ({
    entry,
    isDefault: entry === 'all',
    source: source(line),
    wins: entry === 'vt',
    values: entry === 'all' ? [{ name: 'limit', source: source(2) }] : [],
  });
  const origins = [
    { ...origin('all', 9), declared: { value: 30 } },
    origin('soc', 10),
    { ...origin('vt', 12), declared: { value: 60 } },
  ];
  return { address: `vt.${path}`, origins, ...own };
}

const vt: ShownIntegration = {
  name: 'vt',
  id: 'vt_node_1',
  displayName: 'VirusTotal',
  acronym: 'VT',
  status: 'running',
  errors: 2,
  description: `Looks up  hashes.\n${'It asks a service of the vendor for what it knows. '.repeat(4)}`,
  entries: [
    { entry: 'vt', isDefault: false, source: source(11) },
    { entry: 'all', isDefault: true, source: source(4, 'defaults') },
  ],
  autosubscribe: shownField('autosubscribe', {
    live: { value: true },
    desired: { value: false },
    state: 'differs',
  }),
  options: [
    {
      option: 'limit',
      type: 'number',
      title: 'Limit',
      description: 'Most  lookups a day.',
      value: shownField('options.limit.value', {
        live: { value: 60 },
        desired: { value: 60 },
        state: 'as-desired',
      }),
    },
    {
      option: 'apiKey',
      type: 'password',
      title: 'API Key',
      value: shownField('options.apiKey.value', {
        live: { value: null, hidden: true },
        desired: { value: null, reference: '${env:KEY}' },
        state: 'hidden',
      }),
      permission: shownField('options.apiKey.permission', {
        live: { value: 'lock-and-show' },
        origins: [],
      }),
    },
    {
      option: 'types',
      multiple: true,
      choices: choices('ip', 'url'),
      value: shownField('options.types.value', {
        live: { value: null },
        desired: { value: choices('ip') },
        state: 'unread',
      }),
    },
    {
      option: 'token',
      type: 'text',
      description: 'A token.',
      value: shownField('options.token.value', {
        live: { value: null, secret: true },
        desired: { value: null, secret: true },
        state: 'differs',
      }),
    },
  ],
};
const bare: ShownIntegration = { name: 'bare', entries: [], options: [] };

const shownServer = (
  name: string,
  integrations: readonly ShownIntegration[],
  isRead = true,
) => ({ name, url: `https://${name}`, isRead, integrations });

/** What `show` finds on one server, on several that agree or not, and where it finds nothing. */
export const SHOWN: Readonly<Record<string, Shown>> = {
  one: { servers: [shownServer('one', [vt, bare])] },
  several: {
    servers: [
      shownServer('one', [vt]),
      shownServer('two', [vt, { ...bare, id: 'bare' }]),
      shownServer('three', [bare], false),
      shownServer('four', []),
    ],
  },
  nothing: { servers: [shownServer('one', [], false)] },
};

const listed = {
  id: 'vt_node_18',
  name: 'VirusTotal',
  acronym: 'VT',
  options: 5,
};
const raised = { integration: 'vt', occurredOn: '2026-01-15T12:00:00Z' };
const long = { id: 'w', name: 'Name '.repeat(20), autosubscribe: false };

/** Integrations and errors as `list` and `errors` find them; names in letters of two columns. */
export const LISTS: Parameters<typeof renderLists>[0] = {
  isFleet: true,
  servers: [
    {
      name: 'one',
      integrations: [
        { ...listed, status: 'running', autosubscribe: true, errors: 12 },
        { ...listed, ...long, managedOptions: 3 },
        { ...listed, id: 'x', name: '東京'.repeat(20), status: 'stopped' },
      ],
    },
    { name: 'none', integrations: [] },
    {
      name: 'errors',
      errors: [
        {
          ...raised,
          id: '1',
          code: 'E_QUOTA',
          title: 'Too many lookups of hashes',
          detail: 'E_QUOTA',
          count: 3,
          status: 429,
        },
        {
          ...raised,
          id: '2',
          code: '',
          title: 'Refused',
          detail: 'The key is not known.',
          count: 1,
          status: null,
        },
      ],
    },
  ],
};
