import { describe, expect, test } from 'vitest';
import { withShownTexts } from '../../../src/core/config/hidden.ts';
import { diagnostic } from '../../../src/core/findings/diagnostic.ts';
import { placeKey } from '../../../src/core/model/place.ts';
import { entries, sourceText } from '../../support/config.ts';
import { options } from './files/case.ts';

/** The parts of a file that excerpts do not show. */
function hiddenParts(text: string): string[] {
  const spans = sourceText(text).hidden() ?? [];
  return spans.map(([from, to]) => text.slice(from, to));
}

describe('an excerpt shows', () => {
  test.each<[string, string]>([
    ['the version', 'version: two\n'],
    ['a match by the id', entries('vt: { match: vt_1 }')],
    [
      'a match by all that selects',
      entries('vt: { match: { id: vt_1, name: Virus, acronym: VT } }'),
    ],
    ['how many are expected', entries('vt: { expect: several }')],
    ['a flag that is a word', entries('vt: { autosubscribe: yes }')],
    ['the address of a server', 'servers: { eu: { url: "https://eu" } }\n'],
    ['layers', 'servers: { eu: { config: [base/, eu.yaml] } }\n'],
    [
      'a certificate by its path',
      'servers: { eu: { tls: { caFile: a.pem } } }\n',
    ],
    ['labels', 'servers: { eu: { labels: { tier: production } } }\n'],
    ['a policy', 'policy: { exposes-secret: never }\n'],
    [
      'a waiver',
      'waivers: [{ address: a.b, server: eu, until: soon, reason: slow }]\n',
    ],
    ['numbers and booleans', options('limit: 5\nsafe: true\nnone: null')],
    ['references', options('apiKey: "${env:SETPOINT_K}"\nk: "${file:a.pem}"')],
    [
      'the word of a permission, wherever it stands',
      options('note: lock-and-hide'),
    ],
    [
      'the day on which a secret was replaced',
      options('apiKey: { value: "${env:SETPOINT_K}", rotated: 2026-11-21 }'),
    ],
    [
      'such a day in quotes, below a mark',
      options("k: { rotated: '2026-11-21', sensitive: true }"),
    ],
    [
      'a number beside a key that only sounds like a mark',
      options('note: { value: 5, insensitive: true }'),
    ],
    [
      'the number of an option beside another one that is named like a mark',
      options('sensitivity: 5\nlimit: 7'),
    ],
  ])('%s', (_, text) => {
    expect(hiddenParts(text)).toEqual([]);
  });
});

describe('an excerpt hides', () => {
  test.each<[string, string, string[]]>([
    ['a named value', 'values: { a: fast, b: 5 }\n', ['fast']],
    [
      'a value',
      options('note: { value: fast }\nmode: [a1, b2]'),
      ['fast', 'a1', 'b2'],
    ],
    [
      'a word of the format below an option',
      options('k: { match: fast }'),
      ['fast'],
    ],
    [
      'a secret that is a number, in its long form',
      options('apiKey: { value: 4711 }'),
      ['4711'],
    ],
    [
      'anything but a day as the day of a rotation',
      options(
        'a: { rotated: 2026-11-21x }\nb: { rotated: 20261121 }\nc: { rotated: "2026-11-21 key" }\nd: { rotated: 2026-13-01 }\napiKey: { rotated: 2026 }',
      ),
      ['2026-11-21x', '"2026-11-21 key"', '2026-13-01', '2026'],
    ],
    [
      'a day that is the value of an option',
      options('k: { value: 2026-11-21 }'),
      ['2026-11-21'],
    ],
    ['a secret that is a number', options('apiKey: 4711'), ['4711']],
    [
      'a number that is marked',
      options('note: { value: 4711, sensitive: true }'),
      ['4711'],
    ],
    [
      'a number whose mark is mistyped',
      options('note: { value: 4711, sensitve: true }'),
      ['4711'],
    ],
    [
      'a fallback',
      options('note: "${env:SETPOINT_K:-fast}"'),
      ['"${env:SETPOINT_K:-fast}"'],
    ],
    [
      'a reference with text beside it',
      options('note: "x ${env:SETPOINT_K}"'),
      ['"x ${env:SETPOINT_K}"'],
    ],
    ['a text in place of an entry', entries('vt: fast'), ['fast']],
    ['a text in place of a server', 'servers: { eu: fast }\n', ['fast']],
    ['a text in place of a section', 'values: fast\n', ['fast']],
    ['a text in place of options', entries('vt: { options: fast }'), ['fast']],
    ['the text of an unknown key', entries('vt: { note: fast }'), ['fast']],
    ['the text of an unknown section', 'note: { match: fast }\n', ['fast']],
    [
      'the text of a key of another section',
      entries('vt: { url: fast }'),
      ['fast'],
    ],
    [
      'an option that is named like a permission',
      options('permission: fast'),
      ['fast'],
    ],
    [
      'a text as permission that may be a secret',
      options('k: { permission: hunter2 }'),
      ['hunter2'],
    ],
    [
      'an address with a password',
      'servers: { eu: { url: "http://me:hunter2@eu" } }\n',
      ['"http://me:hunter2@eu"'],
    ],
    [
      'a word of the format that may have swallowed others',
      entries("vt: { match: 'vt\", token: x' }"),
      ["'vt\", token: x'"],
    ],
    ['a key that may be a text', options('"two words": 5'), ['"two words"']],
    ['a long key', options(`${'k'.repeat(129)}: 5`), ['k'.repeat(129)]],
    ['a key that may be a secret', entries('vt: { hunter2: 5 }'), ['hunter2']],
    [
      'what is refused',
      options('a: { value: fast, value: slow, 1: high }'),
      ['fast', 'slow', '1', 'high'],
    ],
  ])('%s', (_, text, expected) => {
    expect(hiddenParts(text)).toEqual(expected);
  });
  test.each<[string, string]>([
    ['a list', '- hunter2\n- 5\n'],
    ['a text', 'hunter2\n'],
  ])('all of a file that is %s', (_, text) => {
    expect(sourceText(text).hidden()).toEqual([[0, Number.POSITIVE_INFINITY]]);
  });
  test.each<[string, string]>([
    ['that is no YAML', 'a: {\n'],
    ['with a tag that is unknown', 'apiKey: !x hunter2\n'],
    ['of several documents', 'version: 1\n---\napiKey: hunter2\n'],
  ])('all values of a file %s', (_, text) => {
    expect(sourceText(text).hidden()).toBeUndefined();
  });
});

test('an excerpt shows what all findings at a place are about, in files at hand', () => {
  const at = (file: string, line: number) => ({ file, line, column: 1 });
  const finding = (line: number, showsText: boolean, file = 'a.yaml') =>
    diagnostic(
      'not-allowed',
      { expected: [], showsText: showsText || undefined },
      at(file, line),
    );
  const source = sourceText('version: 1');
  const sources = new Map([['a.yaml', source]]);
  const shown = withShownTexts(sources, [
    finding(1, true),
    finding(2, true),
    finding(2, false),
    finding(3, false),
    finding(1, true, 'b.yaml'),
    diagnostic('not-allowed', { expected: [] }),
  ]);
  expect([...shown.keys()]).toEqual(['a.yaml']);
  expect(shown.get('a.yaml')).toEqual({
    ...source,
    shown: new Set([placeKey(at('a.yaml', 1))]),
  });
});
