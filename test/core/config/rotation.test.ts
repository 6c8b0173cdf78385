import { expect, test } from 'vitest';
import { agedSecrets, joinFiles } from '../../../src/core/config/config.ts';
import { parseFile } from '../../../src/core/config/parse-file.ts';
import { entries, validConfig } from '../../support/config.ts';

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
  ['in another time zone', '2026-11-22', []],
  ['whose day is taken back', 'null', []],
])('a secret %s', (_, rotated, expected) => {
  const aged = agedSecrets(dated(rotated), 180, NOW);
  expect(
    aged.map(({ facts }) => ('age' in facts ? facts.age : undefined)),
  ).toEqual(expected);
});

test('the day of another layer counts', () => {
  const secret = entries('vt: { options: { k: "${env:SETPOINT_K}" } }');
  const day = entries('vt: { options: { k: { rotated: 2026-01-01 } } }');
  for (const layers of [
    [secret, day],
    [day, secret],
  ]) {
    const config = validConfig(...layers);
    expect(agedSecrets(config, 180, NOW)).toMatchObject([
      { code: 'secret-aged', facts: { age: 324 } },
    ]);
  }
});

test.each([
  ['2026-11-22', []],
  ['2026-11-23', ['not-allowed']],
  ['2027-01-01', ['not-allowed']],
  ['2028-02-29', ['not-allowed']],
  ['2024-02-29', []],
  ['2000-02-29', []],
  ['2026-02-29', ['not-allowed']],
  ['1900-02-29', ['not-allowed']],
  ['2026-02-30', ['not-allowed']],
  ['2026-04-31', ['not-allowed']],
  ['2026-12-31', ['not-allowed']],
  ['2025-12-31', []],
  ['2026-00-10', ['not-allowed']],
])('%s is a day that was, or is refused: %j', (day, expected) => {
  const text = entries(`vt: { options: { k: { rotated: ${day} } } }`);
  const read = joinFiles([[parseFile({ path: 'a.yaml', text })]], NOW);
  expect(read.diagnostics.map(({ code }) => code)).toEqual(expected);
  for (const finding of read.diagnostics)
    expect(finding.place).toMatchObject({ line: 3 });
});
