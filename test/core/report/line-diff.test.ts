import { describe, expect, test } from 'vitest';
import { hasStructure, lineDiff } from '../../../src/core/report/line-diff.ts';

/** A comparison as marked lines. */
function marked(before: string, after: string): string[] {
  return lineDiff(before, after).map(({ mark, text }) => `${mark}${text}`);
}

const json = (members: object) => JSON.stringify(members);

describe('two texts are compared line by line', () => {
  test.each([
    ['one line of three', '1\n2\n3\n', '1\nx\n3\n', [' 1', '-2', '+x', ' 3']],
    ['lines that come', '1\n', '1\n2\n3\n', [' 1', '+2', '+3']],
    ['lines that go', '1\n2\n3\n', '3\n', ['-1', '-2', ' 3']],
    ['empty lines', '1\n\n\n', '1\n', [' 1', '-', '-']],
    [
      'JSON by its members',
      json({ a: 1, b: [2] }),
      json({ a: 1, b: [3] }),
      [' {', '   "a": 1,', '   "b": [', '-    2', '+    3', '   ]', ' }'],
    ],
    ['JSON behind blanks', ` ${json([1, 2])}`, json([1, 3]), [' [', '   1,', '-  2', '+  3', ' ]']],
    ['JSON that is broken, as text', '{"a":1,\n"b":2', '{"a":1,\n"b":3', [' {"a":1,', '-"b":2', '+"b":3']],
    ['text that ends like JSON', 'a {"a":1}', 'b {"a":1}', ['-a {"a":1}', '+b {"a":1}']],
  ])('%s', (_, before, after, expected) => {
    expect(marked(before, after)).toEqual(expected);
  });
  test('of equal lines those next to a change are shown', () => {
    expect(marked('1\n2\n3\n4\n5\na\n6\n7\n8\n', '1\n2\n3\n4\n5\nb\n6\n7\n8\n')).toEqual([
      ...[' (3 equal lines)', ' 4', ' 5', '-a', '+b', ' 6', ' 7', ' 8'],
    ]);
    expect(lineDiff('1\n2\n3\na\n', '1\n2\n3\nb\n', true)).toHaveLength(5);
  });
  test('where only the end differs, the text without a final newline is named', () => {
    expect(marked('1\n2\n', '1\n2').at(-1)).toBe(' (now without a newline at its end)');
    expect(marked('1\n2', '1\n2\n').at(-1)).toBe(' (before without a newline at its end)');
    expect(marked('1\n2', '1\n3').at(-1)).toBe('+3');
  });
  test('a changed line knows its counterpart; one that only comes or goes has none', () => {
    expect(lineDiff('1\na\nb\n', '1\nx\n')).toEqual([
      { mark: ' ', text: '1' },
      { mark: '-', text: 'a', counterpart: 'x' },
      { mark: '-', text: 'b', counterpart: undefined },
      { mark: '+', text: 'x', counterpart: 'a' },
    ]);
    const [, added] = lineDiff('1\n2\n', '1\nx\n2\n');
    expect(added).toEqual({ mark: '+', text: 'x', counterpart: undefined });
  });
  test('texts with thousands of differences are shown whole', () => {
    const lines = (mark: string) =>
      Array.from({ length: 1_500 }, (_, index) => `${mark}${index}\nsame\n`).join('');
    const kinds = lineDiff(lines('a'), lines('b')).map(({ mark }) => mark);
    expect([kinds.length, kinds.indexOf('+'), kinds.includes(' ')]).toEqual([6_000, 3_000, false]);
    expect(marked('1\na\n', '1\nb\n')).toContain(' 1');
  });
});

test.each([
  ['several lines', 'a\nb', true],
  ['JSON of 41 characters', json({ a: 'x'.repeat(33) }), true],
  ['JSON of 40 characters', json({ a: 'x'.repeat(32) }), false],
  ['a long text', 'x'.repeat(100), false],
  ['broken JSON', `{"a":${'x'.repeat(100)}`, false],
])('%s: compared by lines is %s', (_, text, expected) => {
  expect(hasStructure(text)).toBe(expected);
});
