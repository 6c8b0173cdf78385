import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/core/report/formats.ts';
import type { show } from '../../src/core/show/show.ts';

type ShownOption = Shown['servers'][number]['integrations'][number]['options'][number];

import { configuration, liveSandbox, option, ownCatalog } from '../support/live-sandbox.ts';
import { codesOf, findingsOf } from '../support/report.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { THREAT } from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

type Shown = ReturnType<typeof show>['value'];

const YAML = `version: 1
integrations:
  threat:
    match: ${THREAT}
    autosubscribe: true
    options:
      apiKey: { value: "\${env:SETPOINT_KEY}", permission: lock-and-show }
      url: https://user:changeme-please@example.com/
      timeout: null
`;

test('a saved plan is shown with all that was found when it was made', async () => {
  const sandbox = await liveSandbox({ settings: { flags: 'absent' } });
  const cwd = await tempFolder({ 'a.yaml': YAML });
  const wish = { cwd, env: { ...ADMIN, SETPOINT_KEY: 'k-of-the-lookup' } };
  const flags = ['a.yaml', '--url', sandbox.url, '--write-hidden', 'all', '--verbose'];
  const planned = await run(['plan', ...flags, '--report', 'json', '--report', 'json=plan.json'], wish);
  expect(codesOf(planned)).toEqual(
    expect.arrayContaining(['idle-declaration', 'risk-refused', 'likely-secret']),
  );

  const again = await run(['show', 'plan.json', '--report', 'json'], { cwd });
  expect(again.code).toBe(0);
  expect(json(again)).toEqual(json(planned));
});

test('the report of an apply is shown again in every format, and never applied', async () => {
  // One integration does not run, and refuses.
  const { url, seen } = await liveSandbox({ stopped: ['case_*'] });
  const wish = { env: { ...ADMIN, SETPOINT_THREATLOOKUP_KEY: 'k-12345678' } };
  const folder = await tempFolder();
  const written = async (name: string, args: readonly string[]) => {
    const file = (format: string) => join(folder, `${name}.${format}`);
    const reports = FORMATS.flatMap((format) => ['--report', `${format}=${file(format)}`]);
    const { code, stdout } = await run([...args, ...reports], wish);
    return {
      code,
      stdout,
      texts: await Promise.all(FORMATS.map((format) => readFile(file(format), 'utf8'))),
    };
  };
  const target = ['-f', 'test/fixtures/three', '--url', url, '--yes'];
  const applied = await written('applied', ['apply', ...target]);
  expect([applied.code, applied.stdout]).toEqual([
    5,
    expect.stringMatching(/\[verified\][\s\S]*\[blocked\]/),
  ]);
  const report = join(folder, 'applied.json');
  expect(await written('shown', ['show', report])).toEqual({ ...applied, code: 0 });

  seen();
  const again = await run(['apply', report, ...target, '--report', 'json'], wish);
  expect([again.code, findingsOf(again), seen()]).toEqual([
    3,
    [
      expect.objectContaining({
        code: 'plan-unusable',
        message: expect.stringContaining('report of an apply'),
      }),
    ],
    [],
  ]);
});

const BASE = `version: 1
values: { host: reputation.example.com }
integrations:
  everything: { match: "*", expect: any, autosubscribe: false }
  threat:
    match: threat_lookup_*
    options:
      apiKey: { value: "\${env:SETPOINT_KEY}", permission: lock-and-hide }
      url: https://\${value:host}/v3
      timeout: 30
`;
const STAGING =
  'version: 1\nvalues: { host: other.example.com }\nintegrations: { threat: { options: { timeout: null } } }\n';

const serversIn = (result: RunResult) => json<Shown>(result).servers;
const first = (result: RunResult) => serversIn(result)[0]?.integrations[0];
const placesOf = ({ origins }: NonNullable<ShownOption['value']>) =>
  origins.map(({ source: { file, line }, wins }) => `${wins ? '> ' : ''}${file}:${line}`);

/** A project of two servers: a sandbox, and one that nobody reaches. */
async function project(settings = {}) {
  const sandbox = await liveSandbox({ settings });
  const cwd = await tempFolder({
    '.git/HEAD': '',
    'setpoint.yaml': `version: 1
servers:
  production: { url: "${sandbox.url}", config: [base.yaml] }
  staging: { url: "http://127.0.0.1:1", config: [base.yaml, staging.yaml] }
`,
    'base.yaml': BASE,
    'staging.yaml': STAGING,
  });
  const env = { ...ADMIN, SETPOINT_KEY: 'a-key-of-nobody' };
  const show = (word: string, flags: readonly string[] = ['--server', 'production'], given: object = env) =>
    run(['show', word, ...flags, '--report', 'json'], { cwd, env: { ...given } });
  return { sandbox, cwd, show };
}

