import type { Document } from '../../../src/core/plan/plan.ts';
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

/** After an apply: each outcome, an integration with several, and one that was not tried. */
export function applied(): Document {
  const ended = (
    name: string,
    ...outcomes: readonly NonNullable<ReturnType<typeof changeOf>['outcome']>[]
  ) =>
    integrationOf(
      name,
      outcomes.map((outcome, at) =>
        changeOf(name, 10 + at, {
          outcome,
          label: at === 0 ? 'drift' : 'change',
          risks: ['overrides-users'],
        }),
      ),
    );
  const production = serverOf('production', [
    ended('alpha', 'verified'),
    ended('beta', 'verified', 'not-converged', 'sent'),
    ended('gamma', 'verified', 'verified'),
    ...[
      ended('delta', 'failed'),
      ended('epsilon', 'stale'),
      ended('zeta', 'blocked'),
    ],
    ...[
      ended('eta', 'not-attempted'),
      ended('theta', 'unknown'),
      integrationOf('iota', [changeOf('iota', 3)]),
    ],
  ]);
  const failed: Document['diagnostics'][number] = {
    ...({ code: 'apply-failed', severity: 'error' } as const),
    ...{
      message: 'delta: the server refused the change.',
      server: 'production',
    },
    integrations: ['delta', 'eta'],
    places: [{ file: '/etc/a b#c.yaml', line: 2, column: 1 }],
  };
  const servers = [serverOf('idle', [integrationOf('alpha', [])]), production];
  return documentWith(servers, {
    command: 'apply',
    complete: false,
    diagnostics: [failed],
  });
}

/** Nothing to do, or nothing that was written. */
function idle(
  command: Document['command'],
  own: Partial<Document> = {},
): Document {
  return documentWith([serverOf('only', [integrationOf('alpha', [])])], {
    command,
    ...own,
  });
}

function unwritten(): Document {
  const left = changeOf('alpha', 3, { outcome: 'stale' });
  const other = changeOf('beta', 4, { outcome: 'not-attempted' });
  const only = serverOf('only', [
    integrationOf('alpha', [left]),
    integrationOf('beta', [other]),
  ]);
  return documentWith([only], { command: 'apply' });
}

