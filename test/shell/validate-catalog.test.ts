import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findingsOf } from '../support/report.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const lookup = readFileSync('examples/catalog/threat-lookup.json', 'utf8');
const config = (option: string) =>
  `version: 1\nintegrations:\n  vt:\n    match: threat_lookup_*\n    options:\n      ${option}\n`;

/** The exit code and the findings as `severity code file:line:column`. */
async function validated(
  files: Readonly<Record<string, string>>,
  ...named: readonly string[]
) {
  const cwd = await tempFolder(files);
  const result = await run(
    ['validate', ...named, '--catalog', 'cat', '--report', 'json'],
    { cwd, env: {} },
  );
  const findings = findingsOf(result).map(
    ({ severity, code, places: [place] = [] }) =>
      `${severity} ${code} ${place?.file}:${place?.line}:${place?.column}`,
  );
  return { code: result.code, findings };
}

test('the layer that wins is checked, in its file', async () => {
  const files = {
    'base.yaml': config('mode: fasst'),
    'right.yaml':
      'version: 1\nintegrations:\n  vt:\n    options: { mode: fast }\n',
    'wrong.yaml':
      'version: 1\nintegrations:\n  vt:\n    options: { mode: slow }\n',
    'cat/threat-lookup.json': lookup,
  };
  expect(await validated(files, 'base.yaml', 'right.yaml')).toEqual({
    code: 0,
    findings: [],
  });
  expect(await validated(files, 'base.yaml', 'wrong.yaml')).toEqual({
    code: 3,
    findings: ['error wrong-value wrong.yaml:4:22'],
  });
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
    expect([exit, findings]).toEqual([3, [`error ${code} a.yaml:6:15`]]);
  });
});
test('each server of a project is checked, what they share is told once', async () => {
  const files = {
    'setpoint.yaml':
      'version: 1\nservers:\n  one: { url: https://one.example.com, config: [base.yaml] }\n  two: { url: https://two.example.com, config: [base.yaml, two.yaml] }\n',
    'base.yaml': config('nope: 1'),
    'two.yaml':
      'version: 1\nintegrations:\n  vt:\n    options: { timeout: soon }\n',
    'cat/threat-lookup.json': lookup,
  };
  expect(await validated(files)).toEqual({
    code: 3,
    findings: [
      'error unknown-option base.yaml:6:7',
      'error wrong-value two.yaml:4:25',
    ],
  });
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
  expect(await validated(files, 'a.yaml')).toEqual({
    code: 3,
    findings: [
      'a.json',
      'b.json',
      'c.json',
      'threat_lookup/config/config.json',
    ].map((file) => `error file-unreadable cat/${file}:1:1`),
  });
});
