import { describe, expect, test } from 'vitest';
import { hide } from '../../../src/core/model/secret.ts';
import type { OptionValue } from '../../../src/core/model/value.ts';
import type { SecretChange } from '../../../src/core/plan/plan.ts';
import { sidesOf } from '../../../src/core/report/sides.ts';

const base = {
  address: 'vt.options.o.value',
  option: 'o',
  label: 'change',
  risks: [],
  source: { file: 'a.yaml', line: 1, column: 1 },
} as const;

describe('a value is shown as people write it', () => {
  test.each<[OptionValue | null, string]>([
    [null, '(none)'],
    ['fast', 'fast'],
    ['', '""'],
    [' fast', '" fast"'],
    ['fast ', '"fast "'],
    ['fast\n', '"fast\\n"'],
    ['one\ntwo\n', 'one\ntwo\n'],
    [12, '12'],
    ['12', '"12"'],
    ['-1.50', '"-1.50"'],
    ['1.', '1.'],
    ['v12', 'v12'],
    ['12v', '12v'],
    [true, 'true'],
    ['true', '"true"'],
    ['false', '"false"'],
    ['null', '"null"'],
    ['untrue', 'untrue'],
    [{ display: 'Fast', value: 'f' }, 'f'],
    [
      [
        { display: 'A', value: 'a' },
        { display: 'B', value: 'b' },
      ],
      '[a, b]',
    ],
  ])('%j as %s', (before, expected) => {
    const sides = sidesOf({ ...base, field: 'value', sensitive: false, before, after: 'x' });
    expect(sides).toEqual({ before: expected, after: 'x' });
  });
});

test('a secret is shown as its reference, or as one', () => {
  const secret: SecretChange = {
    ...base,
    field: 'value',
    sensitive: true,
    before: hide('a'),
    after: hide('b'),
  };
  expect(sidesOf(secret)).toEqual({ before: '(sensitive)', after: '(sensitive)' });
  expect(sidesOf({ ...secret, unreadable: true, reference: '${env:SETPOINT_K}' })).toEqual({
    before: '(unreadable)',
    after: '${env:SETPOINT_K}',
  });
});
