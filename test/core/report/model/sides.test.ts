import { describe, expect, test } from 'vitest';
import type { OptionValue } from '../../../../src/core/model/value.ts';
import {
  type Sides,
  sidesOf,
  type TwoSided,
  valueText,
} from '../../../../src/core/report/model/sides.ts';

const choices = (...values: readonly string[]) =>
  values.map((value) => ({ display: value.toUpperCase(), value }));

/** What a reader sees of a change: words of ours are in angle brackets. */
function shown({ before, after }: Sides): string {
  const text = ({ text, isWords }: Sides['before']) =>
    isWords ? `<${text}>` : text;
  return `${text(before)} -> ${text(after)}`;
}

interface Row {
  readonly name: string;
  readonly change: Partial<TwoSided>;
  readonly shown: string;
}

const secret = { secret: true, before: null, after: null } as const;
const reference = '${env:SETPOINT_KEY}';

describe('both sides of a change', () => {
  test.each<Row>([
    {
      name: 'two numbers',
      change: { before: 1, after: 2 },
      shown: '1 -> 2',
    },
    {
      name: 'nothing is set',
      change: { before: null, after: 2 },
      shown: '<(not set)> -> 2',
    },
    {
      name: 'a value is emptied',
      change: { before: 'x', after: '' },
      shown: 'x -> <(empty)>',
    },
    {
      name: 'the server hides it',
      change: { before: null, hidden: true, after: 2 },
      shown: '<(hidden)> -> 2',
    },
    {
      name: 'a secret without a reference',
      change: secret,
      shown: '<(secret)> -> <(secret)>',
    },
    {
      name: 'a first secret',
      change: { ...secret, before: '', reference },
      shown: `<(not set)> -> ${reference}`,
    },
    {
      name: 'a diff adds a field',
      change: { before: null, after: 2, declared: 'after' },
      shown: '<(not declared)> -> 2',
    },
    {
      name: 'a diff removes a field',
      change: { before: 2, after: null, declared: 'before' },
      shown: '2 -> <(no longer declared)>',
    },
    {
      name: 'a diff changes a reference',
      change: { ...secret, beforeReference: '${env:OLD}', reference },
      shown: `\${env:OLD} -> ${reference}`,
    },
    {
      name: 'values that look like words of ours are in quotes',
      change: { before: '(hidden)', after: '(not set)' },
      shown: '"(hidden)" -> "(not set)"',
    },
    {
      name: 'lists of choices',
      change: { before: choices('a', 'b'), after: choices('b', 'c') },
      shown: 'a, b -> b, c',
    },
    {
      name: 'a list that was empty',
      change: { before: [], after: choices('b') },
      shown: '<(not set)> -> b',
    },
  ])('$name', ({ change, shown: expected }) => {
    const whole = { before: null, after: null, ...change };
    expect(shown(sidesOf(whole))).toBe(expected);
  });

  test('have the value of the base only in a conflict', () => {
    const change = { before: 1, after: 2, base: 3 };
    expect(sidesOf({ ...change, label: 'conflict' }).base).toBe('3');
    expect(sidesOf({ ...change, label: 'change' }).base).toBeUndefined();
    const ofSecret = { ...change, label: 'conflict', secret: true } as const;
    expect(sidesOf(ofSecret).base).toBeUndefined();
  });

  test.each<[Partial<TwoSided>, boolean, boolean]>([
    [{ before: null, after: 1 }, true, false],
    [{ before: null, hidden: true, after: 1 }, false, false],
    [{ before: 1, after: '' }, false, true],
    [{ before: null, after: 1, declared: 'both' }, false, false],
    [{ before: 1, after: null, declared: 'before' }, false, true],
    [{ ...secret, before: '' }, true, false],
    [secret, false, false],
  ])('%j is new: %s, and gone: %s', (change, isNew, isGone) => {
    const sides = sidesOf({ before: null, after: null, ...change });
    expect(sides).toMatchObject({ isNew, isGone });
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
