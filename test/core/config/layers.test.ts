import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/core/config/config.ts';
import { explain } from '../../../src/core/findings/explain.ts';
import { brief, desiredOf, entries, file, matchedWith, merged, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

const vt = liveIntegration('vt', [liveOption('apiKey'), liveOption('url')]);

/** What is desired of `vt` as address and value, in order. */
function fields(...layers: readonly string[]): string[] {
  const integrations = desiredOf(validConfig(...layers.map(entries)), [vt]);
  return integrations.flatMap(({ settings }) =>
    settings.map((each) => {
      if (each.field === 'autosubscribe') return `autosubscribe=${each.want}`;
      return `${each.option}${each.field === 'value' ? '=' : ':'}${each.want}`;
    }),
  );
}

describe('layers', () => {
  test('a later layer overrides field by field', () => {
    expect(
      fields(
        'vt:\n  autosubscribe: true\n  options:\n    url: { value: one, permission: lock-and-show }',
        'vt:\n  options: { url: two }',
      ),
    ).toEqual(['url:lock-and-show', 'url=two', 'autosubscribe=true']);
  });
  test.each([
    [
      'a value',
      'vt: { options: { url: { value: null } } }',
      ['apiKey=k', 'url:lock-and-show', 'autosubscribe=true'],
    ],
    ['an option', 'vt: { options: { url: null } }', ['apiKey=k', 'autosubscribe=true']],
    ['all options', 'vt: { options: null }', ['autosubscribe=true']],
    ['autosubscribe', 'vt: { autosubscribe: null }', ['apiKey=k', 'url:lock-and-show', 'url=one']],
    ['an integration', 'vt: null', []],
  ])('null stops the management of %s', (_, overlay, expected) => {
    const base =
      'vt:\n  autosubscribe: true\n  options:\n    apiKey: k\n    url: { value: one, permission: lock-and-show }';
    expect(fields(base, overlay)).toEqual(expected);
  });
  test('the place that won is kept', () => {
    const config = validConfig(
      entries('vt: { options: { url: one } }'),
      entries('vt: { options: { url: two } }'),
    );
    const [integration] = desiredOf(config, [vt]);
    expect(integration?.settings[0]?.place).toMatchObject({ file: 'layer1.yaml', line: 3, column: 25 });
  });
  test('one field set twice in a layer is found, whatever the file', () => {
    const files = [
      file(entries('vt: { options: { url: one } }'), 'a.yaml'),
      file(entries('vt: { options: { url: two } }'), 'b.yaml'),
    ];
    const [problem, ...others] = parseConfig([files]).diagnostics;
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      code: 'duplicate-field',
      place: { file: 'b.yaml' },
      facts: { address: 'vt.options.url.value', other: { file: 'a.yaml' } },
    });
  });
  test('the order of the files of a layer does not matter', () => {
    const files = [
      file(entries('vt: { options: { url: one } }'), 'a.yaml'),
      file(entries('vt: { options: { apiKey: two } }'), 'b.yaml'),
    ];
    const [one, other] = [files, [...files].reverse()].map((layer) => merged([layer]).value);
    expect(one?.entries[0]?.place.file).toBe('a.yaml');
    expect(other?.entries).toEqual(one?.entries);
    expect(other?.entries.map(({ options }) => [...options.keys()])).toEqual(
      one?.entries.map(({ options }) => [...options.keys()]),
    );
  });
});

const live = [
  liveIntegration('virustotal_node_18_1', [liveOption('apiKey')], { name: 'VirusTotal', acronym: 'VT' }),
  liveIntegration('virustotal_eu_node_18_2', [liveOption('apiKey')], {
    name: 'VirusTotal EU',
    acronym: 'VT',
  }),
  liveIntegration('shodan_node_18_3', [liveOption('apiKey')], { name: 'Shodan', acronym: 'SHO' }),
];

/** Ids that the entries manage, or the findings. */
function matched(yaml: string): string[] {
  const config = validConfig(entries(yaml));
  const { value, diagnostics } = matchedWith(config, live);
  return diagnostics.length > 0 ? diagnostics.map(brief) : value.map(({ name, id }) => `${name}=${id}`);
}

