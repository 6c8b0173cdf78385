import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { isCostlyGlob } from '../../../src/core/model/costly-glob.ts';
import {
  globMatcher,
  literalStart,
  mayMeet,
} from '../../../src/core/model/glob.ts';

describe('a glob', () => {
  test.each([
    [
      'vt_*',
      ['vt_', 'vt_node_18_1', 'vt_a/b', 'vt_.x'],
      ['vt', 'VT_1', 'a_vt_1'],
    ],
    ['*', ['', 'a', '/', '.a'], []],
    ['**', ['', 'a/b'], []],
    ['vt_?', ['vt_1'], ['vt_', 'vt_12']],
    ['*_18_*', ['a_18_b', '_18_', 'a_18_18_b'], ['a_18b', 'a18_b']],
    ['[a-c]x', ['ax', 'cx'], ['dx', '-x', 'x']],
    ['[!a-c]x', ['dx', '-x'], ['ax', 'x']],
    ['[^ab]', ['c'], ['a', '']],
    ['{vt,ip}_*', ['vt_1', 'ip_'], ['{vt,ip}_', 'v_1']],
    ['a{b,c{d,}}e', ['abe', 'acde', 'ace'], ['ae', 'abce']],
    ['a{,*}b', ['ab', 'axxb'], ['a']],
    ['{a,b}{c,d}', ['ac', 'bd'], ['ab', 'a']],
    ['{a}', ['{a}'], ['a']],
    ['[a', ['[a'], ['a']],
    ['\\*', ['*'], ['a', '']],
    ['Lookup (EU)', ['Lookup (EU)'], ['Lookup EU']],
    ['!vt', ['!vt'], ['x']],
    ['a.c', ['a.c'], ['abc']],
  ] as const)('%s', (glob, yes, no) => {
    const matches = globMatcher(glob);
    expect(yes.filter((text) => !matches(text))).toEqual([]);
    expect(no.filter((text) => matches(text))).toEqual([]);
  });
  test('of stars alone matches what the library matches, and begins as it says', () => {
    const glob = fc.string({
      unit: fc.constantFrom('a', 'b', '_', '*'),
      minLength: 1,
      maxLength: 8,
    });
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '_'),
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(glob, text, (pattern, word) => {
        const expected = picomatch(pattern, { dot: true, bash: true })(word);
        expect(globMatcher(pattern)(word)).toBe(expected);
        if (expected) expect(word.startsWith(literalStart(pattern))).toBe(true);
      }),
      { numRuns: 3_000, seed: 4711 },
    );
  });
  test.each([
    ['stars', '*a'.repeat(127)],
    ['one long word', `*${'a'.repeat(254)}`],
    ['three stars and a set', '[ab]*a*a*'],
    ['alternatives', `{${'a,'.repeat(30)}a*}`],
  ])(
    '%s end',
    (_, start) => {
      expect(isCostlyGlob(start)).toBe(false);
      const matches = globMatcher(`${start}b`);
      const id = 'a'.repeat(200);
      expect(
        Array.from({ length: 100 }, (__, index) => matches(`${id}${index}`)),
      ).not.toContain(true);
    },
    20_000,
  );
  test.each(['[ab]*a*a*a*', `{${'a,'.repeat(33)}b}`, '*{a,*}*{a,*}'])(
    '%s is not taken',
    (glob) => {
      expect(isCostlyGlob(glob)).toBe(true);
    },
  );
});

describe('two globs', () => {
  test.each([
    ['vt_*', '*', true],
    ['vt_*', 'vt_1*', true],
    ['vt_*', 'us_*', false],
    ['vt_1', 'vt_1', true],
    ['vt_1', 'vt_12', false],
    ['vt_1', 'vt_?', true],
    ['vt_1', 'vt', false],
    ['{vt,us}_*', 'vt_*', true],
    ['{vt,us}_*', 'ip_1', false],
  ])('%s and %s may match one text: %s', (one, other, expected) => {
    expect([mayMeet(one, other), mayMeet(other, one)]).toEqual([
      expected,
      expected,
    ]);
  });
});
