import type {
  ChangeDocument,
  Document,
  IntegrationDocument,
  LeftDocument,
  ServerDocument,
} from '../../src/core/plan/plan.ts';

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
  return {
    address,
    before: 30,
    after: 60,
    label: 'change',
    risks: [],
    source: place(line),
    ...own,
  };
}

export function integrationOf(
  name: string,
  changes: readonly ChangeDocument[],
  own: Partial<IntegrationDocument> = {},
): IntegrationDocument {
  return {
    name,
    id: `${name}_node_1`,
    status: 'running',
    changes,
    left: [],
    ...own,
  };
}

/** A field that is left as it is, at a line. */
export function leftField(
  address: string,
  line: number,
  because: LeftDocument['because'] = 'hidden',
): LeftDocument {
  return { address, because, source: place(line) };
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

const base = {
  ref: 'origin/main',
  commit: 'c0ffee0123456789c0ffee0123456789c0ffee01',
};

const many = ['alpha', 'beta', 'delta', 'gamma'].map((name) =>
  integrationOf(name, [
    changeOf(name, 4, { source: place(4, 'base/defaults.yaml') }),
  ]),
);

/** Every label, risk and kind of value, on two servers of which one has more. */
export function sampleDocument(): Document {
  const refusal = {
    code: 'risk-refused',
    severity: 'error',
    message:
      'virustotal.options.apiKey.permission: all users will see this secret.',
    hint: 'Pass --allow exposes-secret to apply it.',
    risk: 'exposes-secret',
    server: 'production',
    integrations: ['virustotal'],
    addresses: ['virustotal.options.apiKey.permission'],
    places: [place(12)],
  } as const;
  const production = serverOf(
    'production',
    [
      ...many,
      integrationOf(
        'splunk',
        [
          changeOf('splunk', 31, {
            address: 'splunk.options.query.value',
            label: 'drift',
            before: 'index=main\n| head 10\n```\n',
            after: 'index=main\n| head 20\n```\n',
          }),
          changeOf('splunk', 33, {
            label: 'conflict',
            base: 10,
            before: 20,
            after: 30,
          }),
          changeOf('splunk', 34, {
            address: 'splunk.options.types.value',
            before: [{ display: 'IP', value: 'ip' }],
            after: [{ display: 'URL', value: 'url' }],
          }),
        ],
        {
          left: [
            {
              ...leftField('splunk.options.timeout.value', 36, 'waived'),
              before: 5,
              after: 10,
              until: '2026-12-31',
              reason: 'slow until the upgrade',
            },
          ],
        },
      ),
      integrationOf(
        'virustotal',
        [
          changeOf('virustotal', 12, {
            address: 'virustotal.options.apiKey.permission',
            before: 'user-provides',
            after: 'lock-and-show',
            risks: ['exposes-secret', 'overrides-users'],
            comment: 'asked for by the SOC',
          }),
          changeOf('virustotal', 11, {
            address: 'virustotal.options.apiKey.value',
            ...{ before: null, after: null, secret: true },
            reference: '${env:SETPOINT_VT_API_KEY}',
          }),
          changeOf('virustotal', 15, {
            address: 'virustotal.options.token.value',
            ...{ before: null, after: null, secret: true, label: 'drift' },
            reference: '${env:SETPOINT_VT_TOKEN}',
          }),
        ],
        {
          source: place(9),
          left: [
            leftField('virustotal.options.password.value', 17),
            {
              address: 'virustotal.options.proxy.value',
              because: 'released',
            },
            leftField('virustotal.options.url.value', 18, 'settled'),
          ],
        },
      ),
      integrationOf(
        'whois',
        [
          changeOf('whois', 40, {
            address: 'whois.autosubscribe',
            ...{
              before: false,
              after: true,
              label: 'drift',
              risks: ['subscribes-everyone'],
            },
          }),
        ],
        { status: 'stopped' },
      ),
      integrationOf('zeek', [], { unplanned: true }),
    ],
    { refusals: [refusal] },
  );
  const found = {
    ...({
      code: 'unknown-option',
      severity: 'error',
      message: 'zeek has no option limt.',
    } as const),
    ...{
      hint: 'Did you mean limit?',
      server: 'production',
      integrations: ['zeek'],
    },
    places: [{ file: 'base/zeek.yaml', line: 3, column: 5 }],
  };
  const servers = [serverOf('staging', many), production];
  return documentWith(servers, {
    repository: 'https://git.example/soc/integrations',
    commit: `d${base.commit.slice(1)}`,
    base,
    policy: { 'subscribes-everyone': 'error' },
    diagnostics: [found],
  });
}
