import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMATS } from '../../src/core/report/formats.ts';
import type { Shown } from '../../src/core/show/show.ts';
import {
  configuration,
  liveSandbox,
  option,
  ownCatalog,
  scene,
} from '../support/live-sandbox.ts';
import { codesOf, findingsOf } from '../support/report.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { THREAT } from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';

test('the report of an apply is shown again in every format, and never applied', async () => {
  // One integration does not run, and refuses.
  const { url, seen } = await liveSandbox({ stopped: ['case_*'] });
  const wish = { env: { ...ADMIN, SETPOINT_THREATLOOKUP_KEY: 'k-12345678' } };
  const folder = await tempFolder();
  const written = async (name: string, args: readonly string[]) => {
    const file = (format: string) => join(folder, `${name}.${format}`);
    const reports = FORMATS.flatMap((format) => [
      '--report',
      `${format}=${file(format)}`,
    ]);
    const { code, stdout } = await run([...args, ...reports], wish);
    const texts = await Promise.all(
      FORMATS.map((format) => readFile(file(format), 'utf8')),
    );
    // What was typed is no part of a report.
    const typed = /\s+-f\s+test\/fixtures\/three\s+--url\s+http:[\d.:/]+/g;
    const [shown, ...saved] = [stdout, ...texts].map((text) =>
      text.replace(typed, ''),
    );
    return { code, shown, saved };
  };
  const target = ['-f', 'test/fixtures/three', '--url', url, '--yes'];
  const applied = await written('applied', ['apply', ...target]);
  expect(applied.code).toBe(5);
  expect(applied.shown).toMatch(/11 verified[\s\S]* 1 blocked/);
  const report = join(folder, 'applied.json');
  expect(await written('shown', ['show', report])).toEqual({
    ...applied,
    code: 0,
  });

  seen();
  const again = await run(
    ['apply', report, ...target, '--report', 'json'],
    wish,
  );
  expect(again.code).toBe(3);
  expect(findingsOf(again)).toEqual([
    expect.objectContaining({
      code: 'file-unusable',
      message: expect.stringContaining('report of an apply'),
    }),
  ]);
  expect(seen()).toEqual([]);
});

const YAML = `version: 1
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
const ENV = { SETPOINT_KEY: 'a-key-of-nobody' };

const serversIn = (result: RunResult) => json<Shown>(result).servers;

test('an integration is shown with all its options, wherever the server has them', async () => {
  const { attempt, patches } = await scene(YAML, {
    settings: { dialect: 'options' },
  });
  const result = await attempt(['show', 'threat'], ENV);
  expect([result.code, codesOf(result), patches()]).toEqual([0, [], []]);
  const integration = serversIn(result)[0]?.integrations[0];
  expect(integration).toMatchObject({
    name: 'threat',
    id: THREAT,
    displayName: 'Threat Lookup',
    status: 'running',
    errors: 0,
    entries: [
      { entry: 'threat', isDefault: false, source: { line: 6 } },
      { entry: 'everything', isDefault: true, source: { line: 4 } },
    ],
    autosubscribe: { live: { value: false }, state: 'as-desired' },
  });
  const options = integration?.options ?? [];
  expect(
    options.map(({ option: key, type, value }) => [key, type, value?.state]),
  ).toEqual([
    ['apiKey', 'password', 'differs'],
    ['mode', 'select', undefined],
    ['timeout', 'number', 'differs'],
    ['types', 'select', undefined],
    ['url', 'text', 'as-desired'],
    ['verifyTls', 'boolean', undefined],
  ]);
  expect(options.every(({ value }) => value?.live !== undefined)).toBe(true);
});

test('without credentials the configuration is shown, and nothing is sent', async () => {
  const { sandbox, cwd, attempt } = await scene(YAML);
  const nobody = { SETPOINT_USERNAME: '', SETPOINT_PASSWORD: '' };
  const result = await attempt(['show', 'threat.timeout'], nobody);
  expect(result.code).toBe(0);
  expect(serversIn(result).map((each) => each.isRead)).toEqual([false]);
  const text = await run(
    ['show', 'threat', '-f', 'a.yaml', '--url', sandbox.url],
    { cwd, env: nobody },
  );
  expect(text.stdout.match(/Not read/g)).toHaveLength(1);
  expect(sandbox.exchanges).toEqual([]);
});

test.each(['clear', 'masked', 'empty'] as const)(
  'neither a secret nor what a refused value would replace is shown where passwords are %s',
  async (passwords) => {
    const SECRET = 'Zebra-crossing-CANARY';
    const { sandbox, cwd } = await ownCatalog(
      {
        a: configuration(
          option('apiKey', 'password', SECRET),
          option('spare', 'password', `${SECRET}-2`),
          option('header', 'text', `Bearer ${SECRET}`),
          option('note', 'text', 'CANARY-note'),
        ),
      },
      `a: { options: { apiKey: "${SECRET}-3", header: "\${env:SETPOINT_H:-${SECRET}-4}", note: "\${env:OTHER_X}" } }`,
      { settings: { passwords } },
    );
    const nobody = { SETPOINT_USERNAME: '', SETPOINT_PASSWORD: '' };
    for (const env of [ADMIN, nobody])
      for (const word of ['a', 'a.header', 'a.note'])
        for (const format of ['text', 'json']) {
          const flags = `-f a.yaml --url ${sandbox.url} --full`;
          const line = `show ${word} ${flags} --report ${format}`;
          const result = await run(line, { cwd, env });
          // The key in clear text is refused, and shown no more than any other.
          expect(result.stdout).not.toBe('');
          expect([0, 3]).toContain(result.code);
          expect(result.stdout + result.stderr).not.toContain('CANARY');
        }
  },
);
