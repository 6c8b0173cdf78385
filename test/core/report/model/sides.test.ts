import { expect, test } from 'vitest';
import { sidesOf } from '../../../../src/core/report/model/sides.ts';

const reference = '${env:SETPOINT_TIMEOUT:-20}';

test('a value that is no secret stands itself, whatever it is from', () => {
  const { before, after } = sidesOf({ before: 10, after: 20, reference });
  expect([before.text, after.text]).toEqual(['10', '20']);
});

test.each([
  ['a secret', { before: null, after: null, secret: true, reference }],
  ['what was not read', { before: 10, after: null, reference }],
] as const)('%s stands as its reference', (_, change) => {
  const { after, isGone } = sidesOf(change);
  expect([after.text, after.isWords, isGone]).toEqual([
    reference,
    false,
    false,
  ]);
});

test('an empty value of a reference is empty', () => {
  const { after, isGone } = sidesOf({ before: 'x', after: '', reference });
  expect([after.text, isGone]).toEqual(['(empty)', true]);
});