describe('matching', () => {
  test.each([
    [
      'the name is the id where nothing else is said',
      'shodan_node_18_3: { autosubscribe: true }',
      ['shodan_node_18_3=shodan_node_18_3'],
    ],
    ['a glob on the id', 's: { match: shodan_*, autosubscribe: true }', ['s=shodan_node_18_3']],
    ['the name', 's: { match: { name: Shodan }, autosubscribe: true }', ['s=shodan_node_18_3']],
    [
      'all of id and acronym must hold',
      'v: { match: { id: "*_eu_*", acronym: VT }, autosubscribe: true }',
      ['v=virustotal_eu_node_18_2'],
    ],
    ['none is an error', 's: { match: shodam_*, autosubscribe: true }', ['no-match 3:15']],
    ['case counts', 's: { match: SHODAN_*, autosubscribe: true }', ['no-match 3:15']],
    ['none is well where it is optional', 's: { match: none_*, expect: optional, autosubscribe: true }', []],
    ['several are an error', 'v: { match: virustotal_*, autosubscribe: true }', ['several-matches 3:15']],
    [
      'several are an error where it is optional',
      'v: { match: virustotal_*, expect: optional, autosubscribe: true }',
      ['several-matches 3:15'],
    ],
    [
      'any takes all, under their ids',
      'v: { match: virustotal_*, expect: any, autosubscribe: true }',
      ['virustotal_eu_node_18_2=virustotal_eu_node_18_2', 'virustotal_node_18_1=virustotal_node_18_1'],
    ],
  ])('%s', (_, yaml, expected) => {
    expect(matched(yaml)).toEqual(expected);
  });
  test.each([
    ['a glob on it that outlasts an upgrade', ['a_node_1_1', 'a_eu_node_1_2'], ['a_node_*', 'a_eu_node_*']],
    ['the id itself', ['a_node_1_1', 'a_node_1_2'], ['a_node_1_1', 'a_node_1_2']],
  ])('of several, each comes with the match that means it alone: %s', (_, ids, expected) => {
    const both = ids.map((id) => liveIntegration(id, []));
    const of = (match: string) =>
      matchedWith(validConfig(entries(`s: { match: ${match}, autosubscribe: true }`)), both);
    const [problem] = of('"*"').diagnostics;
    const candidates = problem?.code === 'several-matches' ? problem.facts.candidates : [];
    const matches = candidates.map((each) => / \(match: (.*)\)$/.exec(each)?.[1] ?? '');
    expect(matches.sort()).toEqual([...expected].sort());
    const meant = matches.map((match) => of(match).value.map(({ id }) => id));
    expect(meant.flat().sort()).toEqual(both.map(({ id }) => id).sort());
  });
  test('a message lists the candidates', () => {
    const config = validConfig(entries('s: { match: shodam_*, autosubscribe: true }'));
    const [problem] = matchedWith(config, live).diagnostics;
    expect(problem?.facts).toMatchObject({
      candidates: ['Shodan, SHO, shodan_node_18_3 (match: shodan_node_*)'],
    });
  });
  test.each([
    ['a typo of an id', 'vrustotal_*', 'VirusTotal, VT, virustotal_node_18_1 (match: virustotal_node_*)'],
    [
      'a typo of an id with its tail',
      'shodna_node_17_9',
      'Shodan, SHO, shodan_node_18_3 (match: shodan_node_*)',
    ],
    [
      'a typo of a name',
      '{ name: Virustotall EU }',
      'VirusTotal EU, VT, virustotal_eu_node_18_2 (match: virustotal_eu_node_*)',
    ],
    ['another case', 'SHODAN_*', 'Shodan, SHO, shodan_node_18_3 (match: shodan_node_*)'],
    [
      'a name where an id is asked for',
      'Virus Total EU',
      'VirusTotal EU, VT, virustotal_eu_node_18_2 (match: virustotal_eu_node_*)',
    ],
    ['an acronym', '{ acronym: SHOD }', 'Shodan, SHO, shodan_node_18_3 (match: shodan_node_*)'],
    ['a wildcard before it', '"*shodann*"', 'Shodan, SHO, shodan_node_18_3 (match: shodan_node_*)'],
  ])('near names are suggested first: %s', (_, match, expected) => {
    const config = validConfig(entries(`s: { match: ${match}, autosubscribe: true }`));
    const [problem] = matchedWith(config, live).diagnostics;
    expect(problem?.code === 'no-match' ? problem.facts.candidates[0] : undefined).toBe(expected);
  });
  test('a forgotten wildcard is spoken of', () => {
    const config = validConfig(entries('s: { match: shodan, autosubscribe: true }'));
    const [problem] = matchedWith(config, live).diagnostics;
    expect(problem === undefined ? '' : explain(problem).hint).toContain('match: shodan_node_*');
  });
  test('defaults that match nothing are told', () => {
    const config = validConfig(entries('d: { match: vrustotal_*, expect: any, options: { a: 1 } }'));
    const { diagnostics } = matchedWith(config, live);
    expect(diagnostics.map(brief)).toEqual(['idle-declaration 3:15']);
  });
  test('where no name is near, none is suggested; several matches are all counted', () => {
    const config = validConfig(
      entries('s: { match: "*", options: { a: 1 } }\nq: { match: qqqq_*, autosubscribe: true }'),
    );
    const found = matchedWith(config, live).diagnostics;
    expect(found).toMatchObject([
      { code: 'no-match', facts: { total: 0 } },
      { code: 'several-matches', facts: { total: 3 } },
    ]);
  });
  test.each([
    ['by the name of its entry', 's', ['s'], []],
    ['by an id', 'shodan_*', ['s'], []],
    ['by the name of another entry that means it', 'x', ['s'], []],
    ['an entry that matches none', 'none', [], ['no-match 4:18']],
    ['an entry that matches several', 'virustotal_eu_*', [], ['several-matches 5:15']],
    ['all', '*', ['s'], ['no-match 4:18', 'several-matches 5:15']],
  ])('narrowed %s', (_, only, names, problems) => {
    const config = validConfig(
      entries(
        's: { match: shodan_*, autosubscribe: true }\nnone: { match: none_*, autosubscribe: true }\nv: { match: virustotal_*, autosubscribe: true }\nx: { match: "*dan_*", options: { a: 1 } }',
      ),
    );
    const { value, diagnostics } = matchedWith(config, live, only);
    expect(value.map(({ name }) => name)).toEqual(names);
    expect(diagnostics.map(brief)).toEqual(problems);
  });
  test('what is left out still takes part: a clash, and defaults', () => {
    const config = validConfig(
      entries(
        's: { match: shodan_*, autosubscribe: true }\nt: { match: "*dan_*", autosubscribe: true }\nd: { match: "*", expect: any, options: { b: 1 } }',
      ),
    );
    const { value, diagnostics } = matchedWith(config, live, 's');
    expect(diagnostics.map(brief)).toEqual(['duplicate-field 4:40']);
    expect(value).toEqual([]);
  });
  test('defaults stand back behind a specific entry, field by field, in any layer', () => {
    const defaults = entries(
      'all: { match: "*", expect: any, autosubscribe: false, options: { apiKey: { value: d, permission: lock-and-hide } } }',
    );
    const specific = entries('s: { match: shodan_*, options: { apiKey: { value: own } } }');
    for (const layers of [
      [defaults, specific],
      [specific, defaults],
    ]) {
      const shodan = desiredOf(validConfig(...layers), live).find(({ name }) => name === 's');
      expect(shodan?.settings.map(({ field, want }) => [field, want])).toEqual([
        ['permission', 'lock-and-hide'],
        ['value', 'own'],
        ['autosubscribe', false],
      ]);
    }
  });
  test('two equal entries that set one field are an error that names both', () => {
    const config = validConfig(
      entries('a: { match: shodan_*, autosubscribe: true }\nb: { match: sho*, autosubscribe: true }'),
    );
    const { diagnostics } = matchedWith(config, live);
    expect(diagnostics).toMatchObject([
      { code: 'duplicate-field', place: { line: 4 }, facts: { other: { line: 3 } } },
    ]);
  });
  test('each of three equal entries that set one field is named', () => {
    const config = validConfig(
      entries(
        'a: { match: shodan_*, autosubscribe: true }\nb: { match: sho*, autosubscribe: true }\nc: { match: "*dan*", autosubscribe: true }',
      ),
    );
    const { diagnostics } = matchedWith(config, live);
    expect(diagnostics).toMatchObject([
      { code: 'duplicate-field', place: { line: 4 }, facts: { other: { line: 3 } } },
      { code: 'duplicate-field', place: { line: 5 }, facts: { other: { line: 3 } } },
    ]);
  });
  test.each([
    [
      'nothing beside an equal entry that sets the field',
      'b: { match: sho*, autosubscribe: true }',
      ['true'],
    ],
    ['the field, over defaults', 'd: { match: "*", expect: any, autosubscribe: true }', []],
  ])('a null of a specific entry stops the management of %s', (_, other, expected) => {
    const config = validConfig(entries(`a: { match: shodan_*, autosubscribe: null }\n${other}`));
    const { value, diagnostics } = matchedWith(config, live);
    expect(diagnostics).toEqual([]);
    const shodan = value.filter(({ id }) => id === 'shodan_node_18_3');
    expect(shodan.flatMap(({ settings }) => settings.map(({ want }) => String(want)))).toEqual(expected);
  });
});
