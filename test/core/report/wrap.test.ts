import { expect, test } from 'vitest';
import { wrapAfter, wrapWords } from '../../../src/core/report/wrap.ts';

test.each([
  [['aa', 'bb', 'cc'], 5, ['aa bb', 'cc']],
  [['aa', 'bb', 'cc'], 4, ['aa', 'bb', 'cc']],
  [['a', 'longer-than-that', 'b'], 5, ['a', 'longer-than-that', 'b']],
  [['', 'a'], 5, [' a']],
  [[], 5, []],
])('the words %j on lines of %s columns', (words, width, expected) => {
  expect(wrapWords(words, width)).toEqual(expected);
});

test.each([
  [['aa', 'bb'], 10, [' aa bb']],
  [['aa', 'bb'], 9, [' aa', 'bb']],
  [['aa', 'bb', 'cc', 'ddd'], 7, [' aa', 'bb cc', 'ddd']],
  [['longer-than-that', 'b'], 8, ['', 'longer-than-that', 'b']],
])('the words %j behind four columns of %s', (words, width, expected) => {
  expect(wrapAfter('1234', words, width)).toEqual(expected);
});
