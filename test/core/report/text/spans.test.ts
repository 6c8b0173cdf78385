import { expect, test } from 'vitest';
import { filled } from '../../../../src/core/report/text/spans.ts';

test.each([
  ['aaaaaaaaaa bbbbbbbbbb cc', 21, ['aaaaaaaaaa bbbbbbbbbb', 'cc']],
  ['aaaaaaaaaa bbbbbbbbbb cc', 20, ['aaaaaaaaaa', 'bbbbbbbbbb cc']],
  [
    'a longer-than-twenty-columns b',
    20,
    ['a', 'longer-than-twenty-c', 'olumns b'],
  ],
  ['', 20, ['']],
])('the text %j on lines of %s columns', (text, width, expected) => {
  expect(filled(text, width)).toEqual(expected);
});
