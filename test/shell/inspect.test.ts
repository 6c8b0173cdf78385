import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Shown } from '../../src/core/show/shown.ts';
import { OPEN_POINTS } from '../support/dialects.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { configuration, option } from '../support/own-catalog.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { EXAMPLE_CATALOG } from '../support/sandbox.ts';
import { THREAT } from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

interface Document extends Shown {
  readonly formatVersion: string;
  readonly diagnostics: readonly { readonly code: string; readonly server?: string }[];
}

const told = (result: RunResult) => json<Document>(result);
const codes = (result: RunResult) => told(result).diagnostics.map(({ code }) => code);

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
const PRODUCTION =
  'version: 1\nvalues: { host: other.example.com }\nintegrations: { threat: { options: { timeout: null } } }\n';

/** A folder with a project of two servers, of which one is a sandbox. */
async function project(settings = {}) {
  const sandbox = await liveSandbox({ settings });
  const cwd = await tempFolder({
    '.git/HEAD': '',
    'setpoint.yaml': `version: 1
servers:
  staging: { url: "${sandbox.url}", config: [base.yaml] }
  production: { url: "http://127.0.0.1:1", config: [base.yaml, production.yaml] }
`,
    'base.yaml': BASE,
    'production.yaml': PRODUCTION,
  });
  const show = (...args: readonly string[]) =>
    run(['show', ...args, '--report', 'json'], { cwd, env: { ...ADMIN, SETPOINT_KEY: 'a-key-of-nobody' } });
  return { sandbox, cwd, show };
}

describe('without a server', () => {
  test('nothing is sent, and it is said so', async () => {
    const { sandbox, cwd, show } = await project();
    const words = ['threat', 'threat.options.url', '--uses', 'host'];
    const { servers, integrations } = told(await show(...words));
    expect(servers).toEqual([
      { name: 'production', url: 'http://127.0.0.1:1', live: 'not-asked' },
      { name: 'staging', url: sandbox.url, live: 'not-asked' },
    ]);
    expect(
      integrations.map(({ server, options }) => [server, options.map(({ option: key }) => key)]),
    ).toEqual([
      ['production', ['apiKey', 'timeout', 'url']],
      ['staging', ['apiKey', 'timeout', 'url']],
    ]);
    const text = await run(['show', ...words], { cwd });
    expect([text.code, text.stderr]).toEqual([0, '']);
    expect(text.stdout.match(/No server was asked: --server or --url shows what is live\./g)).toHaveLength(1);
    expect(sandbox.exchanges).toEqual([]);
  });
  test('a catalog tells types, choices, defaults and descriptions, and no live value', async () => {
    const { show } = await project();
    const [first] = told(
      await show('threat', '--catalog', `${process.cwd()}/${EXAMPLE_CATALOG}`),
    ).integrations;
    expect(first?.id).toBeUndefined();
    const options = new Map(first?.options.map((each) => [each.option, each]));
    expect(options.get('mode')).toMatchObject({
      type: 'select',
      default: { kind: 'shown' },
      choices: [{ value: 'fast' }, { value: 'thorough' }, { value: 'passive' }],
      description: 'How deep a lookup goes.',
      managed: {},
    });
    expect(options.get('apiKey')).toMatchObject({
      type: 'password',
      managed: { value: { declared: { value: null } } },
    });
    expect([...options.values()].filter((each) => each.live !== undefined)).toEqual([]);
  });
  test('files are named with -f, and need no project', async () => {
    const cwd = await tempFolder({ 'base.yaml': BASE, 'production.yaml': PRODUCTION });
    const result = await run(
      ['show', 'threat.options.timeout', '-f', 'base.yaml', '-f', 'production.yaml', '--report', 'json'],
      { cwd, env: {} },
    );
    expect(told(result).fields[0]?.on[0]?.origins).toMatchObject([
      {
        kind: 'base',
        layer: 'base.yaml',
        wins: false,
        declared: { value: 30 },
        source: { line: 10, column: 16 },
      },
      {
        kind: 'overlay',
        layer: 'production.yaml',
        wins: true,
        source: { file: 'production.yaml', line: 3, column: 47 },
      },
    ]);
  });
  test('all that is wrong with the configuration is told instead', async () => {
    const cwd = await tempFolder({
      'a.yaml': 'version: 1\nintegrations: { vt: { <<: {}, options: { a: 0123 } } }\n',
    });
    const result = await run(['show', 'vt', '-f', 'a.yaml', '--report', 'json'], { cwd, env: {} });
    expect([result.code, codes(result)]).toEqual([3, ['yaml-syntax', 'ambiguous-scalar']]);
  });
});

