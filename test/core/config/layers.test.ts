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
  test('of several, each comes with a glob that means it alone and outlasts an upgrade', () => {
    const [both, ids] = [
      live.slice(0, 2),
      live.slice(0, 2).map(({ id }) => id),
    ];
    const of = (match: string) =>
      matchedWith(
        validConfig(entries(`s: { match: ${match}, autosubscribe: true }`)),
        both,
      );
    const [problem] = of('"*"').diagnostics;
    const candidates =
      problem?.code === 'several-matches' ? problem.facts.candidates : [];
    const matches = candidates.map(
      (each) => / \(match: (.*)\)$/.exec(each)?.[1] ?? '',
    );
    expect(matches.sort()).toEqual([
      'virustotal_eu_node_*',
      'virustotal_node_*',
    ]);
    const meant = matches.flatMap((match) =>
      of(match).integrations.map(({ id }) => id),
    );
    expect(meant.sort()).toEqual(ids.sort());
  });
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

test('a null is idle if nothing is set when its layer comes, be it taken back before', () => {
  const set = entries('vt: { options: { k: x } }');
  const stopped = entries('vt: { options: null }');
  const again = entries('vt: { options: { k: null } }');
  const layers = [set, stopped, again].map((text, index) => [
    file(text, `layer${index}.yaml`),
  ]);
  const idle = merged(layers).diagnostics.map(({ code, place }) => {
    return { code, file: place?.file };
  });
  expect(idle).toEqual([{ code: 'idle-declaration', file: 'layer2.yaml' }]);
});

describe('two files of one layer', () => {
  const named = (yaml: string) => `version: 1\nvalues: { ${yaml} }\n`;
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
      name: 'set an option that the other one stops',
      first: entries('vt: { options: { a: null } }'),
      second: entries('vt: { options: { a: { permission: lock-and-hide } } }'),
      clashes: ['vt.options.a.permission 3:37'],
    },
    {
      name: 'stop what the other one sets a part of',
      first: entries('vt: { options: { a: 1 } }'),
      second: entries('vt: null'),
      clashes: ['vt 3:7'],
    },
    {
      name: 'set one named value',
      first: named('a: 1'),
      second: named('b: 1, a: 2'),
      clashes: ['values.a 2:20'],
    },
    {
      name: 'set different things',
      first: entries('vt: { options: { a: 1 } }'),
      second: entries('vt: { options: { b: 1 } }\nus: { options: { a: 1 } }'),
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
});