describe('an integration', () => {
  test.each(['included', 'options'] as const)(
    'is shown with all its options in the dialect %s, managed or not',
    async (dialect) => {
      const { sandbox, show } = await project({ dialect });
      const result = await show('threat');
      expect([result.code, codesOf(result)]).toEqual([0, []]);
      expect(first(result)).toMatchObject({
        ...{ name: 'threat', id: THREAT, displayName: 'Threat Lookup', status: 'running', errors: 0 },
        entries: [
          { entry: 'threat', isDefault: false, source: { line: 6 } },
          { entry: 'everything', isDefault: true, source: { line: 4 } },
        ],
        autosubscribe: { live: { value: false }, state: 'as-desired' },
      });
      const options = first(result)?.options ?? [];
      expect(options.map(({ option: key, type, value }) => [key, type, value?.state])).toEqual([
        ['apiKey', 'password', expect.stringMatching(/differs|hidden/)],
        ['mode', 'select', undefined],
        ['timeout', 'number', 'differs'],
        ['types', 'select', undefined],
        ['url', 'text', 'as-desired'],
        ['verifyTls', 'boolean', undefined],
      ]);
      expect(options.every(({ value }) => value?.live !== undefined)).toBe(true);
      expect(sandbox.exchanges.filter(({ method }) => method === 'PATCH')).toEqual([]);
    },
  );
  test.each([['threat'], [THREAT], ['threat_*']])('goes by its name, its id or a glob: %s', async (word) => {
    const { show } = await project();
    expect(first(await show(word))?.name).toBe('threat');
  });
});

describe('an address', () => {
  const optionOf = (result: RunResult, index: number): ShownOption | undefined =>
    serversIn(result)[index]?.integrations[0]?.options[0];
  test.each([
    ['threat.timeout', ['value']],
    ['threat.options.timeout.value', ['value']],
    ['threat.options.timeout', ['value', 'permission']],
    [`${THREAT}.timeout`, ['value']],
  ])('%s means %j of one option', async (word, fields) => {
    const { show } = await project();
    const { option: key, value, permission } = optionOf(await show(word), 0) ?? {};
    expect([key, value?.state]).toEqual(['timeout', 'differs']);
    expect([...(value ? ['value'] : []), ...(permission ? ['permission'] : [])]).toEqual(fields);
  });
  test('has every declaration on each server, and the one that wins', async () => {
    const { show } = await project();
    const result = await show('threat.timeout', []);
    expect([result.code, codesOf(result)]).toEqual([1, ['unreachable']]);
    expect(serversIn(result).map(({ name, isRead }) => [name, isRead])).toEqual([
      ['production', true],
      ['staging', false],
    ]);
    const [production, staging] = [optionOf(result, 0)?.value, optionOf(result, 1)?.value];
    expect(production).toMatchObject({ live: { value: 10 }, state: 'differs', desired: { value: 30 } });
    expect(production && placesOf(production)).toEqual(['> base.yaml:10']);
    expect(staging).not.toHaveProperty('desired');
    expect(staging && placesOf(staging)).toEqual(['base.yaml:10', '> staging.yaml:3']);
  });
});

test('without credentials the configuration is shown, and nothing is sent', async () => {
  const { sandbox, cwd, show } = await project();
  const nobody = { SETPOINT_USERNAME: '', SETPOINT_PASSWORD: '' };
  const result = await show('threat.timeout', [], nobody);
  const servers = serversIn(result);
  expect([result.code, servers.map((each) => each.isRead)]).toEqual([0, [false, false]]);
  const text = await run(['show', 'threat'], { cwd, env: nobody });
  expect(text.stdout.match(/Not read/g)).toHaveLength(1);
  expect(sandbox.exchanges).toEqual([]);
});

test.each([
  ['threta', 'Did you mean threat?'],
  ['threat.timout', 'Did you mean threat.timeout?'],
  ['threat.options.timout', 'Did you mean threat.options.timeout.value?'],
])('%s names nothing, and near names are offered', async (word, hint) => {
  const { show } = await project();
  const result = await show(word);
  expect([result.code, findingsOf(result)]).toMatchObject([3, [{ code: 'unknown-name', hint }]]);
});

test('what a value that is not allowed would replace is not shown', async () => {
  const { attempt } = await ownCatalog(
    { a: configuration(option('note', 'text', 'canary-note')) },
    'a: { options: { note: "${env:OTHER_X}" } }',
  );
  for (const word of ['a', 'a.note']) {
    const { stdout, stderr } = await attempt(['show', word]);
    expect(stdout + stderr).not.toContain('canary');
  }
});

test.each(['clear', 'masked', 'empty'])(
  'a secret is never shown where passwords are %s',
  async (passwords) => {
    const SECRET = 'Zebra-crossing-CANARY';
    const catalog = await tempFolder({
      'a.json': configuration(
        option('apiKey', 'password', SECRET),
        option('spare', 'password', `${SECRET}-2`),
        option('header', 'text', `Bearer ${SECRET}`),
      ),
    });
    const { url } = await liveSandbox({ catalog, settings: { passwords } as object });
    const cwd = await tempFolder({
      'a.yaml': `version: 1\nintegrations: { a: { match: a_*, options: { apiKey: "${SECRET}-3", header: "\${env:SETPOINT_H:-${SECRET}-4}" } } }\n`,
    });
    const nobody = { SETPOINT_USERNAME: '', SETPOINT_PASSWORD: '' };
    for (const env of [ADMIN, nobody])
      for (const word of ['a', 'a.header'])
        for (const format of ['text', 'json']) {
          const flags = ['-f', 'a.yaml', '--url', url, '--full', '--report', format];
          const result = await run(['show', word, ...flags], { cwd, env });
          // The key in clear text is refused, and shown no more than any other.
          expect([result.stdout !== '', [0, 3].includes(result.code)]).toEqual([true, true]);
          expect(result.stdout + result.stderr).not.toContain('CANARY');
        }
  },
);
