import { expect, test } from 'vitest';
import {
  agedSecrets,
  secretsWithoutDay,
} from '../../../src/core/config/config.ts';
import { explain } from '../../../src/core/findings/explain.ts';
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
    aged.map(({ code, facts }) => ('age' in facts ? facts.age : code)),
  ).toEqual(expected);
});

test('secrets without a day are one note', () => {
  const { entries: all } = validConfig(
    entries(
      `vt:
  options:
    b: { value: '\${env:SETPOINT_B}', permission: lock-and-hide }
    a: '\${file:a.pem}'
    dated: { value: '\${env:SETPOINT_C}', rotated: 2026-01-01 }
    public: { value: '\${env:SETPOINT_D}', sensitive: false }
    text: plain`,
    ),
  );
  const [note, ...more] = secretsWithoutDay(all);
  expect([note && explain(note).severity, note?.facts, more]).toEqual([
    'note',
    { undated: ['vt.a', 'vt.b'] },
    [],
  ]);
  expect(secretsWithoutDay(config('2026-01-01'))).toEqual([]);
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
