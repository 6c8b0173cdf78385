import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/core/config/config.ts';
import { writtenValues } from '../../../src/core/config/resolve.ts';
import { matchEntries } from '../../../src/core/match/match.ts';
import { brief, file, found, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';
import { BROKEN_RULES } from './files/broken-rules.ts';
import { entries, options } from './files/case.ts';
import { QUIET } from './files/quiet.ts';

describe('rules', () => {
  test.each(BROKEN_RULES)('%s', (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

describe('what no rule speaks of', () => {
  test.each(QUIET)('%s', (_, text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('rules over layers', () => {
  const layered = (...texts: readonly string[]) =>
    parseConfig(texts.map((text, index) => [file(text, `layer${index}.yaml`)])).diagnostics.map(
      (each) => `${each.place?.file} ${brief(each)}`,
    );
  test.each([
    ['a null that takes something back', [options('url: x'), options('url: null')], []],
    ['a null of all options', [options('url: x'), entries('vt: { options: null }')], []],
    ['a null of an entry', [options('url: x'), entries('vt: null')], []],
    [
      'a null that comes too early',
      [options('url: null'), options('url: x')],
      ['layer0.yaml idle-null 5:12'],
    ],
    ['a match in one layer, the rest in another', [entries('vt: { match: vt_* }'), options('url: x')], []],
    ['a placeholder that is replaced', [options('url: CHANGEME'), options('url: x')], []],
    [
      'a secret in clear that is replaced is still in the file',
      [options('apiKey: x'), options('apiKey: "${env:X}"')],
      ['layer0.yaml likely-secret 5:15'],
    ],
    [
      'a mark in another layer',
      [options('note: x'), options('note: { sensitive: true }')],
      ['layer0.yaml plain-secret 5:13'],
    ],
    [
      'a value for what users give, in two layers',
      [options('url: x'), options('url: { permission: user-provides }')],
      ['layer0.yaml user-provides-value 5:12'],
    ],
    [
      'a slash where the layer below has none',
      [options('url: https://x.example/api'), options('url: https://y.example/api/')],
      ['layer1.yaml trailing-slash 5:12'],
    ],
    [
      'a slash where the layer below has none, in a named value',
      [
        'version: 1\nvalues: { proxy: http://x.example }\n',
        'version: 1\nvalues: { proxy: http://y.example/ }\nintegrations: { vt: { options: { p: "${value:proxy}" } } }\n',
      ],
      ['layer1.yaml trailing-slash 2:18'],
    ],
    [
      'an override under a mistyped name',
      [
        entries('virustotal: { match: virustotal_*, options: { a: 1 } }'),
        entries('virustotl: { options: { a: 2 } }'),
      ],
      ['layer1.yaml stray-entry 3:3'],
    ],
    [
      'a name that is like another, but selects',
      [
        entries('vt_eu: { match: vt_eu_*, options: { a: 1 } }'),
        entries('vt_us: { match: vt_us_*, options: { a: 2 } }'),
      ],
      [],
    ],
    [
      'an id that is like another name',
      [
        entries('foo_node_18: { match: foo_*, options: { a: 1 } }'),
        entries('foo_node_18_17: { options: { a: 2 } }'),
      ],
      [],
    ],
    [
      'an id like another id',
      [entries('foo: { options: { a: 1 } }'), entries('fop: { options: { a: 2 } }')],
      [],
    ],
    [
      'a match that comes in a later layer',
      [
        entries('foo: { match: foo_*, options: { a: 1 } }'),
        entries('fop: { options: { a: 2 } }'),
        entries('fop: { match: fop_* }'),
      ],
      [],
    ],
    [
      'a named value that is overridden under a mistyped name',
      [
        'version: 1\nvalues: { domain: x }\nintegrations: { vt: { options: { a: "${value:domain}" } } }\n',
        'version: 1\nvalues: { domian: y }\n',
      ],
      ['layer1.yaml stray-value 2:11'],
    ],
    [
      'a named value that is overridden under a short mistyped name',
      [
        'version: 1\nvalues: { base: x }\nintegrations: { vt: { options: { a: "${value:base}" } } }\n',
        'version: 1\nvalues: { bsae: y }\n',
      ],
      ['layer1.yaml stray-value 2:11'],
    ],
    [
      'a named value that nobody needs yet',
      [
        'version: 1\nvalues: { domain: x }\nintegrations: { vt: { options: { a: "${value:domain}" } } }\n',
        'version: 1\nvalues: { timeout: 5 }\n',
      ],
      ['layer1.yaml unused-value 2:11'],
    ],
    ['a slash in both layers', [options('url: https://x.example/'), options('url: https://y.example/')], []],
    [
      'a slash that a later layer drops',
      [options('url: https://x.example/'), options('url: https://y.example')],
      [],
    ],
    ['a named value of another layer', ['version: 1\nvalues: { a: x }\n', options('url: "${value:a}"')], []],
    [
      'what a file that cannot be read may hold is not missed',
      ['version: 2\n', options('url: "${value:a}"\nother: null')],
      ['layer0.yaml unsupported-version 1:10'],
    ],
  ])('%s', (_, texts, expected) => {
    expect(layered(...texts)).toEqual(expected);
  });
  test('a file in two layers', () => {
    const twice = file(options('url: x'), 'twice.yaml');
    const between = file(options('url: y'), 'between.yaml');
    expect(parseConfig([[twice], [between], [twice]]).diagnostics).toMatchObject([
      { code: 'file-twice', place: { file: 'twice.yaml', line: 1 } },
    ]);
  });
  test('a value and user-provides of two entries are found where they meet', () => {
    const config = validConfig(
      entries(
        'all: { match: "*", expect: any, options: { url: { permission: user-provides } } }\nvt: { options: { url: x } }',
      ),
    );
    const live = [liveIntegration('vt', [liveOption('url')])];
    const { diagnostics } = matchEntries(config, writtenValues(config), live);
    expect(diagnostics.map(brief)).toEqual(['user-provides-value 4:25']);
  });
});
