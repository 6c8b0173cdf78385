import { describe, expect, test } from 'vitest';
import { hasStructure, lineDiff } from '../../../src/core/report/line-diff.ts';

/** A comparison as marked lines; `=` counts equal ones. */
function marked(before: string, after: string): string[] {
  return lineDiff(before, after).map((line) => {
    if (line.kind === 'context') return `=${line.lines.length}`;
    if (line.kind === 'open') return `${line.side} is open`;
    return `${line.kind === 'add' ? '+' : '-'}${line.text}`;
  });
}

const json = (members: object) => JSON.stringify(members);

describe('two texts are compared line by line', () => {
  test.each([
    ['one line of three', '1\n2\n3\n', '1\nx\n3\n', ['=1', '-2', '+x', '=1']],
    ['lines that come', '1\n', '1\n2\n3\n', ['=1', '+2', '+3']],
    ['lines that go', '1\n2\n3\n', '3\n', ['-1', '-2', '=1']],
    ['empty lines', '1\n\n\n', '1\n', ['=1', '-', '-']],
    ['JSON by its members', json({ a: 1, b: [2] }), json({ a: 1, b: [3] }), ['=3', '-    2', '+    3', '=2']],
    ['JSON behind blanks', ` ${json([1, 2])}`, json([1, 3]), ['=2', '-  2', '+  3', '=1']],
    ['JSON that is broken, as text', '{"a":1,\n"b":2', '{"a":1,\n"b":3', ['=1', '-"b":2', '+"b":3']],
    ['text that ends like JSON', 'a {"a":1}', 'b {"a":1}', ['-a {"a":1}', '+b {"a":1}']],
  ])('%s', (_, before, after, expected) => {
    expect(marked(before, after)).toEqual(expected);
  });
  test('where only the end differs, the text without a final newline is named', () => {
    expect(marked('1\n2\n', '1\n2').at(-1)).toBe('add is open');
    expect(marked('1\n2', '1\n2\n').at(-1)).toBe('remove is open');
    expect(marked('1\n2', '1\n3').at(-1)).toBe('+3');
  });
  test('a changed line knows its counterpart; one that only comes or goes has none', () => {
    expect(lineDiff('1\na\nb\n', '1\nx\n')).toEqual([
      { kind: 'context', lines: [expect.anything()] },
      { kind: 'remove', text: 'a', counterpart: 'x' },
      { kind: 'remove', text: 'b', counterpart: undefined },
      { kind: 'add', text: 'x', counterpart: 'a' },
    ]);
    const [, added] = lineDiff('1\n2\n', '1\nx\n2\n');
    expect(added).toEqual({ kind: 'add', text: 'x', counterpart: undefined });
  });
  test('texts with thousands of differences are shown whole', () => {
    const lines = (mark: string) =>
      Array.from({ length: 1_500 }, (_, index) => `${mark}${index}\nsame\n`).join('');
    const kinds = lineDiff(lines('a'), lines('b')).map(({ kind }) => kind);
    expect([kinds.length, kinds.indexOf('add'), kinds.includes('context')]).toEqual([6_000, 3_000, false]);
    expect(marked('1\na\n', '1\nb\n')).toContain('=1');
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
