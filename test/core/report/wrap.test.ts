import { expect, test } from 'vitest';
import { wrapWords } from '../../../src/core/report/wrap.ts';

test.each([
  [['aa', 'bb', 'cc'], 5, ['aa bb', 'cc']],
  [['aa', 'bb', 'cc'], 4, ['aa', 'bb', 'cc']],
  [['a', 'longer-than-that', 'b'], 5, ['a', 'longer-than-that', 'b']],
  [['', 'a'], 5, [' a']],
  [[], 5, []],
])('the words %j on lines of %s columns', (words, width, expected) => {
  expect(wrapWords(words, width)).toEqual(expected);
});
