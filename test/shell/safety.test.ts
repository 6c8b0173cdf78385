import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/core/report/formats.ts';
import { faultyProxy } from '../support/fault-proxy.ts';
import { configuration, option, ownCatalog } from '../support/live-sandbox.ts';
import { codesOf, findingsOf, integrationsOf, serversOf } from '../support/report.ts';
import { ADMIN, type RunResult, run } from '../support/run.ts';

const changes = (result: RunResult) =>
  integrationsOf(result).flatMap((each) =>
    each.changes.map(({ address, after }) => [each.id, address, after]),
  );

describe('secrets reach the integration that they are meant for', () => {
  test('an entry that is named like the id of another integration is refused', async () => {
    const { sandbox, attempt } = await ownCatalog(
      { foo: configuration(option('apiKey', 'password')), bar: configuration(option('apiKey', 'password')) },
      'foo: { match: bar, options: { apiKey: "${env:SETPOINT_A}" } }\nall: { match: "*", expect: any, options: { apiKey: "${env:SETPOINT_B}" } }',
    );
    const result = await attempt(['apply', '--yes'], {
      SETPOINT_A: 'for-bar-only',
      SETPOINT_B: 'for-foo-only',
    });
    expect([result.code, codesOf(result)]).toEqual([5, ['not-attempted', 'ambiguous-name']]);
    const patched = sandbox.exchanges.filter(({ method }) => method === 'PATCH');
    expect(JSON.stringify(patched)).not.toMatch(/for-bar-only|bar-apiKey/);
  });
});

describe('--only', () => {
  const two = {
    foo_1: configuration(option('timeout', 'number', 1)),
    bar_1: configuration(option('timeout', 'number', 1)),
  };
  const yaml =
    'special: { match: bar_*, options: { timeout: 30 } }\nall: { match: "*", expect: any, options: { timeout: 10 } }';
  test.each(['special', 'bar_*', 'bar_1'])(
    '%s selects the integration with its own value, not the default',
    async (glob) => {
      const { attempt } = await ownCatalog(two, yaml);
      expect(changes(await attempt(['plan', '--only', glob]))).toEqual([
        ['bar_1', 'special.options.timeout.value', 30],
      ]);
    },
  );
  test('an entry that means the selected integration too needs its references, and says why it has none', async () => {
    const { attempt } = await ownCatalog(
      { bar_1: configuration(option('apiKey', 'password'), option('timeout', 'number', 1)) },
      's: { match: bar_*, options: { timeout: 5 } }\nt: { match: "*_1", options: { apiKey: "${env:HOME}" } }',
    );
    const result = await attempt(['plan', '--only', 's']);
    expect([result.code, codesOf(result)]).toEqual([3, ['reference-not-allowed']]);
  });
  test.each([['SETPOINT_PASSWORD'], ['SETPOINT_SERVER_EU_TOKEN'], ['setpoint_token']])(
    'no flag lets a reference read %s',
    async (name) => {
      const { attempt, sandbox } = await ownCatalog(
        { bar_1: configuration(option('apiKey', 'password')) },
        `bar: { match: bar_*, options: { apiKey: "\${env:${name}}" } }`,
      );
      const result = await attempt(['plan', '--allow-env', '*']);
      expect([result.code, codesOf(result), sandbox.exchanges]).toEqual([3, ['reference-not-allowed'], []]);
    },
  );
  test('what is wrong with other entries does not matter', async () => {
    const { attempt } = await ownCatalog(
      two,
      `${yaml}\nnone: { match: none_*, autosubscribe: true }\nseveral: { match: foo_*, options: { timeout: 1 } }\nalso: { match: "foo*", options: { timeout: 2 } }`,
    );
    const result = await attempt(['plan', '--only', 'special']);
    expect([result.code, codesOf(result)]).toEqual([0, []]);
    expect(codesOf(await attempt(['plan']))).toEqual(['no-match', 'duplicate-field']);
  });
});

describe('what is marked sensitive', () => {
  test.each([
    ['whose variable is set', '${env:SETPOINT_K:-Pr0d-CANARY-77xQ}'],
    ['that is in use, with text around it', 'pre-${env:SETPOINT_NOPE:-Pa55CANARYQ1}-post'],
  ])(
    'is never shown through a fallback %s, which is an error, in any format, also of a saved plan',
    async (_, written) => {
      const { cwd, sandbox } = await ownCatalog(
        { x: configuration(option('apiKey', 'password')), y: configuration(option('apiKey', 'password')) },
        `all: { match: "*", expect: any, options: { apiKey: { value: "${written}" } } }`,
        { settings: { passwords: 'masked' } },
      );
      const env = { ...ADMIN, SETPOINT_K: 'something-else' };
      const target = ['-f', 'a.yaml', '--url', sandbox.url];
      const reports = (name: string) =>
        FORMATS.flatMap((format) => ['--report', `${format}=${name}.${format}`]);
      const write = ['--write-hidden', 'all'];
      for (const [name, args, found] of [
        ['untold', ['plan', ...target], 'secret-fallback'],
        ['planned', ['plan', ...target, ...write], 'secret-fallback'],
        ['shown', ['show', 'planned.json'], 'plan-unusable'],
        ['applied', ['apply', 'planned.json', ...target, '--yes'], 'plan-unusable'],
      ] as const) {
        const { code, stdout, stderr } = await run([...args, ...reports(name)], { cwd, env });
        expect([name, code, stdout + stderr]).toEqual([name, 3, expect.not.stringContaining('CANARY')]);
        for (const format of FORMATS)
          expect(await readFile(join(cwd, `${name}.${format}`), 'utf8')).not.toContain('CANARY');
        expect(await readFile(join(cwd, `${name}.json`), 'utf8')).toContain(found);
      }
    },
  );
});