/** Two revisions, without a server; the project file loosens something. */
function diff(): Document {
  const revisions = {
    commit: `f${COMMIT.slice(1)}`,
    base: { ref: COMMIT, commit: COMMIT },
    head: { ref: 'feature', commit: `f${COMMIT.slice(1)}` },
  };
  const changes = [
    changeOf('vt', 3, { before: null, declared: 'after' }),
    changeOf('vt', 4, {
      secret: true,
      before: '',
      after: null,
      declared: 'after',
    }),
    changeOf('vt', 5, { after: null, declared: 'before' }),
    changeOf('vt', 6, {
      secret: true,
      before: null,
      after: null,
      beforeReference: '${env:OLD}',
      declared: 'before',
    }),
    changeOf('vt', 7, { before: '', declared: 'both' }),
    changeOf('vt', 8, {
      address: 'vt.options.key.rotated',
      before: '2026-11-01',
      after: null,
      declared: 'before',
    }),
    changeOf('vt', 9, {
      address: 'vt.name',
      before: 'virustotal',
      after: 'vt',
      declared: 'both',
    }),
    changeOf('vt', 10, {
      before: null,
      after: 'first line\nsecond line\n',
      declared: 'after',
    }),
    changeOf('vt', 11, {
      before: '{"limit":1,"hosts":["a.example","b.example"]}',
      after: null,
      declared: 'before',
    }),
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
  const pairs: readonly (readonly [
    before: unknown,
    after: unknown,
    own?: Partial<ReturnType<typeof changeOf>>,
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
    [lines(0, 60).join(''), lines(1, 62).join('').trimEnd()],
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
    [
      `https://${'long'.repeat(30)}.example/a`,
      `https://${'long'.repeat(30)}.example/b`,
      { label: 'drift' },
    ],
    ['東京', '大阪'],
    [null, null, { secret: true, hidden: true, reference: '${env:KEY}' }],
    [null, null, { secret: true, label: 'conflict', base: 'never shown' }],
    [
      null,
      null,
      { secret: true, beforeReference: '${env:OLD}', reference: '${env:NEW}' },
    ],
    ['old', 'new', { label: 'conflict', base: null, comment: 'first\nsecond' }],
    ['invalid', 'lock-and-show', { address: 'vt.options.limit.permission' }],
    [
      null,
      'user-provides',
      { address: 'vt.options.limit.permission', risks: ['overrides-users'] },
    ],
  ];
  const changes = pairs.map(([before, after, own], at) => {
    const address = `vt.options.f${at}.value`;
    return {
      ...changeOf('vt', at + 1, { address, ...own }),
      before,
      after,
    } as ReturnType<typeof changeOf>;
  });
  const vt = integrationOf('vt', changes, { id: 'vt' });
  const snapshot = { takenAt: '2026-11-19T20:00:00Z' };
  const many = Array.from({ length: 23 }, (_, at) => {
    return {
      address: `other.options.hidden${at}.value`,
      because: 'hidden',
    } as const;
  });
  return documentWith([
    serverOf('host.example', [vt], {
      url: 'https://host.example/base',
      snapshot,
      only: 'vt*',
    }),
    serverOf(
      'later',
      [integrationOf('other', [changeOf('other', 9)], { status: null })],
      {
        snapshot: { takenAt: '2026-11-22T20:00:00Z' },
      },
    ),
    serverOf('odd', [integrationOf('other', [], { left: many })], {
      snapshot: { takenAt: '2026-11-22T20:03:00Z' },
    }),
  ]);
}

/** Two servers: what differs, what only one has, and what cannot be told. */
function compared(): Document {
  const field = (
    line: number,
    option: string,
    own: Partial<ReturnType<typeof changeOf>>,
  ) => {
    const address = `vt.options.${option}.value`;
    const { source: _, ...change } = changeOf('vt', line, { address, ...own });
    return change;
  };
  const secret = { secret: true } as const;
  const vt = integrationOf(
    'vt',
    [
      field(1, 'limit', {}),
      field(2, 'unset', { after: null }),
      field(3, 'long', { before: 'a\nb\n', after: 'a\nc\n' }),
      field(4, 'apiKey', { before: null, after: null, ...secret }),
      field(5, 'token', { before: null, after: '', ...secret }),
      field(6, 'password', { before: '', after: null, ...secret }),
      field(7, 'old', { after: null, onlyOn: 'before' }),
      field(8, 'new', { before: null, onlyOn: 'after' }),
    ],
    {
      status: null,
      counterpart: 'vt_node_0',
      sameSecrets: ['vt.options.shared.value'],
      left: [
        { address: 'vt.options.pin.permission', because: 'hidden' },
        { address: 'vt.options.pin.value', because: 'hidden' },
      ],
    },
  );
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
  ...{
    applied: applied(),
    unwritten: unwritten(),
    diff: diff(),
    compared: compared(),
    values: values(),
  },
  ...{ nothing: idle('plan'), empty: documentWith([]) },
  broken: idle('apply', {
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

/** A field with what declares it: an entry of its own over defaults, by a named value. */
function shownField(path: string, own: Partial<ShownField>): ShownField {
  const source = (line: number) => ({
    file: 'base/integrations.yaml',
    line,
    column: 7,
  });
  const limit = { name: 'limit', source: source(2) };
  const origins = [
    {
      ...{
        entry: 'all',
        isDefault: true,
        source: source(9),
        wins: false,
        values: [limit],
      },
      declared: { value: 30 },
    },
    {
      ...{
        entry: 'soc',
        isDefault: false,
        source: source(10),
        wins: false,
        values: [],
      },
    },
    {
      ...{
        entry: 'vt',
        isDefault: false,
        source: source(12),
        wins: true,
        values: [],
      },
      declared: { value: 60 },
    },
  ];
  return { address: `vt.${path}`, origins, ...own };
}

const vt: ShownIntegration = {
  ...{
    name: 'vt',
    id: 'vt_node_1',
    displayName: 'VirusTotal',
    acronym: 'VT',
    status: 'running',
    errors: 2,
  },
  description: `Looks up  hashes.\n${'It asks a service of the vendor for what it knows. '.repeat(4)}`,
  entries: [
    {
      entry: 'vt',
      isDefault: false,
      source: { file: 'base/integrations.yaml', line: 11, column: 3 },
    },
    {
      entry: 'all',
      isDefault: true,
      source: { file: 'base/defaults.yaml', line: 4, column: 3 },
    },
  ],
  autosubscribe: shownField('autosubscribe', {
    live: { value: true },
    desired: { value: false },
    state: 'differs',
  }),
  options: [
    {
      ...{
        option: 'limit',
        type: 'number',
        title: 'Limit',
        description: 'Most  lookups a day.',
      },
      value: shownField('options.limit.value', {
        ...{ live: { value: 60 }, desired: { value: 60 }, state: 'as-desired' },
      }),
    },
    {
      ...{ option: 'apiKey', type: 'password', title: 'API Key' },
      value: shownField('options.apiKey.value', {
        ...{ live: { value: null, hidden: true }, state: 'hidden' },
        desired: { value: null, reference: '${env:KEY}' },
      }),
      permission: shownField('options.apiKey.permission', {
        live: { value: 'lock-and-show' },
        origins: [],
      }),
    },
    {
      ...{ option: 'types', multiple: true, choices: choices('ip', 'url') },
      value: shownField('options.types.value', {
        ...{
          live: { value: null },
          desired: { value: choices('ip') },
          state: 'unread',
        },
      }),
    },
    {
      ...{ option: 'token', type: 'text', description: 'A token.' },
      value: shownField('options.token.value', {
        ...{
          live: { value: null, secret: true },
          desired: { value: null, secret: true },
          state: 'differs',
        },
      }),
    },
  ],
};
const bare: ShownIntegration = { name: 'bare', entries: [], options: [] };

/** What `show` finds on one server, on several that agree or not, and where it finds nothing. */
export const SHOWN: Readonly<Record<string, Shown>> = {
  one: {
    servers: [
      {
        name: 'one',
        url: 'https://one',
        isRead: true,
        integrations: [vt, bare],
      },
    ],
  },
  several: {
    servers: [
      { name: 'one', url: 'https://one', isRead: true, integrations: [vt] },
      {
        name: 'two',
        url: 'https://two',
        isRead: true,
        integrations: [vt, { ...bare, id: 'bare' }],
      },
      {
        name: 'three',
        url: 'https://three',
        isRead: false,
        integrations: [bare],
      },
      { name: 'four', url: 'https://four', isRead: true, integrations: [] },
    ],
  },
  nothing: {
    servers: [
      { name: 'one', url: 'https://one', isRead: false, integrations: [] },
    ],
  },
};

const listed = {
  id: 'vt_node_18',
  name: 'VirusTotal',
  acronym: 'VT',
  options: 5,
};

/** Integrations and errors as `list` and `errors` find them; names in letters of two columns. */
export const LISTS: Parameters<typeof renderLists>[0] = {
  isFleet: true,
  servers: [
    {
      name: 'one',
      integrations: [
        { ...listed, status: 'running', autosubscribe: true, errors: 12 },
        {
          ...listed,
          id: 'w',
          name: 'Name '.repeat(20),
          autosubscribe: false,
          managedOptions: 3,
        },
        { ...listed, id: 'x', name: '東京'.repeat(20), status: 'stopped' },
      ],
    },
    { name: 'none', integrations: [] },
    {
      name: 'errors',
      errors: [
        {
          ...{
            id: '1',
            integration: 'vt',
            code: 'E_QUOTA',
            title: 'Too many lookups of hashes',
            detail: 'E_QUOTA',
          },
          ...{ count: 3, occurredOn: '2026-01-15T12:00:00Z', status: 429 },
        },
        {
          ...{
            id: '2',
            integration: 'vt',
            code: '',
            title: 'Refused',
            detail: 'The key is not known.',
          },
          ...{ count: 1, occurredOn: '2026-01-15T12:00:00Z', status: null },
        },
      ],
    },
  ],
};
