import { describe, expect, test } from 'vitest';
import type { Selector } from '../../../src/core/config/declaration.ts';
import { explain } from '../../../src/core/findings/explain.ts';
import { LiveIndex } from '../../../src/core/match/live-index.ts';
import { fieldsOf } from '../../../src/core/model/desired.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { fieldKey } from '../../../src/core/model/subject.ts';
import {
  brief,
  entries,
  matchedWith,
  validConfig,
} from '../../support/config.ts';
import { liveIntegration } from '../../support/live.ts';

test.each<Selector>([{ id: 'i7_node_18_1' }, { id: 'i77_*' }])(
  'the index of what is installed looks at few of 1,000 for %j',
  (globs) => {
    let looks = 0;
    const live = Array.from({ length: 1_000 }, (_, at): LiveIntegration => {
      const own = { name: `Name of ${at}`, acronym: `A${at}` };
      return {
        ...liveIntegration('', [], own),
        get id() {
          looks += 1;
          return `i${at}_node_18_1`;
        },
      };
    });
    const index = new LiveIndex(live);
    looks = 0;
    expect(index.found(globs)).toHaveLength(1);
    expect(looks).toBeLessThan(50);
  },
);

const LIVE = [
  liveIntegration('vt_node_18_2', [], { name: 'Virus', acronym: 'VT' }),
  liveIntegration('vt_node_18_1', [], { name: 'Virus', acronym: 'VTI' }),
  liveIntegration('us_node_18_1', [], { name: 'Url Scan', acronym: 'US' }),
  liveIntegration('odd[1]', [], { name: 'Odd' }),
];

/** What matching makes of a configuration: names with ids, what is left out, and findings. */
function matched(yaml: string, only?: string) {
  const { integrations, misses, diagnostics } = matchedWith(
    validConfig(entries(yaml)),
    LIVE,
    only,
  );
  return {
    asked: integrations.map(({ name, id, settings }) => {
      const fields = fieldsOf(name, settings);
      return `${name} ${id} ${fields.map(({ subject }) => fieldKey(subject))}`;
    }),
    erring: misses.erring,
    unmet: misses.unmet,
    found: diagnostics.map(brief),
    hints: diagnostics.map((each) => explain(each).hint),
  };
}

/** What is found when a configuration is matched. */
const findingsOf = (yaml: string) =>
  matchedWith(validConfig(entries(yaml)), LIVE).diagnostics;

