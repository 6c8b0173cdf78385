import { describe, expect, test } from 'vitest';
import type { OptionValue } from '../../../../src/core/model/value.ts';
import type { ChangeDocument } from '../../../../src/core/plan/plan.ts';
import {
  type Sides,
  sidesOf,
  valueText,
} from '../../../../src/core/report/model/sides.ts';
import { changeOf } from '../../../support/documents.ts';

const choices = (...values: readonly string[]) =>
  values.map((value) => ({ display: value.toUpperCase(), value }));

/** Both sides of a change, of which nothing is set but what a test says. */
const sidesIn = (own: Partial<ChangeDocument>): Sides =>
  sidesOf(changeOf('vt', 1, { before: null, after: null, ...own }));

/** What a reader sees of a change: words of ours are in angle brackets. */
function shown({ before, after }: Sides): string {
  const text = ({ text, isWords }: Sides['before']) =>
    isWords ? `<${text}>` : text;
  return `${text(before)} -> ${text(after)}`;
}

interface Row {
  readonly name: string;
  readonly change: Partial<ChangeDocument>;
  readonly shown: string;
}

const secret = { secret: true, before: null, after: null } as const;
const reference = '${env:SETPOINT_KEY}';

describe('both sides of a change', () => {
  test.each<Row>([
    {
      name: 'a first secret',
      change: { ...secret, before: '', reference },
      shown: `<(not set)> -> ${reference}`,
    },
    {
      name: 'values that look like words of ours are in quotes',
      change: { before: '(hidden)', after: '(not set)' },
      shown: '"(hidden)" -> "(not set)"',
    },
    {
      name: 'a list that was empty',
      change: { before: [], after: choices('b') },
      shown: '<(not set)> -> b',
    },
  ])('$name', ({ change, shown: expected }) => {
    expect(shown(sidesIn(change))).toBe(expected);
  });

  test('have the value of the base only in a conflict', () => {
    const change = { before: 1, after: 2, base: 3 };
    expect(sidesIn({ ...change, label: 'conflict' }).base).toBe('3');
    expect(sidesIn({ ...change, label: 'change' }).base).toBeUndefined();
    const ofSecret = { ...change, label: 'conflict', secret: true } as const;
    expect(sidesIn(ofSecret).base).toBeUndefined();
  });

  test.each<[Partial<ChangeDocument>, boolean, boolean]>([
    [{ before: null, after: 1 }, true, false],
    [{ before: null, hidden: true, after: 1 }, false, false],
    [{ before: 1, after: '' }, false, true],
    [{ before: null, after: 1, declared: 'both' }, false, false],
    [{ before: 1, after: null, declared: 'before' }, false, true],
    [{ ...secret, before: '' }, true, false],
    [secret, false, false],
  ])('%j is new: %s, and gone: %s', (change, isNew, isGone) => {
    const sides = sidesIn(change);
    expect(sides.before.isNothing).toBe(isNew);
    expect(sides.after.isNothing).toBe(isGone);
  });
});

test.each<[OptionValue, string]>([
  ['plain', 'plain'],
  ['true', '"true"'],
  ['12.5', '"12.5"'],
  [' x', '" x"'],
  ['', '""'],
  ['(x) and (y)', '"(x) and (y)"'],
  [true, 'true'],
  [{ display: 'Fast', value: 'fast' }, 'fast'],
])('the value %j is written %s', (value, text) => {
  expect(valueText(value)).toBe(text);
});

test('an empty value of a reference is empty', () => {
  const { after } = sidesIn({ before: 'x', after: '', reference });
  expect([after.text, after.isNothing]).toEqual(['(empty)', true]);
});
