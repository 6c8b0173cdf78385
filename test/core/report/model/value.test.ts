import { describe, expect, test } from 'vitest';
import type { OptionValue } from '../../../../src/core/model/value.ts';
import type { ChangeDocument } from '../../../../src/core/plan/plan-document.ts';
import type { Run } from '../../../../src/core/report/model/text-diff.ts';
import {
  shownValue,
  sidesOf,
  valueText,
} from '../../../../src/core/report/model/value.ts';
import { changeOf } from '../../../support/documents.ts';

type Own = Partial<ChangeDocument>;

/** A change of which nothing is set but what a test says. */
const changed = (own: Own): ChangeDocument =>
  changeOf('vt', 1, { before: null, after: null, ...own });

const textOf = (runs: readonly Run[]) => runs.map(({ text }) => text).join('');

/** A value as a reader meets it, each of its lines behind its mark. */
function linesOf(own: Own): string[] {
  const value = shownValue(changed(own));
  if (value.lines !== undefined) {
    return value.lines.map(({ mark, runs }) => `${mark} ${textOf(runs)}`);
  }
  const { before, after, mark } = value;
  const sides = before === undefined ? [after] : [before, after];
  return [`${mark} ${sides.map(textOf).join(' -> ')}`];
}

const secret = { secret: true, before: null, after: null } as const;
const reference = '${env:SETPOINT_KEY}';

describe('a value', () => {
  test.each<[string, Own, readonly string[]]>([
    [
      'a first secret',
      { ...secret, before: '', reference },
      [`+ ${reference}`],
    ],
    [
      'values that look like words of ours',
      { before: '(hidden)', after: '(not set)' },
      ['~ "(hidden)" -> "(not set)"'],
    ],
    ['a list that was empty', { before: [], after: 'b' }, ['+ b']],
    ['an empty text', { before: 'x', after: '' }, ['- x -> (empty)']],
    ['blanks', { before: 'a b', after: 'a  b' }, ['~ a b -> a  b']],
    [
      'a newline at one end',
      { before: 'a\nb\n', after: 'a\nb' },
      ['  a', '  b', '- '],
    ],
    [
      'members of a text, whatever their order',
      { before: 'a,b,c,d,e,f,g,h,i', after: 'i,h,g,f,e,d,c,b,x' },
      ['~ -a +x'],
    ],
    [
      'letters from right to left',
      { before: 'שלום', after: 'עולם' },
      ['- שלום', '+ עולם'],
    ],
  ])('%s', (_, own, lines) => {
    expect(linesOf(own)).toEqual(lines);
  });
});

describe('both sides of a change', () => {
  test('have the value of the base only in a conflict', () => {
    const change = changed({ before: 1, after: 2, base: 3 });
    const conflict = { ...change, label: 'conflict' } as const;
    expect(sidesOf(conflict).base).toBe('3');
    expect(sidesOf(change).base).toBeUndefined();
    expect(sidesOf({ ...conflict, secret: true }).base).toBeUndefined();
  });

  test.each<[Own, string]>([
    [{ before: null, after: 1 }, '+'],
    [{ before: null, hidden: true, after: 1 }, '~'],
    [{ before: 1, after: '' }, '-'],
    [{ before: null, after: 1, declared: 'both' }, '~'],
    [{ before: 1, after: null, declared: 'before' }, '-'],
    [{ ...secret, before: '' }, '+'],
    [secret, '~'],
  ])('%j is marked %s', (own, mark) => {
    expect(shownValue(changed(own)).mark).toBe(mark);
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
