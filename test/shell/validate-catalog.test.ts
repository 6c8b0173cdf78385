import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { placesOf } from '../support/report.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const lookup = readFileSync('examples/catalog/threat-lookup.json', 'utf8');
const config = (option: string) =>
  `version: 1\nintegrations:\n  vt:\n    match: threat_lookup_*\n    options:\n      ${option}\n`;

const layer = (option: string) =>
  `version: 1\nintegrations:\n  vt:\n    options: { ${option} }\n`;

/** The exit code and the findings as `code file:line:column`. */
async function validated(
  files: Readonly<Record<string, string>>,
  ...named: readonly string[]
) {
  const cwd = await tempFolder(files);
  const args = ['validate', ...named, '--catalog', 'cat', '--report', 'json'];
  const result = await run(args, { cwd, env: {} });
  return { code: result.code, findings: placesOf(result) };
}

test('the layer that wins is checked, in its file', async () => {
  const files = {
    'base.yaml': config('mode: fasst'),
    'right.yaml': layer('mode: fast'),
    'wrong.yaml': layer('mode: slow'),
    'cat/threat-lookup.json': lookup,
  };
  const right = await validated(files, 'base.yaml', 'right.yaml');
  expect(right).toEqual({ code: 0, findings: [] });
  const wrong = await validated(files, 'base.yaml', 'wrong.yaml');
  const findings = ['wrong-value wrong.yaml:4:22'];
  expect(wrong).toEqual({ code: 3, findings });
});

describe('a reference is judged as a plan judges it', () => {
  const judged = async (text: string, ...flags: string[]) => {
    const files = {
      '.git/HEAD': '',
      'a.yaml': config(`apiKey: ${text}`),
      'cat/threat-lookup.json': lookup,
      'pointer.pem': 'version https://git-lfs.github.com/spec/v1\n',
      'key.pem': 's3cret-key\n',
    };
    return validated(files, 'a.yaml', ...flags);
  };
  test.each([
    '${file:no-such-file}',
    '${env:SETPOINT_UNSET}',
    '${file:key.pem}',
  ])('%s may be set or written later', async (text) => {
    expect(await judged(text)).toEqual({ code: 0, findings: [] });
  });
  test.each([
    ['${env:HOME}', 'reference-not-allowed'],
    ['${file:.git/HEAD}', 'file-unreadable'],
    ['${file:../x}', 'file-unreadable'],
    ['${file:pointer.pem}', 'placeholder'],
  ])('%s is refused', async (text, code) => {
    const { code: exit, findings } = await judged(text);
    expect([exit, findings]).toEqual([3, [`${code} a.yaml:6:15`]]);
  });
});
test('each server of a project is checked, what they share is told once', async () => {
  const files = {
    'setpoint.yaml':
      'version: 1\nservers:\n  one: { url: https://one.example.com, config: [base.yaml] }\n  two: { url: https://two.example.com, config: [base.yaml, two.yaml] }\n',
    'base.yaml': config('nope: 1'),
    'two.yaml': layer('timeout: soon'),
    'cat/threat-lookup.json': lookup,
  };
  const shared = 'unknown-option base.yaml:6:7';
  const findings = [shared, 'wrong-value two.yaml:4:25'];
  expect(await validated(files)).toEqual({ code: 3, findings });
});

test('every file of a catalog that is no configuration file is told', async () => {
  const files = {
    'a.yaml': config('timeout: 5'),
    'cat/a.json': '{',
    'cat/b.json': '[]',
    'cat/c.json': '{ "name": "C", "options": [{}] }',
    'cat/threat-lookup.json': lookup,
    'cat/threat_lookup/config/config.json': lookup,
  };
  const { code, findings } = await validated(files, 'a.yaml');
  const folder = 'threat_lookup/config/config.json';
  const broken = ['a.json', 'b.json', 'c.json', folder];
  expect(code).toBe(3);
  expect(findings).toEqual(
    broken.map((file) => `file-unreadable cat/${file}:1:1`),
  );
});
