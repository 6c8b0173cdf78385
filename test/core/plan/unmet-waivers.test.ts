import { describe, expect, test } from 'vitest';
import type { Subject } from '../../../src/core/model/subject.ts';
import { subjectsOf, unmetWaivers } from '../../../src/core/plan/unmet.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

const place = { file: 'setpoint.yaml', line: 9, column: 5 };

const waiver = (address: string, servers: readonly string[] = ['a']) => ({
  address,
  addressPlace: place,
  servers,
});

const live = [liveIntegration('vt_1', [liveOption('limit')])];
const desired = desiredOf(
  validConfig(
    entries('all: { match: "*", expect: any, options: { limit: x } }'),
  ),
  live,
);
const FIELDS: readonly Subject[] = [
  { kind: 'value', integration: 'splunk', option: 'timeout' },
  ...subjectsOf(desired),
];

const KEY: Subject = { kind: 'permission', integration: 'vt', option: 'k' };

const server = (
  name: string,
  waivers: readonly ReturnType<typeof waiver>[],
  fields = FIELDS,
) => ({ plan: { name }, waivers, fields });

const unmetOf = (address: string, fields = FIELDS) =>
  unmetWaivers([server('a', [waiver(address)], fields)]);

describe('a waiver', () => {
  test.each([
    'splunk',
    'splunk.timeout',
    'splunk.options.timeout',
    'splunk.options.timeout.value',
    'vt_1.limit',
  ])('of %s names a field', (address) => {
    expect(unmetOf(address)).toEqual([]);
  });
  test.each<[string, string[]]>([
    ['splunk.timout', ['splunk.timeout']],
    ['splunk.options.timeout.permision', ['splunk.options.timeout.value']],
    ['nothing', []],
  ])('of %s names none: a warning at its address', (address, names) => {
    const known = names.map((name) => expect.stringMatching(name));
    const facts = { word: address, severity: 'warning', known };
    expect(unmetOf(address)).toMatchObject([
      { code: 'unknown-name', place, facts },
    ]);
  });
});

test.each<[string, Subject, string[]]>([
  [
    's.autosubscripe',
    { kind: 'autosubscribe', integration: 's' },
    ['s.autosubscribe'],
  ],
  ['vt.options.k.permision', KEY, ['vt.options.k.permission']],
  ['vt.k.permision', KEY, ['vt.k.permission']],
  ['vt.key', KEY, []],
])(
  'a mistyped waiver %s is told how that is typed',
  (address, subject, known) => {
    const found = unmetOf(address, [subject]);
    expect(found).toMatchObject([{ facts: { known } }]);
  },
);

test('a waiver of some servers is told with their names, one of all without', () => {
  const some = { ...waiver('nothing', ['a', 'b']), server: {} };
  const all = waiver('nobody', ['a', 'b']);
  const found = unmetWaivers([server('a', [some, all]), server('b', [])]);
  expect(found.map(({ facts }) => facts)).toEqual([
    expect.objectContaining({ word: 'nothing', on: ['a', 'b'] }),
    expect.objectContaining({ word: 'nobody', on: undefined }),
  ]);
});

describe('a waiver of two servers', () => {
  const both = waiver('nothing', ['a', 'b']);
  const nothing = { ...FIELDS[0], integration: 'nothing' } as Subject;
  test('is unmet once if it names nothing on both', () => {
    const found = unmetWaivers([server('a', [both]), server('b', [both])]);
    expect(found).toHaveLength(1);
  });
  test.each<[string, ReturnType<typeof server>[]]>([
    [
      'it names something on one',
      [server('a', [both]), server('b', [both], [nothing])],
    ],
    ['one was not planned', [server('a', [both])]],
  ])('is not unmet if %s', (_, planned) => {
    expect(unmetWaivers(planned)).toEqual([]);
  });
});
