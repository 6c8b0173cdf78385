import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMATS } from '../../src/core/report/formats.ts';
import { configuration, option, ownCatalog } from '../support/live-sandbox.ts';
import { changesOf, codesOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';

test('a secret reaches no integration whose id is the name of another entry', async () => {
  const { sandbox, attempt } = await ownCatalog(
    {
      foo: configuration(option('apiKey', 'password')),
      bar: configuration(option('apiKey', 'password')),
    },
    'foo: { match: bar, options: { apiKey: "${env:SETPOINT_A}" } }\nall: { match: "*", expect: any, options: { apiKey: "${env:SETPOINT_B}" } }',
  );
  const result = await attempt(['apply', '--yes'], {
    SETPOINT_A: 'for-bar-only',
    SETPOINT_B: 'for-foo-only',
  });
  expect([result.code, codesOf(result)]).toEqual([5, ['ambiguous-name']]);
  const patched = sandbox.exchanges.filter(({ method }) => method === 'PATCH');
  expect(JSON.stringify(patched)).not.toMatch(/for-bar-only|bar-apiKey/);
});

test('no flag lets a reference read a credential of setpoint', async () => {
  const { attempt, sandbox } = await ownCatalog(
    { bar_1: configuration(option('apiKey', 'password')) },
    'bar: { match: bar_*, options: { apiKey: "${env:SETPOINT_SERVER_EU_TOKEN}" } }',
  );
  const result = await attempt(['plan', '--allow-env', '*']);
  expect(result.code).toBe(3);
  expect(codesOf(result)).toEqual(['reference-not-allowed']);
  expect(sandbox.exchanges).toEqual([]);
});

test.each([
  ['whose variable is set', '${env:SETPOINT_K:-Pr0d-CANARY-77xQ}'],
  [
    'that is in use, with text around it',
    'pre-${env:SETPOINT_NOPE:-Pa55CANARYQ1}-post',
  ],
])(
  'a password is never shown through a fallback %s, which is an error, in any format, also of a saved plan',
  async (_, written) => {
    const { cwd, sandbox } = await ownCatalog(
      {
        x: configuration(option('apiKey', 'password')),
        y: configuration(option('apiKey', 'password')),
      },
      `all: { match: "*", expect: any, options: { apiKey: { value: "${written}" } } }`,
      { settings: { passwords: 'masked' } },
    );
    const env = { ...ADMIN, SETPOINT_K: 'something-else' };
    const target = ['-f', 'a.yaml', '--url', sandbox.url];
    const reports = (name: string) =>
      FORMATS.flatMap((format) => ['--report', `${format}=${name}.${format}`]);
    const write = ['--write-hidden', 'all'];
    for (const [name, args, found] of [
      ['untold', ['plan', ...target], 'plain-secret'],
      ['planned', ['plan', ...target, ...write], 'plain-secret'],
      ['shown', ['show', 'planned.json'], 'file-unusable'],
      [
        'applied',
        ['apply', 'planned.json', ...target, '--yes'],
        'file-unusable',
      ],
    ] as const) {
      const { code, stdout, stderr } = await run([...args, ...reports(name)], {
        cwd,
        env,
      });
      expect([name, code, stdout + stderr]).toEqual([
        name,
        3,
        expect.not.stringContaining('CANARY'),
      ]);
      for (const format of FORMATS)
        expect(
          await readFile(join(cwd, `${name}.${format}`), 'utf8'),
        ).not.toContain('CANARY');
      expect(await readFile(join(cwd, `${name}.json`), 'utf8')).toContain(
        found,
      );
    }
  },
);

test.each([
  [['--report', 'json', '--report', 'json']],
  [['--report', 'json', '--report', 'bogus']],
  [['--report', 'json=-', '--server', 'none']],
  [['--report', 'json', '--report', 'text=src']],
  [['--report', 'json', '--report', 'text=README.md/x']],
])('one JSON document, whatever goes wrong: %j', async (reports) => {
  const result = await run(['validate', 'test/fixtures/three', ...reports]);
  expect(result.code).toBe(3);
  expect(codesOf(result).length).toBe(1);
});

test('the guard counts what --only selects', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `i${index}`,
      configuration(option('url', 'text')),
    ]),
  );
  const { attempt } = await ownCatalog(
    many,
    'all: { match: "*", expect: any, options: { url: "https://x.example" } }',
  );
  const more = await attempt(['apply', '--yes', '--only', 'i[0-9]*']);
  expect([more.code, codesOf(more)]).toEqual([6, ['many-changes']]);
  const some = await attempt(['apply', '--yes', '--only', 'i1*']);
  expect([some.code, changesOf(some).length]).toEqual([0, 3]);
});