describe('a broken file of one server alone', () => {
  const broken = async () => {
    const { cwd, show } = await project();
    await writeFile(join(cwd, 'production.yaml'), 'version: 1\nintegrations: { threat: [ }\n');
    return { cwd, show };
  };
  test('is told, and hides nothing of another one that is asked', async () => {
    const { cwd, show } = await broken();
    const result = await show('threat', 'threat.options.url', '--server', 'staging');
    const { integrations, fields, leftOut } = told(result);
    expect([result.code, codes(result)]).toEqual([0, []]);
    expect(integrations.map(({ server }) => server)).toEqual(['staging']);
    expect(fields[0]?.on.map(({ server }) => server)).toEqual(['staging']);
    expect(leftOut).toMatchObject([{ server: 'production', source: { file: 'production.yaml', line: 2 } }]);
    const text = await run(['show', 'threat', '--server', 'staging'], { cwd, env: ADMIN });
    expect(text.stdout.replaceAll('\n', ' ')).toContain(
      'production is left out: its configuration has an error at production.yaml:2:',
    );
  });
  test('is an error where no server is named, beside the others', async () => {
    const { show } = await broken();
    const result = await show('threat');
    expect([result.code, codes(result)]).toEqual([3, ['yaml-syntax']]);
    expect(told(result).integrations.map(({ server }) => server)).toEqual(['staging']);
  });
  test('is all there is to tell of that server itself', async () => {
    const { show } = await broken();
    const result = await show('threat', '--server', 'production');
    expect([result.code, codes(result)]).toEqual([3, ['yaml-syntax']]);
  });
});

describe('a word that names nothing', () => {
  test.each([
    [['threta'], 'Did you mean threat?'],
    [['threat.options.timout'], 'Did you mean threat.options.timeout?'],
    [['--uses', 'value:hots'], 'Did you mean value:host?'],
    [['zzzzzz'], 'Names: everything, threat. What is installed is known with --server, --url or --catalog.'],
  ])('%j is an error with near names', async (args, hint) => {
    const { show } = await project();
    const result = await show(...args);
    expect([result.code, told(result).diagnostics]).toMatchObject([3, [{ code: 'unknown-name', hint }]]);
  });
  test('the others are shown all the same', async () => {
    const { show } = await project();
    const result = await show('threat', 'threta', '--uses', 'host', '--uses', 'hots');
    const { integrations, uses } = told(result);
    expect([result.code, integrations.length, uses.length, codes(result)]).toEqual([
      3,
      2,
      1,
      ['unknown-name', 'unknown-name'],
    ]);
  });
  test.each([[[]], [['']], [['[a]*b*c*d*']], [['plan.json', 'threat']], [['plan.json', '--uses', 'host']]])(
    'show %j is an error of usage',
    async (args) => {
      const { show } = await project();
      const result = await show(...args);
      expect([result.code, codes(result)]).toEqual([3, ['usage']]);
    },
  );
});

