import { expect, test } from 'vitest';
import {
  agedSecrets,
  secretsWithoutDay,
} from '../../../src/core/config/config.ts';
import { explain } from '../../../src/core/findings/explain.ts';
import { entries, found, validConfig } from '../../support/config.ts';

const NOW = Date.parse('2026-11-21T15:00:00Z');
const dated = (rotated: string) =>
  validConfig(
    entries(
      `vt: { options: { k: { value: '\${env:SETPOINT_K}', rotated: ${rotated} } } }`,
    ),
  );

test.each([
  ['older than the policy allows', '2026-05-24', [181]],
  ['as old as it allows', '2026-05-25', []],
  ['of today', '2026-11-21', []],
  ['in the future', '2027-01-01', ['not-allowed']],
  ['in another time zone', '2026-11-22', []],
  ['that a layer took back', 'null', []],
])('a secret %s', (_, rotated, expected) => {
  const aged = agedSecrets(dated(rotated).entries, 180, NOW);
  expect(
    aged.map(({ code, facts }) => ('age' in facts ? facts.age : code)),
  ).toEqual(expected);
});

test('secrets without a day are one note', () => {
  const config = validConfig(
    `values: { plain: https://x.example, outside: "\${env:SETPOINT_V}" }\n${entries(
      `vt:
  options:
    b: { value: '\${env:SETPOINT_B}', permission: lock-and-hide }
    a: '\${file:a.pem}'
    dated: { value: '\${env:SETPOINT_C}', rotated: 2026-01-01 }
    public: { value: '\${env:SETPOINT_D}', sensitive: false }
    text: plain
    named: '\${value:plain}'
    far: '\${value:outside}'`,
    )}`,
  );
  const [note, ...more] = secretsWithoutDay(config);
  expect([note && explain(note).severity, more]).toEqual(['note', []]);
  expect(note?.facts).toMatchObject({
    undated: ['vt.a', 'vt.b', 'vt.far'],
    addresses: ['a', 'b', 'far'].map((key) => `vt.options.${key}.value`),
  });
  expect(note?.places).toHaveLength(3);
  expect(secretsWithoutDay(dated('2026-01-01'))).toEqual([]);
});

test('the day of another layer counts', () => {
  const secret = entries('vt: { options: { k: "${env:SETPOINT_K}" } }');
  const day = entries('vt: { options: { k: { rotated: 2026-01-01 } } }');
  for (const layers of [
    [secret, day],
    [day, secret],
  ]) {
    const config = validConfig(...layers);
    expect(agedSecrets(config.entries, 180, NOW)).toHaveLength(1);
    expect(secretsWithoutDay(config)).toEqual([]);
  }
});

test.each([
  ['2027-01-01', 'a day in the future'],
  ['2026-01-01', 'an old secret'],
])('no finding about %s, %s, has a day as an example', (day) => {
  const [finding] = agedSecrets(dated(day).entries, 180, NOW);
  if (finding === undefined) throw new Error('nothing found');
  const { message, hint = '' } = explain(finding);
  expect(`${message} ${hint}`).not.toMatch(/\d{4}-\d/);
});

test('the finding of an old secret names it, its age and the policy', () => {
  expect(agedSecrets(dated('2026-05-24').entries, 180, NOW)).toMatchObject([
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
