import { expect, test } from 'vitest';
import type { Declaration } from '../../../src/core/config/declaration.ts';
import { parseFile } from '../../../src/core/config/parse-file.ts';
import type { Place } from '../../../src/core/model/place.ts';
import { brief, entries, file } from '../../support/config.ts';
import { options } from './files/case.ts';

function lineAndColumn(place: Place | undefined): string {
  return place === undefined ? 'nowhere' : `${place.line}:${place.column}`;
}

/** What a file declares: the field, its value, the place of this and of the key of its option, the comment. */
function declaredBy(text: string): unknown[][] {
  const { value, diagnostics } = parseFile(file(text));
  expect(diagnostics).toEqual([]);
  const declarations = value?.entries.flatMap((part) => part.declarations);
  return (declarations ?? []).map(summaryOf);
}

function summaryOf(declaration: Declaration): unknown[] {
  const { entry, option, field, value, place, keyPlace, comment } = declaration;
  const name = [entry, option ?? '', field].join(' ');
  const places = [place, keyPlace].map(lineAndColumn);
  return [name, value, ...places, comment];
}

test('all that an entry can set is read, with its places and comments', () => {
  const text = entries(`vt:
  match: vt_* # all of them
  expect: any
  autosubscribe: false # quiet
  options:
    short: 5
    # above the option
    long: # of the option
      value: x
      permission: lock-and-show # of the permission
      sensitive: false
      rotated: 2026-11-21
    choice: { display: D, value: d }
    list: [a, 1, true, { display: D, value: d }]
all:
  match: { name: Virus*, acronym: VT }`);
  expect(declaredBy(text)).toEqual([
    ['vt  match', { id: 'vt_*' }, '4:12', 'nowhere', 'all of them'],
    ['vt  expect', 'any', '5:13', 'nowhere', undefined],
    ['vt  autosubscribe', false, '6:20', 'nowhere', 'quiet'],
    ['vt short value', 5, '8:14', '8:7', undefined],
    ['vt long value', 'x', '11:16', '10:7', 'of the option'],
    [
      'vt long permission',
      'lock-and-show',
      '12:21',
      '10:7',
      'of the permission',
    ],
    ['vt long sensitive', false, '13:20', '10:7', 'of the option'],
    ['vt long rotated', '2026-11-21', '14:18', '10:7', 'of the option'],
    [
      'vt choice value',
      { display: 'D', value: 'd' },
      '15:15',
      '15:7',
      undefined,
    ],
    [
      'vt list value',
      ['a', 1, true, { display: 'D', value: 'd' }],
      '16:13',
      '16:7',
      undefined,
    ],
    [
      'all  match',
      { name: 'Virus*', acronym: 'VT' },
      '18:12',
      'nowhere',
      undefined,
    ],
  ]);
});

test('a null stops what it stands for', () => {
  const text = entries(`a: null
b: { autosubscribe: null, options: null }
c:
  options:
    short: null
    long:
      value: null # for now
      permission: null
      rotated: null`);
  expect(declaredBy(text)).toEqual([
    ['a  entry', null, '3:6', 'nowhere', undefined],
    ['b  autosubscribe', null, '4:23', 'nowhere', undefined],
    ['b  options', null, '4:38', 'nowhere', undefined],
    ['c short option', null, '7:14', '7:7', undefined],
    ['c long value', null, '9:16', '8:7', 'for now'],
    ['c long permission', null, '10:21', '8:7', undefined],
    ['c long rotated', null, '11:18', '8:7', undefined],
  ]);
});

test('named values have their own places, and those of their members', () => {
  const { value } = parseFile(
    file('version: 1\nvalues:\n  a: x\n  list: [y, 5]\n  none: null\n'),
  );
  const values = [...(value?.values ?? [])].map(([name, named]) => {
    const members = 'members' in named ? named.members : undefined;
    const places = [named.place, ...(members ?? [])].map(lineAndColumn);
    return [name, named.value, ...places];
  });
  expect(values).toEqual([
    ['a', 'x', '3:6'],
    ['list', ['y', 5], '4:9', '4:10', '4:13'],
    ['none', null, '5:9'],
  ]);
});

test.each([
  ['${env:}', /name/],
  ['${foo:A}', /kind/],
  ['${env:A', /brace/],
  ['${env:A:-{b}}', /fallback/],
])('the problem of %s is named', (reference, problem) => {
  const text = entries(`vt: { options: { k: "${reference}" } }`);
  expect(parseFile(file(text)).diagnostics).toMatchObject([
    { facts: { problem: expect.stringMatching(problem) } },
  ]);
});

const ENTRY = ['match', 'expect', 'autosubscribe', 'options'];
const MACTH = { key: 'macth', allowed: ENTRY };
const VLAUE = { key: 'vlaue' };
const VALUES = 'version: 1\nvalues: 5';
const HIDDEN = { written: undefined };
const OTHER = { expected: ['another form'] };

test.each<[string, string, object]>([
  ['version: 2', 'not-allowed 1:10', { expected: ['version 1'] }],
  [VALUES, 'not-allowed 2:9', { expected: ['object', 'null'] }],
  [entries('vt: { macth: vt_* }'), 'unknown-key 3:9', MACTH],
  [options('k: { display: D }'), 'missing-key 5:7', { key: 'value' }],
  [options('k: { display: D, vlaue: d }'), 'unknown-key 5:24', VLAUE],
  [options('k: { permission: lock }'), 'not-allowed 5:24', { written: 'lock' }],
  [options('apiKey: { permission: x }'), 'not-allowed 5:29', HIDDEN],
  [options('k: { rotated: 5 }'), 'not-allowed 5:21', OTHER],
])('%j does not fit', (text, at, facts) => {
  const { diagnostics } = parseFile(file(text));
  expect(diagnostics.map(brief)).toEqual([at]);
  expect(diagnostics[0]?.facts).toMatchObject(facts);
});
