import { describe, expect, test } from 'vitest';
import {
  completed,
  isUnread,
  missingParts,
  unsafeIds,
  wantedBy,
} from '../../../src/core/live/sources.ts';
import type {
  LiveIntegration,
  LiveOption,
} from '../../../src/core/model/live.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import {
  liveIntegration,
  liveOption,
  MASKED,
  readable,
} from '../../support/live.ts';

const ABSENT = { value: { kind: 'hidden', reason: 'absent' } } as const;
const UNKNOWN = { permission: 'unknown' } as const;

/** An integration that lists these keys, and serves these options. */
const listing = (keys: string, ...options: readonly LiveOption[]) =>
  liveIntegration('vt', options, { optionKeys: new Set(keys) });

/** What an entry asks of the integration `vt`. */
const asked = (yaml: string) =>
  desiredOf(validConfig(entries(`vt: ${yaml}`)), [listing('ab')]);

test('what is asked says what is read', () => {
  const of = (yaml: string) =>
    asked(yaml).map(({ id, settings }) => wantedBy(id, settings));
  const both =
    '{ options: { b: { value: x, permission: lock-and-hide }, a: y } }';
  expect(of(both)).toEqual([{ id: 'vt', keys: ['a', 'b'] }]);
  expect(of('{ autosubscribe: true }')).toEqual([{ id: 'vt', keys: [] }]);
  // One that is only marked is not compared.
  expect(of('{ options: { a: y, b: { sensitive: true } } }')).toEqual([
    { id: 'vt', keys: ['a'] },
  ]);
});

describe('parts that are still to be read', () => {
  test.each<[string, number, string, LiveIntegration | undefined]>([
    ['none of an integration that is not listed', 0, 'a', undefined],
    [
      'the value that is not served',
      1,
      'a',
      listing('a', liveOption('a', ABSENT)),
    ],
    ['both', 2, 'a', listing('a', liveOption('a', { ...ABSENT, ...UNKNOWN }))],
    [
      'all of an option that is listed only',
      3,
      'a',
      listing('ab', liveOption('b')),
    ],
    ['all of an option if none is listed', 3, 'a', listing('')],
    [
      'none of an option that is not there',
      0,
      'a',
      listing('b', liveOption('b')),
    ],
    [
      'those of several options',
      4,
      'ab',
      listing('ab', liveOption('b', UNKNOWN)),
    ],
    [
      'none of a masked value',
      0,
      'a',
      listing('a', liveOption('a', { value: MASKED })),
    ],
  ])('%s', (_, count, keys, live) => {
    expect(missingParts({ id: 'vt', keys: [...keys] }, live)).toBe(count);
  });
});

test('an option may exist unless the others are listed without it', () => {
  expect(
    ['a', 'b', 'c'].map((key) => isUnread(key, listing('ab', liveOption('a')))),
  ).toEqual([false, true, false]);
  expect(isUnread('c', listing(''))).toBe(true);
});

describe('another source', () => {
  const known = listing(
    'a',
    liveOption('a', {
      ...ABSENT,
      title: 'A',
      choices: [{ display: 'X', value: 'x' }],
    }),
  );
  const more = listing(
    'ba',
    liveOption('a', { value: readable('v'), ...UNKNOWN }),
    liveOption('b'),
  );
  test('adds options and what was not known of the others', () => {
    const both = completed(known, more);
    expect([...both.optionKeys]).toEqual(['a', 'b']);
    expect([...both.options.keys()]).toEqual(['a', 'b']);
    expect(both.options.get('a')).toMatchObject({
      value: readable('v'),
      permission: 'lock-and-hide',
      title: 'A',
      choices: [{ value: 'x' }],
    });
  });
  test('takes nothing away', () => {
    const { options } = completed(more, { ...known, optionKeys: new Set() });
    expect(options.get('a')).toMatchObject({
      value: readable('v'),
      permission: 'lock-and-hide',
    });
    const choices = [{ display: 'W', value: 'w' }];
    const later = { value: readable('w'), choices };
    const again = completed(more, listing('a', liveOption('a', later)));
    expect(again.options.get('a')).toMatchObject(later);
  });
});

test('an id that leads a request elsewhere is a bad answer, which names it', () => {
  const found = unsafeIds([{ id: 'vt' }, { id: 'a/../b' }]);
  const problem = expect.stringContaining('"a/../b"');
  const code = 'bad-answer';
  expect(found).toMatchObject([['a/../b', { code, facts: { problem } }]]);
});

test('all options are those that are listed', () => {
  const live = listing('ab', liveOption('a'));
  expect(missingParts({ id: 'vt', keys: ['*'] }, live)).toBe(3);
});

test('what another source knows comes beside what the list has, in order', () => {
  const choices = [{ display: 'A', value: 'a' }];
  const known = listing('b', liveOption('b', { choices }));
  const more = listing('a', liveOption('b', { value: readable('new') }));
  const { options, optionKeys } = completed(known, more);
  expect([...optionKeys]).toEqual(['a', 'b']);
  expect(options.get('b')).toMatchObject({ choices, value: readable('new') });
});