describe('a server that is named', () => {
  const DIALECTS = OPEN_POINTS.dialect.map((dialect) => [dialect]);
  test.each(DIALECTS)('is read in the dialect %s, and no more of it than is needed', async (dialect) => {
    const { sandbox, show } = await project({ dialect });
    const result = await show('threat', '--server', 'staging');
    expect([result.code, codes(result)]).toEqual([0, []]);
    const { servers, integrations } = told(result);
    expect(servers.map(({ live }) => live)).toEqual(['not-asked', 'read']);
    const threat = integrations.find(({ server }) => server === 'staging');
    expect(threat).toMatchObject({
      name: 'threat',
      id: THREAT,
      displayName: 'Threat Lookup',
      status: 'running',
      errors: 0,
      autosubscribe: {
        live: false,
        managed: { verdict: 'as-desired', source: { file: 'base.yaml', line: 4 } },
      },
      entries: [
        { entry: 'threat', isDefault: false, source: { line: 6 } },
        { entry: 'everything', isDefault: true, source: { line: 4 } },
      ],
    });
    const options = threat?.options.map((each) => [
      each.option,
      each.type,
      each.live,
      each.managed.value?.verdict,
    ]);
    expect(options).toEqual([
      ['apiKey', 'password', expect.anything(), 'cannot-tell'],
      ['mode', 'select', { kind: 'shown', value: { value: 'fast', display: expect.anything() } }, undefined],
      ['timeout', 'number', { kind: 'shown', value: 10 }, 'differs'],
      ['types', 'select', { kind: 'shown', value: expect.anything() }, undefined],
      ['url', 'text', { kind: 'shown', value: 'https://reputation.example.com/v3' }, 'as-desired'],
      ['verifyTls', 'boolean', { kind: 'shown', value: true }, undefined],
    ]);
    const single = sandbox.seen().filter((each) => /^GET .*(integrations\/|integration-options)/.test(each));
    expect(single.filter((each) => /integrations\//.test(each) && !each.includes(THREAT))).toEqual([]);
    expect(single.length).toBeLessThanOrEqual(2);
    expect(single.length > 0).toBe(dialect === 'detail' || dialect === 'options');
  });
  test('is compared with the others by their configuration', async () => {
    const { sandbox, show } = await project();
    const [url, timeout] = told(
      await show('threat.options.url.value', 'threat.options.timeout.value', '--server', 'staging'),
    ).fields;
    expect(url?.on.map(({ server, likeness, live, verdict }) => [server, likeness, live, verdict])).toEqual([
      ['production', { declared: 'same' }, undefined, undefined],
      [
        'staging',
        { declared: 'differs' },
        { kind: 'shown', value: 'https://reputation.example.com/v3' },
        'as-desired',
      ],
    ]);
    expect(timeout?.on.map(({ likeness, verdict }) => [likeness, verdict])).toEqual([
      [{ declared: 'missing' }, undefined],
      [{ declared: 'same' }, 'differs'],
    ]);
    expect(sandbox.exchanges.filter(({ method }) => method === 'PATCH')).toEqual([]);
  });
  test('needs no configuration', async () => {
    const { sandbox } = await project();
    const cwd = await tempFolder();
    const result = await run(['show', 'threat_*', '--url', sandbox.url, '--report', 'json'], { cwd });
    const [only] = told(result).integrations;
    expect([result.code, only?.name, only?.entries, only?.options.length]).toEqual([0, THREAT, [], 6]);
  });
  test('that cannot be read is told, beside what the configuration says', async () => {
    const { show } = await project();
    const result = await show('threat', '--server', 'production');
    expect(result.code).not.toBe(0);
    expect(told(result).servers.map(({ live }) => live)).toEqual(['unread', 'not-asked']);
    expect(told(result).integrations).toMatchObject([{ server: 'production', name: 'threat' }]);
  });
  test('tells of an entry that matches nothing there, and shows what it declares', async () => {
    const { sandbox } = await project();
    const cwd = await tempFolder({ 'a.yaml': BASE.replace('threat_lookup_*', 'threat_lokup_*') });
    const result = await run(['show', 'threat', '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json'], {
      cwd,
    });
    expect([result.code, codes(result), told(result).integrations.map(({ name, id }) => [name, id])]).toEqual(
      [3, ['no-match'], [['threat', undefined]]],
    );
  });
  test('tells of an option that the integration does not have', async () => {
    const { sandbox } = await project();
    const cwd = await tempFolder({ 'a.yaml': BASE.replace('timeout:', 'timout:') });
    const result = await run(['show', 'threat', '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json'], {
      cwd,
    });
    expect([result.code, codes(result)]).toEqual([3, ['unknown-option']]);
  });
  test('tells more with a catalog beside it', async () => {
    const catalog = {
      'a.json': configuration(option('k', 'text', 'first', { description: 'What it is for.' })),
    };
    const folder = await tempFolder(catalog);
    const bare = await liveSandbox({ catalog: folder });
    const cwd = await tempFolder();
    const result = await run(['show', 'a_*', '--url', bare.url, '--catalog', folder, '--report', 'json'], {
      cwd,
    });
    expect(told(result).integrations[0]?.options).toMatchObject([
      { option: 'k', description: 'What it is for.', default: { value: 'first' }, live: { value: 'first' } },
    ]);
  });
});

describe('a secret', () => {
  const SECRET = 'Zebra-crossing-CANARY';
  test.each(['clear', 'masked', 'null', 'absent', 'empty'])(
    'is shown neither live nor desired where passwords are %s',
    async (passwords) => {
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
      for (const target of [['--url', url, '--catalog', catalog], ['--url', url], ['--catalog', catalog], []])
        for (const format of ['text', 'json', 'html', 'markdown']) {
          const words = ['a', 'a.options.apiKey', 'a.options.header', '--uses', 'SETPOINT_H'];
          const result = await run(
            ['show', ...words, '-f', 'a.yaml', ...target, '--full', '--report', format],
            { cwd },
          );
          expect([result.code, result.stdout.length > 0]).toEqual([0, true]);
          expect(result.stdout + result.stderr).not.toContain('CANARY');
        }
    },
  );
});
