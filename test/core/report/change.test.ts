import { describe, expect, test } from 'vitest';
import { changeLines } from '../../../src/core/report/change.ts';
import { changeOf } from '../../support/documents.ts';

/** The sides of a change of a text. */
const sidesOf = (before: string, after: string, full = false) =>
  changeLines(changeOf('vt', 1, { before, after }), full).sides;

const marked = (before: string, after: string) =>
  sidesOf(before, after).map(({ mark, text }) => `${mark}${text}`);

const json = (members: object) => JSON.stringify(members);
const LONG = 'x'.repeat(40);

describe('two texts are compared line by line', () => {
  test.each([
    ['one line of three', '1\n2\n3\n', '1\nx\n3\n', [' 1', '-2', '+x', ' 3']],
    ['lines that come', '1\n0\n', '1\n0\n2\n3\n', [' 1', ' 0', '+2', '+3']],
    ['empty lines', '1\n\n\n2', '1\n2', [' 1', '-', '-', ' 2']],
    [
      'JSON by its members',
      json({ a: LONG, b: [2] }),
      json({ a: LONG, b: [3] }),
      [
        ' {',
        `   "a": "${LONG}",`,
        '   "b": [',
        '-    2',
        '+    3',
        '   ]',
        ' }',
      ],
    ],
    [
      'JSON that is broken, as text',
      '{"a":1,\n"b":2',
      '{"a":1,\n"b":3',
      [' {"a":1,', '-"b":2', '+"b":3'],
    ],
    [
      'text that ends like JSON',
      'a\n{"a":1}',
      'b\n{"a":1}',
      ['-a', '+b', ' {"a":1}'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(marked(before, after)).toEqual(expected);
  });
  test('of equal lines those next to a change are shown', () => {
    const [before, after] = ['a', 'b'].map(
      (line) => `1\n2\n3\n4\n5\n${line}\n6\n7\n8\n`,
    );
    expect(marked(before ?? '', after ?? '')).toEqual([
      ...[' (3 equal lines)', ' 4', ' 5', '-a', '+b', ' 6', ' 7', ' 8'],
    ]);
    expect(sidesOf(before ?? '', after ?? '', true)).toHaveLength(10);
  });
  test('where only the end differs, the text without a final newline is named', () => {
    expect(marked('1\n2\n', '1\n2').at(-1)).toBe(
      ' (now without a newline at its end)',
    );
    expect(marked('1\n2', '1\n2\n').at(-1)).toBe(
      ' (before without a newline at its end)',
    );
    expect(marked('1\n2', '1\n3').at(-1)).toBe('+3');
  });
  test('a changed line knows its counterpart; one that only comes or goes has none', () => {
    expect(sidesOf('1\na\nb\n', '1\nx\n')).toEqual([
      { mark: ' ', text: '1' },
      { mark: '-', text: 'a', counterpart: 'x' },
      { mark: '-', text: 'b', counterpart: undefined },
      { mark: '+', text: 'x', counterpart: 'a' },
    ]);
  });
  test('texts with thousands of differences are shown whole', () => {
    const lines = (mark: string) =>
      Array.from(
        { length: 1_500 },
        (_, index) => `${mark}${index}\nsame\n`,
      ).join('');
    const kinds = sidesOf(lines('a'), lines('b')).map(({ mark }) => mark);
    expect([kinds.length, kinds.indexOf('+'), kinds.includes(' ')]).toEqual([
      6_000,
      3_000,
      false,
    ]);
  });
});

test.each([
  ['several lines', 'a\nb', 3],
  ['JSON of 41 characters', json({ a: 'x'.repeat(33) }), 4],
  ['JSON of 40 characters', json({ a: 'x'.repeat(32) }), 2],
  ['a long text', 'x'.repeat(100), 2],
  ['broken JSON', `{"a":${'x'.repeat(100)}`, 2],
])('%s: shown on so many lines', (_, text, expected) => {
  expect(sidesOf('old', text)).toHaveLength(expected);
});

test.each([
  ['vt.options.a.value', 'no longer managed'],
  ['vt.options.a.permission', 'no longer managed'],
  ['vt.autosubscribe', 'no longer managed'],
  ['vt.match', '(not declared)'],
  ['vt.expect', '(not declared)'],
  ['vt.options.value.sensitive', '(not declared)'],
  ['vt.options.a.rotated', '(not declared)'],
])('what a branch removed of %s is %s', (address, expected) => {
  const change = { ...changeOf('vt', 1), address, declared: 'before' as const };
  expect(changeLines(change).after).toBe(expected);
});