describe('what an apply says', () => {
  test('of an integration that took one request and refused the other', async () => {
    const { sandbox, attempt } = await ownCatalog(
      { x: configuration(option('timeout', 'number', 1)) },
      'x:\n  options:\n    timeout: 5\n  autosubscribe: true',
    );
    const proxy = await faultyProxy(sandbox.url, ({ method, path }) =>
      method === 'PATCH' && path.startsWith('/api/integrations/') ? { status: 422 } : undefined,
    );
    const result = await attempt(['apply', '--yes'], {}, proxy.url);
    const [found] = findingsOf(result);
    expect([result.code, found?.code, found?.line]).toEqual([5, 'apply-failed', 6]);
    expect(found?.message).toContain('x.options.timeout.value');
  });
});

describe('one JSON document, whatever goes wrong', () => {
  test.each([
    [['--report', 'json', '--report', 'json']],
    [['--report', 'json', '--report', 'bogus']],
    [['--report', 'json', '--report', 'text=src']],
    [['--report', 'json', '--report', 'text=no/such/folder/x']],
  ])('%j', async (reports) => {
    const result = await run(['validate', 'test/fixtures/three', ...reports]);
    expect(result.code).toBe(3);
    expect(codesOf(result).length).toBe(1);
  });
});

test('a service without an address for options tells of an unknown option all the same', async () => {
  const { sandbox, attempt } = await ownCatalog({ x: configuration() }, 'x: { options: { nope: 1 } }', {
    settings: { dialect: 'detail' },
  });
  const proxy = await faultyProxy(sandbox.url, ({ path }) =>
    path === '/api/integration-options' ? { status: 404 } : undefined,
  );
  const result = await attempt(['plan'], {}, proxy.url);
  expect([result.code, codesOf(result)]).toEqual([3, ['unknown-option']]);
});

test('a number that JSON cannot keep is refused', async () => {
  const { attempt } = await ownCatalog(
    { x: configuration(option('big', 'number', 1)) },
    'x: { options: { big: "98765432109876543210" } }',
  );
  expect(codesOf(await attempt(['plan']))).toEqual(['wrong-value']);
});

describe('an account that may write nothing', () => {
  test('is told so once, with the exit code of permissions', async () => {
    const { attempt } = await ownCatalog(
      { foo: configuration(option('url', 'text')), bar: configuration(option('url', 'text')) },
      'foo: { autosubscribe: true }\nbar: { autosubscribe: true }',
    );
    const result = await attempt(['apply', '--yes'], {
      SETPOINT_USERNAME: 'user',
      SETPOINT_PASSWORD: 'user',
    });
    expect([result.code, codesOf(result).filter((code) => code !== 'integration-errors')]).toEqual([
      4,
      ['not-permitted'],
    ]);
  });
});

describe('the guard', () => {
  test('counts what --only selects', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`i${index}`, configuration(option('url', 'text'))]),
    );
    const { attempt } = await ownCatalog(
      many,
      'all: { match: "*", expect: any, options: { url: "https://x.example" } }',
    );
    const more = await attempt(['apply', '--yes', '--only', 'i[0-9]*']);
    expect([more.code, codesOf(more)]).toEqual([6, ['many-changes']]);
    const some = await attempt(['apply', '--yes', '--only', 'i1*']);
    expect([some.code, changes(some).length]).toEqual([0, 3]);
  });
  test('does not count what only defaults match that ask nothing of it', async () => {
    const some = Object.fromEntries(
      Array.from({ length: 16 }, (_, index) => {
        const has = index < 4;
        return [`${has ? 'has' : 'lacks'}${index}`, configuration(option(has ? 'url' : 'other', 'text'))];
      }),
    );
    const { attempt } = await ownCatalog(
      some,
      'all: { match: "*", expect: any, options: { url: "https://x.example" } }',
    );
    for (const only of [[], ['--only', 'has*']]) {
      const servers = serversOf(await attempt(['plan', ...only]));
      expect(servers.map(({ summary }) => [summary.managed, summary.changed])).toEqual([[4, 4]]);
    }
  });
});