describe('entries and what is installed', () => {
  const [first, second, urlscan] = [
    'vt_node_18_1',
    'vt_node_18_2',
    'us_node_18_1',
  ];
  test('each integration has the name of its specific entry, else its id, and they are ordered by both', () => {
    const all = 'all: { match: "*_node_*", expect: any, autosubscribe: true }';
    const z = `z: { match: ${first}, options: { k: 1 } }`;
    const named = matched(`${z}\n${all}`);
    expect(named).toMatchObject({ erring: [], found: [] });
    expect(named.asked).toEqual([
      `${urlscan} ${urlscan} autosubscribe`,
      `${second} ${second} autosubscribe`,
      `z ${first} value k,autosubscribe`,
    ]);
    const both = 'a: { match: vt_*, expect: any, options: { k: 1 } }';
    const us = 'us: { match: us_*, options: { k: null } }';
    expect(matched(`${both}\n${us}`).asked).toEqual([
      `${first} ${first} value k`,
      `${second} ${second} value k`,
    ]);
  });
  test('--only takes names of specific entries and ids, and says nothing of others', () => {
    const yaml = [
      `one: { match: ${first}, autosubscribe: true }`,
      'us: { match: { acronym: US }, autosubscribe: true }',
      'all: { match: "*", expect: any, autosubscribe: false }',
      'gone: { match: gone_*, autosubscribe: true }',
      'idle: { match: idle_*, expect: any, autosubscribe: true }',
    ].join('\n');
    const selected = (only?: string) => {
      const { asked, unmet, found } = matched(yaml, only);
      expect(unmet).toEqual(['gone']);
      return [asked, found];
    };
    const [gone, idle] = ['no-match 6:18', 'no-match 7:18'];
    expect(selected('one')).toEqual([[`one ${first} autosubscribe`], []]);
    expect(selected('us_*')).toEqual([[`us ${urlscan} autosubscribe`], []]);
    expect(selected('Url *')).toEqual([[`us ${urlscan} autosubscribe`], []]);
    expect(selected('all')).toEqual([[], []]);
    expect(selected('gone')).toEqual([[], [gone]]);
    expect(selected('idle')).toEqual([[], [idle]]);
    expect(selected()[1]).toEqual([gone, idle]);
  });
  test('integrations of an entry that matches several are left out, and each is named with the match that means it', () => {
    const yaml = `several: { match: vt_*, autosubscribe: true }\none: { match: ${first}, options: { k: 1 } }`;
    const near = `Virus, VTI, ${first} (match: ${first}); Virus, VT, ${second} (match: ${second}).`;
    const hint = `Candidates: ${near} Write the match of the one you mean, or expect: any for all.`;
    const found = ['several-matches 3:21'];
    const unmet = ['several'];
    const erring = [first, second];
    const expected = { asked: [], erring, unmet, found, hints: [hint] };
    expect(matched(yaml)).toEqual(expected);
    expect(matched(yaml, second)).toMatchObject({ unmet, found });
    const optional = 'several: { match: vt_*, expect: optional }';
    expect(matched(optional).found).toEqual(found);
  });
  test.each([
    ['us', `Url Scan, US, ${urlscan} (match: us_node_*)`],
    ['{ name: Url Skan }', `Url Scan, US, ${urlscan} (match: us_node_*)`],
    [
      'vto_node_17_9',
      `Virus, VTI, ${first} (match: ${first}); Virus, VT, ${second} (match: ${second})`,
    ],
    ['odd', 'Odd, ODD, odd[1]'],
    ['{ name: "?rl Skan" }', `Url Scan, US, ${urlscan} (match: us_node_*)`],
  ])('what matches nothing names what is near: %s', (match, near) => {
    const { found, hints } = matched(
      `e: { match: ${match}, autosubscribe: true }`,
    );
    expect([found, hints]).toEqual([
      ['no-match 3:15'],
      [expect.stringContaining(`Candidates: ${near}. If it was upgraded, `)],
    ]);
  });
  test.each(['zzz_*', '{ name: "*" , acronym: Q }', 'zzzz_node_*'])(
    'what resembles nothing leads to the list: %s',
    (match) => {
      const { hints } = matched(`e: { match: ${match}, autosubscribe: true }`);
      expect(hints).toEqual([
        expect.stringMatching(/^No id, name or acronym.* setpoint list /),
      ]);
    },
  );
  test('two equal entries leave out the integration if they set one field, and not if they share none', () => {
    const yaml = (key: string) =>
      `a: { match: us_*, options: { k: 1 } }\nb: { match: "*s_node_*", options: { ${key}: 2 } }`;
    const found = ['duplicate-field 4:42'];
    const clash = { asked: [], erring: [urlscan], found };
    expect(matched(yaml('k'))).toMatchObject(clash);
    expect(matched(yaml('k'), 'a')).toMatchObject({ asked: [], found });
    const both = [`a ${urlscan} value k,value l`];
    for (const only of [undefined, 'a', 'b'])
      expect(matched(yaml('l'), only).asked).toEqual(both);
    const factsOf = (text: string) =>
      findingsOf(text).map(({ facts }) => facts);
    expect(factsOf(yaml('k'))).toMatchObject([
      { address: 'a.options.k.value', other: { line: 3 } },
    ]);
    const flag =
      'a: { match: us_*, autosubscribe: true }\nb: { match: "*s_node_*", autosubscribe: true }';
    expect(factsOf(flag)).toMatchObject([{ address: 'a.autosubscribe' }]);
  });
  test('two defaults that set one field leave out the integration too', () => {
    const yaml = [
      'a: { match: us_*, expect: any, options: { k: 1 } }',
      'b: { match: "*s_node_*", expect: any, options: { k: 2 } }',
    ].join('\n');
    const found = ['duplicate-field 4:55'];
    const clash = { asked: [], erring: [urlscan], found };
    expect(matched(yaml)).toMatchObject(clash);
    // What a specific entry sets, no default can contest.
    const specific = 'us: { match: us_*, options: { k: 3 } }';
    expect(matched(`${yaml}\n${specific}`)).toMatchObject({
      asked: [`us ${urlscan} value k`],
      found: [],
    });
  });
  test('what is wrong with defaults is found once, with all that these are for', () => {
    const ids = [first, second];
    const of = (second: string) =>
      findingsOf(
        `a: { match: "vt_*", expect: any, options: { k: 1 } }\nb: { match: "vt*", expect: any, options: { k: ${second} } }`,
      );
    const address = `${first}.options.k.value`;
    expect(of('2')).toMatchObject([
      { code: 'duplicate-field', facts: { address, integrations: ids } },
    ]);
    expect(of('{ permission: user-provides }')).toMatchObject([
      { code: 'user-provides-value', facts: { integrations: ids } },
    ]);
  });
  test('an entry that is named as another integration is left out', () => {
    const yaml = `${second}: { match: ${first}, autosubscribe: true }\nall: { match: "vt_*", expect: any, autosubscribe: true }`;
    expect(matched(yaml)).toMatchObject({
      asked: [`${second} ${second} autosubscribe`],
      erring: [first],
      found: ['ambiguous-name 3:3'],
    });
    const [finding] = findingsOf(yaml);
    expect(finding?.facts).toMatchObject({ name: second, id: first });
  });
  test('entries whose names read alike when joined share no settings', () => {
    const entry = (name: string, match: string, key: string) =>
      `${name}: { match: "${match}", expect: any, options: { ${key}: 1 } }`;
    const yaml = [
      entry('a', first, 'k'),
      entry('bc', first, 'l'),
      entry('ab', second, 'm'),
      entry('c', second, 'n'),
    ].join('\n');
    expect(matched(yaml).asked).toEqual([
      `${first} ${first} value k,value l`,
      `${second} ${second} value m,value n`,
    ]);
  });
});

