import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  encodeOpen,
  hide,
  isHidden,
  reveal,
} from '../../../src/core/model/secret.ts';

const secret = hide('hunter2');

test.each([
  ['in a template', `${secret}`],
  ['in JSON', JSON.stringify({ a: [secret] })],
  ['in a log', inspect({ a: [secret] }, { showHidden: true, depth: 9 })],
  ['as an error', String(new Error(String(secret)))],
  ['by its keys', JSON.stringify({ ...secret })],
])('a secret is not shown %s', (_, shown) => {
  expect(shown).not.toContain('hunter2');
});

test('what is shown in its place says that it is one', () => {
  expect([`${secret}`, JSON.stringify(secret), inspect(secret)]).toEqual([
    '(secret)',
    '"(secret)"',
    '(secret)',
  ]);
});

test('only a secret is hidden, and only a request opens it', () => {
  expect([
    isHidden(secret),
    isHidden('hunter2'),
    isHidden({ a: 'hunter2' }),
  ]).toEqual([true, false, false]);
  expect([reveal(secret), reveal('other')]).toEqual(['hunter2', 'other']);
  const list = hide([{ display: 'One', value: 'one' }]);
  expect(encodeOpen({ data: [{ value: secret, n: 1 }, { value: list }] })).toBe(
    '{"data":[{"value":"hunter2","n":1},{"value":[{"display":"One","value":"one"}]}]}',
  );
});
