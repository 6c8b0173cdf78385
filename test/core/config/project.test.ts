import { describe, expect, test } from 'vitest';
import {
  environmentName,
  isOver,
  type Project,
  parseProject,
  selectServers,
} from '../../../src/core/config/project.ts';
import { brief } from '../../support/config.ts';

const parse = (text: string) => parseProject({ path: 'setpoint.yaml', text });

const TEAM = `version: 1
servers:
  staging:
    url: https://staging.example
    config: [base/, staging.yaml]
    labels: { tier: staging }
  eu:
    url: https://eu.example
    config: [base/]
    hidesSecrets: true
    secretsFile: eu.env
    tls: { caFile: certs/ca.pem }
    labels: { tier: production, region: eu }
  us:
    url: https://us.example
    config: [base/]
    hidesSecrets: false
    labels: { tier: production }
policy: { exposes-secret: error, overrides-users: off, secret-max-age: 180d }
waivers:
  - { address: vt.url, until: 2026-12-31, reason: slow }
  - { address: vt.key, server: tier=production, until: 2026-11-30, reason: moving }
  - { address: vt.key, server: us, until: 2026-11-30, reason: moving }
`;

function team(): Project {
  const { value, diagnostics } = parse(TEAM);
  expect(diagnostics).toEqual([]);
  if (value === undefined) throw new Error('The file cannot be read.');
  return value;
}

describe('a project has', () => {
  test('labels, certificates and what servers hide', () => {
    const servers = team().servers.map(({ labels, caFile, hidesSecrets }) => {
      return [labels, caFile?.text, hidesSecrets];
    });
    const eu = { tier: 'production', region: 'eu' };
    expect(servers).toEqual([
      [{ tier: 'staging' }, undefined, undefined],
      [eu, 'certs/ca.pem', true],
      [{ tier: 'production' }, undefined, undefined],
    ]);
  });
  test('waivers with the places of their addresses, servers and days', () => {
    const [, waiver] = team().waivers;
    const places = [waiver?.addressPlace, waiver?.server?.place, waiver?.place];
    const found = places.map((place) => `${place?.line}:${place?.column}`);
    expect(found).toEqual(['22:16', '22:32', '22:56']);
  });
  test('a policy, and the days that a secret may last', () => {
    const { policy, secretMaxAge } = team();
    const decided = { 'exposes-secret': 'error', 'overrides-users': 'off' };
    expect([policy, secretMaxAge]).toEqual([decided, 180]);
    expect(parse(servers(server('a'))).value?.secretMaxAge).toBeUndefined();
  });
  test('layers, a file of secrets, and waivers with their servers', () => {
    const { servers: known, waivers } = team();
    const layers = known.map(({ config, secretsFile }) => [
      ...config.map(({ text }) => text),
      secretsFile?.text,
    ]);
    expect(layers).toEqual([
      ['base/', 'staging.yaml', undefined],
      ['base/', 'eu.env'],
      ['base/', undefined],
    ]);
    expect(waivers).toMatchObject([
      {
        ...{ address: 'vt.url', until: '2026-12-31', reason: 'slow' },
        servers: ['staging', 'eu', 'us'],
      },
      { servers: ['eu', 'us'] },
      { servers: ['us'] },
    ]);
  });
});

/** A server in one line. */
const server = (name: string, url = `https://${name}.example`) =>
  `  ${name}: { url: "${url}", config: [a.yaml] }\n`;

const servers = (...lines: readonly string[]) =>
  `version: 1\nservers:\n${lines.join('')}`;

test.each<[string, string, string[]]>([
  ['nothing', '', ['missing-key 1:1']],
  ['no server', 'version: 1\nservers: {}\n', ['not-allowed 2:10']],
  [
    'servers with one name in variables',
    servers(server('eu-1'), server('us'), server('EU_1')),
    ['servers-alike 5:3'],
  ],
  [
    'servers with one address',
    servers(
      server('a', 'https://x.example'),
      server('b', 'https://y.example'),
      server('c', 'HTTPS://X.example:443/'),
      server('d', 'https://x.example/'),
    ),
    ['servers-alike 5:3', 'servers-alike 6:3'],
  ],
  [
    'a waiver for a server that does not exist',
    `${servers(server('a'))}waivers: [{ address: vt.url, server: b, until: 2026-12-31, reason: x }]\n`,
    ['unknown-name 4:38'],
  ],
  [
    'a misfit, which hides all else',
    `${servers(server('eu-1'), server('eu_1'))}policy: { exposes-secret: no }\n`,
    ['not-allowed 5:27'],
  ],
])('refused, and where: %s', (_, text, expected) => {
  expect(parse(text).diagnostics.map(brief)).toEqual(expected);
});

test('servers that are alike name the first of them, and in what', () => {
  const text = servers(server('eu-1'), server('EU_1'));
  expect(parse(text).diagnostics).toMatchObject([
    { facts: { name: 'EU_1', other: 'eu-1', of: 'variables' } },
  ]);
});

describe('--server', () => {
  const selected = (...selectors: readonly string[]) =>
    selectServers(team(), selectors).value?.map(({ name }) => name);
  test.each<[string[], string[]]>([
    [[], ['staging', 'eu', 'us']],
    [['us'], ['us']],
    [
      ['us', 'staging'],
      ['staging', 'us'],
    ],
    [['*s*'], ['staging', 'us']],
    [['tier=production'], ['eu', 'us']],
    [['region=eu', 'eu'], ['eu']],
  ])('%j selects %j', (selectors, expected) => {
    expect(selected(...selectors)).toEqual(expected);
    expect(selectServers(team(), selectors).diagnostics).toEqual([]);
  });
  test.each([
    ['a server that does not exist', 'prod'],
    ['another case', 'US'],
    ['a label with another value', 'tier=prod'],
    ['a glob over labels', 'tier=*'],
    ['a glob that could take for ever', '*s*s*s*s*'],
  ])('is refused with %s', (_, word) => {
    const { value, diagnostics } = selectServers(team(), ['us', word]);
    expect(value).toBeUndefined();
    const labels = ['region=eu', 'tier=production', 'tier=staging'];
    const names = ['staging', 'eu', 'us', ...labels];
    expect(diagnostics).toMatchObject([
      { code: 'unknown-name', facts: { word, of: 'server', names } },
    ]);
  });
});

test.each([
  ['2026-11-20T23:59:59Z', false],
  ['2026-11-21T23:59:59Z', false],
  ['2026-11-22T00:00:00Z', true],
])('a waiver until 2026-11-21 is over at %s: %s', (now, expected) => {
  const [waiver] = team().waivers;
  if (waiver === undefined) throw new Error('There is no waiver.');
  const ending = { ...waiver, until: '2026-11-21' };
  expect(isOver(ending, Date.parse(now))).toBe(expected);
});

test('a server has its name in capitals in variables, with underscores', () => {
  expect(environmentName('prod-eu_1')).toBe('PROD_EU_1');
});
