import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { globMatcher, literalStart } from '../../../src/core/config/glob.ts';

describe('a glob', () => {
  test.each([
    ['vt_*', ['vt_', 'vt_node_18_1', 'vt_a/b', 'vt_.x'], ['vt', 'VT_1', 'a_vt_1']],
    ['*', ['', 'a', '/', '.a'], []],
    ['**', ['', 'a/b'], []],
    ['vt_?', ['vt_1', 'vt_\u{1f600}', 'vt_/'], ['vt_', 'vt_12']],
    ['*_18_*', ['a_18_b', '_18_', 'a_18_18_b'], ['a_18b', 'a18_b']],
    ['[a-c]x', ['ax', 'cx'], ['dx', '-x', 'x']],
    ['[!a-c]x', ['dx', '-x'], ['ax', 'x']],
    ['[^ab]', ['c'], ['a', '']],
    ['[]a]', [']', 'a'], ['[', '']],
    ['[a-]', ['a', '-'], ['b']],
    ['{vt,ip}_*', ['vt_1', 'ip_'], ['{vt,ip}_', 'v_1']],
    ['a{b,c{d,}}e', ['abe', 'acde', 'ace'], ['ae', 'abce']],
    ['a{,*}b', ['ab', 'axxb'], ['a']],
    ['*{a,*}{*,b}', ['', 'x', 'xab'], []],
    ['{a,b}{c,d}', ['ac', 'bd'], ['ab', 'a']],
    ['{a}', ['{a}'], ['a']],
    ['a{b', ['a{b'], ['ab']],
    ['a}b,c', ['a}b,c'], ['ab']],
    ['[a', ['[a'], ['a']],
    ['\\*', ['*'], ['a', '']],
    ['a\\', ['a\\'], ['a']],
    ['Lookup (EU)', ['Lookup (EU)'], ['Lookup EU']],
    ['!vt', ['!vt'], ['x']],
    ['a.c', ['a.c'], ['abc']],
  ] as const)('%s', (glob, yes, no) => {
    const matches = globMatcher(glob);
    expect(yes.filter((text) => !matches(text))).toEqual([]);
    expect(no.filter((text) => matches(text))).toEqual([]);
  });
  test('in 3,000 ways matches what another implementation matches, and begins as it says', () => {
    const part = fc.oneof(
      fc.constantFrom('a', 'b', '_', '?', '*', '[ab]', '[^a]', '{a,b*}', '{_,a{b,?}}', '{,b}'),
    );
    const text = fc.array(fc.constantFrom('a', 'b', '_'), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), text, (parts, characters) => {
        const [glob, word] = [parts.join(''), characters.join('')];
        // What stands for several globs is spelt out: the other takes an empty alternative in its own way.
        const expected = spelt(glob).some((each) => each === word || (each !== '' && other(each)(word)));
        expect(globMatcher(glob)(word)).toBe(expected);
        if (expected) expect(word.startsWith(literalStart(glob))).toBe(true);
      }),
      { numRuns: 3_000, seed: 4711 },
    );
  });
  test.each([
    ['stars', '*a'.repeat(127)],
    ['alternatives', '{a,a*}'.repeat(42)],
    ['alternatives in alternatives', '*{a,{a,{a,*a}}}*'.repeat(15)],
    ['one long word', `*${'a'.repeat(254)}`],
    ['open braces', '{a,'.repeat(80)],
  ])(
    '256 characters of %s end',
    (_, start) => {
      const matches = globMatcher(`${start}b`);
      const id = 'a'.repeat(200);
      expect(Array.from({ length: 1_000 }, (__, index) => matches(`${id}${index}`))).not.toContain(true);
    },
    20_000,
  );
});

function other(glob: string): (text: string) => boolean {
  return picomatch(glob, { dot: true, bash: true, nonegate: true });
}

/** All globs without braces that one with braces stands for. */
function spelt(glob: string): string[] {
  const found = /\{([^{}]*)\}/.exec(glob);
  if (found === null) return [glob];
  const [brace, inner = ''] = found;
  // Innermost first; what is chosen must not be split again by the brace around it.
  return inner
    .split(',')
    .flatMap((choice) => spelt(glob.slice(0, found.index) + choice + glob.slice(found.index + brace.length)));
}
