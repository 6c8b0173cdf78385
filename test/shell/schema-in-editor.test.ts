import { readdirSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Editor, editorWith } from '../support/language-server.ts';
import { json, run } from '../support/run.ts';

const EXAMPLES = readdirSync('examples', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml') && !path.endsWith('setpoint.yaml'))
  .map((path) => `examples/${path}`)
  .sort();

const started: Editor[] = [];
beforeAll(async () => {
  started.push(await editorWith(json(await run(['schema', '--catalog', 'examples/catalog']))));
});
afterAll(() => started[0]?.close());

/** The editor with the schema that the command makes of the example catalog. */
function editor(): Editor {
  const [running] = started;
  if (running === undefined) throw new Error('the editor is there only while a test runs');
  return running;
}

const entry = (name: string, ...lines: string[]) =>
  ['version: 1', 'integrations:', `  ${name}:`, ...lines.map((line) => `    ${line}`), ''].join('\n');

describe('an editor offers', () => {
  test.each([
    ['a glob on the id', 'vt', 'match: threat_lookup_*'],
    ['an id with a version', 'vt', 'match: threat_lookup_3_1_0_node_18_1725278818'],
    ['the base name as the key', 'threat_lookup', 'autosubscribe: true'],
  ])('the option keys, by %s', async (_, name, line) => {
    const offered = await editor().complete(entry(name, line, 'options:', '  url: x', '  ‸'));
    expect([...offered.keys()].sort()).toEqual(['apiKey', 'mode', 'timeout', 'types', 'verifyTls']);
    expect(offered.get('timeout')).toContain('Seconds after which a lookup is given up.');
  });
  test('the choices, each with what people see', async () => {
    const { complete } = editor();
    const match = 'match: threat_lookup_*';
    const short = await complete(entry('vt', match, 'options:', '  mode: ‸'));
    expect(short.get('fast')).toContain('Fast: what is already known');
    const long = await complete(entry('vt', match, 'options:', '  mode:', '    value: ‸'));
    expect(long.get('thorough')).toContain('Thorough: ask all engines');
    const many = await complete(entry('vt', match, 'options:', '  types: [‸]'));
    expect(many.get('ip')).toContain('IP addresses');
  });
  test('a choice that looks like a number as text', async () => {
    const { complete } = editor();
    const offered = await complete(entry('t', 'match: ticket_desk_*', 'options:', '  priority: ‸'));
    expect([...offered.keys()]).toEqual(expect.arrayContaining(['"1"', '"2"', '"3"', '"4"']));
  });
  test('the integrations as keys and in match', async () => {
    const { complete } = editor();
    const keys = await complete('version: 1\nintegrations:\n  ‸\n');
    expect(keys.get('case_vault')).toContain('Case Vault: Finds the cases');
    expect([...(await complete(entry('a', 'match: ‸'))).keys()]).toContain('case_vault_*');
  });
});

describe('an editor explains', () => {
  test.each([
    ['an option', 'time‸out: 5', ['Seconds after which a lookup is given up.', 'Default: 10']],
    ['an option in its long form', 'mo‸de: { value: fast }', ['How deep a lookup goes.', 'Default: "fast"']],
    ['a permission', 'mode: { permis‸sion: lock-and-hide }', ['lock-and-show']],
    ['a secret', 'api‸Key: ${env:SETPOINT_KEY}', ['Key of the account', 'A secret']],
  ])('%s', async (_, line, texts) => {
    const shown = await editor().hover(entry('vt', 'match: threat_lookup_*', 'options:', `  ${line}`));
    for (const text of texts) expect(shown).toContain(text);
  });
});

describe('an editor marks', () => {
  // The option stands in line 6, as the first line says where the schema is; its key begins in column 7.
  test.each([
    ['a wrong key', 'nope: 3', '6:7'],
    ['a key of the wrong case', 'apikey: ${env:SETPOINT_KEY}', '6:7'],
    ['a number that is none', 'timeout: soon', '6:16'],
    ['a boolean that is none', 'verifyTls: maybe', '6:18'],
    ['an unknown choice', 'mode: fasst', '6:13'],
    ['an unknown choice in the long form', 'mode: { value: fasst }', '6:22'],
    ['an unknown choice with its display', 'mode: { display: Fast, value: fasst }', '6:37'],
    ['an unknown member of a list', 'types: [ip, slow]', '6:19'],
    ['a choice where a list is due', 'types: ip', '6:14'],
    ['an unknown permission', 'url: { permission: lock }', '6:26'],
    ['an unknown key of the long form', 'url: { valeu: x }', '6:12'],
  ])('%s', async (_, line, place) => {
    const marks = await editor().marks(entry('threat_lookup', 'options:', `  ${line}`));
    expect(marks.map((mark) => mark.split(' ')[0])).toContain(place);
    expect(new Set(marks.map((mark) => mark.split(' ')[0])).size).toBe(1);
  });
  test('neither references, nor what a plan takes, nor entries for integrations that it does not know', async () => {
    const { marks } = editor();
    const text = entry(
      'threat_lookup',
      'options:',
      '  apiKey: { value: "${env:SETPOINT_KEY}", permission: lock-and-hide }',
      '  url: https://${value:host}/v3',
      '  timeout: ${value:seconds}',
      '  verifyTls: ${env:SETPOINT_VERIFY:-true}',
      '  mode: ${value:mode}',
      '  types: [ip, "${value:type}", { display: Domains, value: domain }]',
    );
    const others = [
      '  desk:',
      '    match: ticket_desk_*',
      '    options: { priority: 2, url: null, allowCreate: "true" }',
      '  hash_desk:',
      '    match: threat_lookup_pro_*',
      '    options: { anything: 3 }',
      '  default:',
      '    match: "*"',
      '    expect: any',
      '    options: { proxy: x }',
      '',
    ];
    expect(await marks(text + others.join('\n'))).toEqual([]);
  });
  test.each(EXAMPLES)('nothing in %s, which points at a schema', async (path) => {
    const text = await readFile(path, 'utf8');
    const [, schema = ''] = /^# yaml-language-server: \$schema=(.+)$/m.exec(text) ?? [];
    expect(await realpath(join(dirname(path), schema))).toBe(await realpath('schemas/config.schema.json'));
    const { marks } = editor();
    expect(await marks(text)).toEqual([]);
  });
});
