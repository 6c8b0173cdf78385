import { describe, expect, test } from 'vitest';
import type { Document } from '../../src/core/plan/plan-document.ts';
import { validate } from '../../src/generated/plan-validator.js';
import {
  configuration,
  type LiveWish,
  liveSandbox,
  option,
} from '../support/live-sandbox.ts';
import { codesOf } from '../support/report.ts';
import { ADMIN, json, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const KEYS = { staging: 'staging-key-1234', production: 'production-key-1234' };

/** A server with one integration of its own version, and another one that both have. */
async function server(name: keyof typeof KEYS, wish: LiveWish = {}) {
  const number = name === 'staging' ? 1 : 2;
  const vt = `vt_${number}_0_0_node_18_${number}`;
  const catalog = await tempFolder({
    'vt.json': configuration(
      option('apiKey', 'password', KEYS[name]),
      option('shared', 'password', 'the-same-key-1234'),
      option('url', 'text', `https://${name}.example`),
      option('limit', 'number', 5),
      option(`only-${name}`, 'text', name),
    ),
    'otx.json': configuration(option('limit', 'number', 5)),
    // A name of its own: that of others would make the two a pair.
    [`${name}.json`]: JSON.stringify({ name, acronym: name, options: [] }),
  });
  const ids = { vt, otx: 'otx_node_18_1', [name]: `${name}_node_18_1` };
  return liveSandbox({ catalog, ids, ...wish });
}

/** Two servers with a setpoint.yaml that names them. */
async function pair(wishes: { production?: LiveWish; yaml?: string } = {}) {
  const staging = await server('staging');
  const production = await server('production', wishes.production);
  const cwd = await tempFolder({
    'setpoint.yaml': `version: 1
servers:
  staging: { url: "${staging.url}", config: [base/] }
  production: { url: "${production.url}", config: [base/]${wishes.yaml ?? ''} }
`,
    // No YAML but setpoint.yaml is read.
    'base/broken.yaml': 'not: [valid',
  });
  const compare = (line: string) => run(`compare ${line}`, { cwd, env: ADMIN });
  const document = async (line: string) =>
    json<Document>(await compare(`${line} --report json`));
  return { staging, production, cwd, compare, document };
}

/** What is said of each integration of a comparison that says anything. */
function said({ servers }: Document) {
  const integrations = servers.flatMap((each) => each.integrations);
  return integrations.flatMap((each) => [
    ...each.changes.map(({ address, before, after, secret }) => [
      address,
      secret === true ? 'secret' : `${before} ${after}`,
    ]),
    ...(each.sameSecrets ?? []).map((address) => [address, 'same']),
    ...each.left.map(({ address }) => [address, 'cannot tell']),
  ]);
}

const DIFFERENCES = [
  ['production.installed', 'false true'],
  ['staging.installed', 'true false'],
  ['vt.options.apiKey.value', 'secret'],
  ['vt.options.only-production.value', 'null production'],
  ['vt.options.only-staging.value', 'staging null'],
  [
    'vt.options.url.value',
    'https://staging.example https://production.example',
  ],
];

describe('compare', () => {
  test('shows all that two servers hold, and only reads', async () => {
    const { staging, production, document } = await pair();
    const compared = await document('staging production');
    expect(said(compared)).toEqual([
      ...DIFFERENCES,
      ['vt.options.shared.value', 'same'],
    ]);
    expect([validate(compared), validate.errors]).toEqual([true, null]);
    expect(compared.diagnostics).toEqual([]);
    for (const { seen } of [staging, production]) {
      const requests = seen().filter((each) => !each.includes('/api/users/'));
      expect(requests.filter((each) => !each.startsWith('GET '))).toEqual([]);
    }
  });
  test('takes an address and a snapshot in place of a name', async () => {
    const { production, cwd, compare, document } = await pair();
    const { url } = await server('staging');
    const line = `snapshot --url ${url} --out friday.json`;
    expect((await run(line, { cwd, env: ADMIN })).code).toBe(0);
    const compared = await document(`friday.json ${production.url}`);
    const differing = DIFFERENCES.filter(([, sides]) => sides !== 'secret');
    expect(said(compared)).toEqual([
      ...differing,
      ['vt.options.apiKey.value', 'cannot tell'],
      ['vt.options.shared.value', 'cannot tell'],
    ]);
    const comparedWith = compared.servers[0]?.comparedWith;
    expect(comparedWith).toMatchObject({ name: 'friday.json', url });
    expect(comparedWith?.snapshot).toBeDefined();
    const same = await compare('friday.json friday.json --exit-code');
    expect(same.code).toBe(0);
  });
  test('exits with 2 only if there are differences, and only if asked', async () => {
    const { compare } = await pair();
    for (const [line, code] of [
      ['staging production', 0],
      ['staging production --exit-code', 2],
      ['staging production --exit-code --only otx', 0],
      ['staging staging --exit-code', 0],
    ] as const)
      expect((await compare(line)).code, line).toBe(code);
  });
  test('warns of an --only that names no integration: entries play no part', async () => {
    const { compare } = await pair();
    const { code, stderr } = await compare('staging production --only no*');
    expect(code).toBe(0);
    expect(stderr).toContain('There is no integration "no*".');
  });
  test('takes an empty secret for one only if the server shows secrets', async () => {
    const production: LiveWish = { settings: { passwords: 'empty' } };
    const shared = async (yaml: string) => {
      const { document } = await pair({ production, yaml });
      const all = said(await document('staging production'));
      return all.find(([address]) => address === 'vt.options.shared.value');
    };
    expect((await shared(''))?.[1]).toBe('secret');
    expect((await shared(', hidesSecrets: true'))?.[1]).toBe('cannot tell');
  });
  test('makes no plan to apply, and one to show', async () => {
    const { cwd, compare } = await pair();
    await compare('staging production --report json=compared.json');
    const apply = await run('apply compared.json --yes', { cwd, env: ADMIN });
    expect(apply.code).toBe(3);
    expect(apply.stderr).toContain('file-unusable');
    const shown = await run('show compared.json', { cwd, env: {} });
    const fresh = await compare('staging production');
    const rest = (text: string) => text.slice(text.indexOf('\n'));
    expect(rest(shown.stdout)).toBe(rest(fresh.stdout));
  });
  test.each([
    ['nope production', 'unknown-name'],
    ['gone.json production', 'file-unreadable'],
    ['setpoint.yaml production', 'file-unusable'],
    ['http://staging.example production', 'bad-url'],
    ['production', 'usage'],
  ])('%s is refused, and no server is asked', async (words, code) => {
    const { production, compare } = await pair();
    const result = await compare(`${words} --report json`);
    expect(codesOf(result)).toEqual([code]);
    expect([result.code, production.exchanges]).toEqual([3, []]);
  });
});
