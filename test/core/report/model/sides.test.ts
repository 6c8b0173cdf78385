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

test('a value that is no secret stands itself, whatever it is from', () => {
  const { before, after } = sidesIn({ before: 10, after: 20, reference });
  expect([before.text, after.text]).toEqual(['10', '20']);
});

test.each([
  ['a secret', { before: null, after: null, secret: true, reference }],
  ['what was not read', { before: 10, after: null, reference }],
] as const)('%s stands as its reference', (_, change) => {
  const { after } = sidesIn(change);
  expect([after.text, after.isWords, after.isNothing]).toEqual([
    reference,
    false,
    false,
  ]);
});

test('an empty value of a reference is empty', () => {
  const { after } = sidesIn({ before: 'x', after: '', reference });
  expect([after.text, after.isNothing]).toEqual(['(empty)', true]);
});
