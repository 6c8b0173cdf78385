import { expect, test } from 'vitest';
import { filled } from '../../../src/core/report/wrap.ts';

test.each([
  ['aa bb cc', 5, ['aa bb', 'cc']],
  ['aa bb cc', 4, ['aa', 'bb', 'cc']],
  ['a longer-than-that b', 5, ['a', 'longer-than-that', 'b']],
  ['', 5, ['']],
])('the text %j on lines of %s columns', (text, width, expected) => {
  expect(filled(text, width)).toEqual(expected);
});
