import { expect, test } from 'vitest';
import { sentence } from '../../../../src/core/report/comment/sentence.ts';

test.each([
  ['Did you mean apikey?', 'Did you mean apikey?'],
  ['It has the risk exposes-secret.', 'It has the risk exposes-secret.'],
  ["users' own values, 30 % of them", "users' own values, 30 % of them"],
  ['until 2026-12-31, 21:30 UTC', 'until 2026-12-31, 21:30 `UTC`'],
  ['vt has no option apiKey.', 'vt has no option `apiKey`.'],
  ['a (vt_node_1), b', 'a (`vt_node_1`), b'],
  ['Pass --allow exposes-secret to', 'Pass `--allow exposes-secret` to'],
  ['pass --allow-changes 104.', 'pass `--allow-changes 104`.'],
  ['is a.b c.d, e.f then', 'is `a.b c.d`, `e.f` then'],
  ['ask @user or #1', 'ask `@user` or `#1`'],
  ['see [x](y) <b> www.x.example', 'see `[x](y) <b> www.x.example`'],
  ['a ` b `` c', 'a `` ` `` b ``` `` ``` c'],
  ['x` `y', '``x` `y``'],
  ['a|b', '`a\\u{7c}b`'],
  ['- a', '`-` a'],
  ['line\nbreak', '`line\\nbreak`'],
  ['', ''],
])('%j becomes %j', (text, expected) => {
  expect(sentence(text)).toBe(expected);
});

test('a long sentence is cut', () => {
  expect(sentence('word '.repeat(200))).toHaveLength(400 + '…'.length + 2);
});
