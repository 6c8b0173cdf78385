import { expect, test } from 'vitest';
import { parseProject } from '../../../src/core/config/project.ts';
import { loosenedIn } from '../../../src/core/diff/loosened.ts';
import { explain } from '../../../src/core/findings/explain.ts';

/** What is loosened, in short. */
const loosened = (...projects: Parameters<typeof loosenedIn>) =>
  loosenedIn(...projects).map((finding) => {
    const { code, severity, message } = explain(finding);
    expect([code, severity]).toEqual(['loosened', 'warning']);
    return message.replace(/^setpoint.yaml is less strict at |\.$/g, '');
  });

const project = (
  rest: string,
  servers = 'a: { url: https://a.example, config: [a.yaml] }',
) =>
  parseProject({
    path: 'setpoint.yaml',
    text: `version: 1\nservers: { ${servers} }\n${rest}`,
  }).value;
const waiver = (until: string) =>
  `waivers: [{ address: vt.a, until: ${until}, reason: x }]\n`;
const server = (name: string, url: string, rest = '') =>
  `${name}: { url: ${url}, config: [a.yaml]${rest} }`;

test.each([
  [
    'policy: { exposes-secret: error }',
    '',
    ['policy/exposes-secret: error -> not set'],
  ],
  ['', 'policy: { exposes-secret: error }', []],
  [
    '',
    'policy: { exposes-secret: warn }',
    ['policy/exposes-secret: not set -> warn'],
  ],
  ['policy: { exposes-secret: warn }', '', []],
  ['', 'policy: { overrides-users: warn }', []],
  [
    'policy: { secret-max-age: 90d }',
    'policy: { secret-max-age: 180d }',
    ['policy/secret-max-age: 90d -> 180d'],
  ],
  ['policy: { secret-max-age: 90d }', 'policy: { secret-max-age: 9d }', []],
  ['', waiver('2026-12-31'), ['waivers/vt.a: not set -> until 2026-12-31']],
  [
    waiver('2026-12-31'),
    waiver('2027-01-31'),
    ['waivers/vt.a: until 2026-12-31 -> until 2027-01-31'],
  ],
  [waiver('2026-12-31'), '', []],
])('%j, then %j', (before, after, expected) => {
  expect(loosened(project(before), project(after))).toEqual(expected);
});

test.each([
  [
    server('a', 'https://b.example'),
    ['servers/a/url: https://a.example -> https://b.example'],
  ],
  [server('a', 'https://a.example/'), []],
  [
    server('a', 'https://a.example', ', tls: { caFile: ca.pem }'),
    ['servers/a/tls: not set -> ca.pem'],
  ],
  [
    server('b', 'https://a.example'),
    ['servers/b/url: not set -> https://a.example'],
  ],
])('servers: %s', (servers, expected) => {
  expect(
    loosened(
      project('', server('a', 'https://a.example')),
      project('', servers),
    ),
  ).toEqual(expected);
});