test('an option has each field of the specific entry, else of the defaults', () => {
  const yaml = [
    'us: { match: us_*, options: { k: { permission: user-provides, sensitive: true } } }',
    'all: { match: "us*", expect: any, options: { k: { value: v, rotated: 2026-01-02, sensitive: false }, l: 1 } }',
  ].join('\n');
  const config = validConfig(entries(yaml));
  const { integrations, diagnostics } = matchedWith(config, LIVE, 'us_*');
  expect(diagnostics.map(brief)).toEqual(['user-provides-value 4:60']);
  const about = { address: 'us.options.k.value' };
  expect(diagnostics).toMatchObject([{ facts: about }]);
  const { options, autosubscribe } = integrations[0]?.settings ?? {};
  const literal = (value: string | number) => ({
    kind: 'value',
    want: { kind: 'literal', value },
  });
  expect([...(options?.values() ?? [])]).toMatchObject([
    {
      option: 'k',
      keyPlace: { line: 3 },
      isDefault: false,
      secrecy: { mark: true, isSecretByValue: false },
      permission: { kind: 'permission', want: 'user-provides' },
      value: { ...literal('v'), rotated: '2026-01-02' },
    },
    {
      option: 'l',
      keyPlace: { line: 4 },
      isDefault: true,
      secrecy: { mark: undefined, isSecretByValue: false },
      permission: undefined,
      value: literal(1),
    },
  ]);
  expect(autosubscribe).toBeUndefined();
});

describe('an entry that is null', () => {
  const base = entries(
    'a: { match: "a*", autosubscribe: false }\nall: { match: "*", expect: any, autosubscribe: true }',
  );
  const stopped = entries('a: null');
  test.each<[string, string[], string[]]>([
    ['manages nothing', ['a1'], ['a1']],
    ['may match several', ['a1', 'a2'], ['a1', 'a2']],
    ['leaves others alone', ['a1', 'b'], ['a1']],
  ])('%s', (_, ids, unmatched) => {
    const live = ids.map((id) => liveIntegration(id, []));
    const matched = matchedWith(validConfig(base, stopped), live);
    expect([matched.unmatched, matched.diagnostics]).toEqual([unmatched, []]);
    const asked = matched.integrations.map(({ id }) => id);
    expect(asked).toEqual(ids.filter((id) => !unmatched.includes(id)));
  });
  test('leaves an integration to another entry', () => {
    const other = entries('b: { match: "?1", autosubscribe: true }');
    const config = validConfig(base, stopped, other);
    const live = [liveIntegration('a1', [])];
    expect(matchedWith(config, live).unmatched).toEqual([]);
  });
});
