import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../../src/core/model/desired.ts';
import {
  desiredOf,
  entries,
  file,
  matchedWith,
  merged,
  validConfig,
} from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';
import { wantedContent } from '../../support/resolved.ts';

const live = [
  liveIntegration('virustotal_node_18_1', [liveOption('apiKey')], {
    name: 'VirusTotal',
    acronym: 'VT',
  }),
  liveIntegration('virustotal_eu_node_18_2', [liveOption('apiKey')], {
    name: 'VirusTotal EU',
    acronym: 'VT',
  }),
  liveIntegration('shodan_node_18_3', [liveOption('apiKey')], {
    name: 'Shodan',
    acronym: 'SHO',
  }),
];

describe('matching', () => {
  test('defaults stand back behind a specific entry, field by field, in any layer', () => {
    const defaults = entries(
      'all: { match: "*", expect: any, autosubscribe: false, options: { apiKey: { value: d, permission: lock-and-hide } } }',
    );
    const specific = entries(
      's: { match: shodan_*, options: { apiKey: { value: own } } }',
    );
    for (const layers of [
      [defaults, specific],
      [specific, defaults],
    ]) {
      const shodan = desiredOf(validConfig(...layers), live).find(
        ({ name }) => name === 's',
      );
      if (shodan === undefined) throw new Error('nothing is asked of it');
      const wanted = fieldsOf('s', shodan.settings).map(({ setting }) => {
        return { kind: setting.kind, want: wantedContent(setting) };
      });
      expect(wanted).toEqual([
        { kind: 'permission', want: 'lock-and-hide' },
        { kind: 'value', want: 'own' },
        { kind: 'autosubscribe', want: false },
      ]);
    }
  });
  test('two equal entries that set one field are an error that names both', () => {
    const yaml = ['shodan_*', 'sho*', '"*dan*"'].map(
      (match, index) => `e${index}: { match: ${match}, autosubscribe: true }`,
    );
    const { diagnostics } = matchedWith(
      validConfig(entries(yaml.join('\n'))),
      live,
    );
    expect(diagnostics).toMatchObject([
      {
        code: 'duplicate-field',
        place: { line: 4 },
        facts: { other: { line: 3 } },
      },
      {
        code: 'duplicate-field',
        place: { line: 5 },
        facts: { other: { line: 3 } },
      },
    ]);
  });
});

