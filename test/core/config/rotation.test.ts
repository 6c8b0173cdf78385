import { expect, test } from 'vitest';
import { agedSecrets } from '../../../src/core/config/config.ts';
import { entries, found, validConfig } from '../../support/config.ts';

const NOW = Date.parse('2026-11-21T15:00:00Z');
const config = (rotated: string) =>
  validConfig(
    entries(
      `vt: { options: { k: { value: '\${env:SETPOINT_K}', rotated: ${rotated} } } }`,
    ),
  ).entries;

test.each([
  ['older than the policy allows', '2026-05-24', [181]],
  ['as old as it allows', '2026-05-25', []],
  ['of today', '2026-11-21', []],
  ['in the future', '2027-01-01', ['not-allowed']],
  ['in another time zone', '2026-11-22', []],
  ['that a layer took back', 'null', []],
])('a secret %s', (_, rotated, expected) => {
  const aged = agedSecrets(config(rotated), 180, NOW);
  expect(
    aged.map(({ code, facts }) => (code === 'secret-aged' ? facts.age : code)),
  ).toEqual(expected);
});

test('a day in the future is refused with an example of the past', () => {
  expect(agedSecrets(config('2027-01-01'), 180, NOW)).toMatchObject([
    { facts: { expected: [expect.stringMatching(/past.*2026/)] } },
  ]);
});

test('the finding of an old secret names it, its age and the policy', () => {
  expect(agedSecrets(config('2026-05-24'), 180, NOW)).toMatchObject([
    { facts: { address: 'vt.options.k.value', age: 181, days: 180 } },
  ]);
});

test.each([
  "'21.11.2026'",
  '20261121',
  'yesterday',
  '2026-13-01',
  '2026-12-32',
])('a day written as %s is refused for its form', (day) => {
  const text = entries(`vt: { options: { k: { value: x, rotated: ${day} } } }`);
  expect(found(text).map((each) => each.split(' ')[0])).toEqual([
    'not-allowed',
  ]);
});
