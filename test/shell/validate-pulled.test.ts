import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { configuration, liveSandbox, option } from '../support/live-sandbox.ts';
import { codesOf, findingsOf } from '../support/report.ts';
import { ADMIN, json, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const JIRA = configuration(
  option('url', 'text', 'https://jira.example.com'),
  option('apiKey', 'password'),
  option('timeout', 'number', 30),
  option('mode', 'select', 'fast', {
    options: [
      { value: 'fast', display: 'Fast' },
      { value: 'safe', display: 'Safe' },
    ],
  }),
);

let cwd = '';

beforeEach(async () => {
  const catalog = await tempFolder({ 'jira.json': JIRA });
  const { url } = await liveSandbox({ catalog });
  cwd = await tempFolder();
  const flags = ['--url', url, '--server', 'main'];
  const pulled = await run(['pull', ...flags], { cwd, env: ADMIN });
  expect(pulled.code).toBe(0);
});

/** Validates without a server, an account or a catalog. */
const validated = (...flags: readonly string[]) =>
  run(['validate', ...flags], { cwd, env: {} });

/** Replaces a text in the file that was pulled. */
async function edit(old: string | RegExp, text: string): Promise<void> {
  const path = join(cwd, 'integrations/jira.yaml');
  const before = await readFile(path, 'utf8');
  expect(before).toMatch(old);
  await writeFile(path, before.replace(old, text));
}

test('what pull wrote fits the schema that it left', async () => {
  const result = await validated();
  expect(result.code).toBe(0);
  expect(result.stdout).toContain('Checked against schemas/server.schema.json');
  expect(json(await validated('--report', 'json'))).toMatchObject({
    valid: true,
    optionsChecked: true,
    schema: 'schemas/server.schema.json',
  });
});

test('what the file of a reference holds is checked too, and never shown', async () => {
  await writeFile(join(cwd, 'limit.txt'), 'hunter2-soon\n');
  await edit('value: 30', 'value: "${file:limit.txt}"');
  const result = await validated('--report', 'json');
  expect([result.code, codesOf(result)]).toEqual([3, ['wrong-value']]);
  expect(result.stdout + result.stderr).not.toContain('hunter2');
});

test.each([
  ['timeout: {', 'timeuot: {', 'unknown-option'],
  ['value: 30', 'value: soon', 'wrong-value'],
  ['value: fast', 'value: fasst', 'wrong-value'],
  [
    '# value: ${env:SETPOINT_JIRA_API_KEY}  # not set',
    'value: hunter2',
    'plain-secret',
  ],
])('%s mistyped as %s is an error offline', async (old, text, code) => {
  await edit(old, text);
  const result = await validated('--report', 'json');
  expect(result.code).toBe(3);
  expect(json(result)).toMatchObject({ valid: false, optionsChecked: true });
  expect((await validated()).stdout).toBe('');
  const [found] = findingsOf(result);
  expect(found).toMatchObject({
    code,
    places: [{ file: 'integrations/jira.yaml' }],
  });
});

test.each([
  ['absent', undefined],
  ['no JSON', '{'],
  ['a schema of something else', '{ "definitions": { "entry-a": 1 } }'],
])('a schema that is %s is not used', async (_, text) => {
  await edit('timeout: {', 'timeuot: {');
  const path = join(cwd, 'schemas/server.schema.json');
  if (text === undefined) await rm(path);
  else await writeFile(path, text);
  const result = await validated('--report', 'json');
  expect(json(result)).toMatchObject({ valid: true, optionsChecked: false });
});

test.each([
  ['refuses', '', ['exposes-secret']],
  ['never allows', 'policy: { exposes-secret: error }\n', ['exposes-secret']],
  ['allows', 'policy: { exposes-secret: warn }\n', []],
])(
  'a password that all users would see is a warning if an apply %s that',
  async (_, policy, codes) => {
    await edit(/lock-and-hide/g, 'lock-and-show');
    await appendFile(join(cwd, 'setpoint.yaml'), policy);
    const result = await validated('--report', 'json');
    expect([result.code, codesOf(result)]).toEqual([0, codes]);
    const strict = await validated('--strict');
    expect(strict.code).toBe(codes.length === 0 ? 0 : 3);
  },
);