describe('a null is idle', () => {
  const setsK = entries('vt: { options: { k: x } }');
  const setsBoth = entries(
    'vt: { options: { k: { value: x, permission: lock-and-hide } } }',
  );
  const subscribes = entries('vt: { autosubscribe: true }');
  const selects = entries('vt: { match: vt_*, expect: any }');
  const stopsEntry = entries('vt: null');
  const stopsOptions = entries('vt: { options: null }');
  const stopsK = entries('vt: { options: { k: null } }');
  const stopsValue = entries('vt: { options: { k: { value: null } } }');
  const stopsPermission = entries(
    'vt: { options: { k: { permission: null } } }',
  );
  const stopsFlag = entries('vt: { autosubscribe: null }');

  /** Each idle null by its address and its layer. */
  function idleNulls(texts: readonly string[]): string[] {
    const layers = texts.map((text, index) => [file(text, `layer${index}`)]);
    const idle: string[] = [];
    for (const { code, facts, place } of merged(layers).diagnostics) {
      expect([code, Reflect.get(facts, 'of')]).toEqual([
        'idle-declaration',
        'null',
      ]);
      idle.push(`${Reflect.get(facts, 'name')} ${place?.file}`);
    }
    return idle;
  }

  test.each<[string, string[], string]>([
    ['over an entry that only selects', [selects, stopsEntry], 'vt layer1'],
    [
      'in place of options that nothing sets',
      [subscribes, stopsOptions],
      'vt.options layer1',
    ],
    [
      'over a flag that nothing sets',
      [setsK, stopsFlag],
      'vt.autosubscribe layer1',
    ],
    [
      'behind one in place of its entry',
      [subscribes, stopsEntry, stopsFlag],
      'vt.autosubscribe layer2',
    ],
    ['for the second time', [setsK, stopsK, stopsK], 'vt.options.k layer2'],
    [
      'in place of an option whose fields are all stopped',
      [setsBoth, stopsValue, stopsPermission, stopsK],
      'vt.options.k layer3',
    ],
    [
      'over defaults that do not set its field',
      [
        entries('all: { match: "*", expect: any, options: { k: x } }'),
        stopsPermission,
      ],
      'vt.options.k.permission layer1',
    ],
  ])('%s', (_, layers, expected) => {
    expect(idleNulls(layers)).toEqual([expected]);
  });

  test.each<[string, string[]]>([
    ['over a flag', [subscribes, stopsFlag]],
    ['over an entry with a flag alone', [subscribes, stopsEntry]],
    ['over a field', [setsK, stopsValue]],
    ['over an option', [setsK, stopsK]],
    ['behind one for another field', [setsBoth, stopsValue, stopsPermission]],
    [
      'over a flag, behind one in place of all options',
      [setsK, subscribes, stopsOptions, stopsFlag],
    ],
    ['over a field that is set again', [setsK, stopsK, setsK, stopsK]],
    [
      'over the flag of defaults',
      [
        entries('all: { match: "*", expect: any, autosubscribe: true }'),
        stopsFlag,
      ],
    ],
  ])('but not %s', (_, layers) => {
    expect(idleNulls(layers)).toEqual([]);
  });
});

describe('two files of one layer', () => {
  interface Row {
    readonly name: string;
    readonly first: string;
    readonly second: string;
    /** Where the second file clashes with the first one. */
    readonly clashes: readonly string[];
  }
  test.each<Row>([
    {
      name: 'set one field',
      first: entries('vt: { options: { a: 1 } }'),
      second: entries('vt: { options: { b: 1, a: 2 } }'),
      clashes: ['vt.options.a.value 3:29'],
    },
    {
      name: 'stop what the other one sets a part of',
      first: entries('vt: { options: { a: 1 } }'),
      second: entries('vt: null'),
      clashes: ['vt 3:7'],
    },
    {
      name: 'stop and set options whose keys begin alike',
      first: entries('vt: { options: { keyvalue: null } }'),
      second: entries('vt: { options: { key: 1 } }'),
      clashes: [],
    },
  ])('$name', ({ first, second, clashes }) => {
    const { diagnostics } = merged([
      [file(first, 'one.yaml'), file(second, 'two.yaml')],
    ]);
    const found: string[] = [];
    for (const { code, facts, place } of diagnostics) {
      if (code !== 'duplicate-field') continue;
      expect([facts.other.file, place?.file]).toEqual(['one.yaml', 'two.yaml']);
      found.push(`${facts.address} ${place?.line}:${place?.column}`);
    }
    expect(found).toEqual(clashes);
  });

  test.each<[string, string[], string[]]>([
    ['set one field', ['1', '2', '3'], ['b.yaml', 'c.yaml']],
    [
      'set fields of an option, which the last one stops',
      ['1', '{ permission: lock-and-hide }', 'null'],
      ['c.yaml'],
    ],
  ])('a third one points to the first: three %s', (_, written, expected) => {
    const names = ['a.yaml', 'b.yaml', 'c.yaml'];
    const files = written.map((yaml, index) =>
      file(entries(`vt: { options: { k: ${yaml} } }`), names[index]),
    );
    const clashes: (string | undefined)[] = [];
    for (const { code, facts, place } of merged([files]).diagnostics) {
      if (code !== 'duplicate-field') continue;
      expect(facts.other.file).toBe('a.yaml');
      clashes.push(place?.file);
    }
    expect(clashes).toEqual(expected);
  });
});
