import { describe, expect, test } from 'vitest';
import type { ChangeDocument } from '../../../../src/core/plan/plan.ts';
import type { Run } from '../../../../src/core/report/model/text-diff.ts';
import { shownValue } from '../../../../src/core/report/model/value.ts';
import { changeOf } from '../../../support/documents.ts';

const textOf = (runs: readonly Run[]) => runs.map(({ text }) => text).join('');

/** A value as a reader meets it, each of its lines behind its mark. */
function linesOf(change: Partial<ChangeDocument>, isFull = false): string[] {
  const whole = changeOf('vt', 1, { before: null, after: null, ...change });
  const value = shownValue(whole, isFull);
  if (value.kind === 'line') {
    const { before, after } = value;
    const sides = before === undefined ? [after] : [before, after];
    return [`${value.mark} ${sides.map(textOf).join(' -> ')}`];
  }
  if (value.kind === 'members') {
    return value.members.map(({ mark, text }) => `${mark}${text}`);
  }
  return value.lines.map(({ mark, runs }) => `${mark} ${textOf(runs)}`);
}

const LONG = 'a'.repeat(50);

describe('a value', () => {
  test.each<[string, Partial<ChangeDocument>, readonly string[]]>([
    [
      'long JSON',
      {
        before: `{"limit":1,"host":"${LONG}"}`,
        after: `{"limit":2,"host":"${LONG}"}`,
      },
      [
        '  {',
        '-   "limit": 1,',
        '+   "limit": 2,',
        `    "host": "${LONG}"`,
        '  }',
      ],
    ],
    [
      'texts that differ in blanks',
      { before: 'a b', after: 'a  b' },
      ['~ "a b" -> "a  b"'],
    ],
    [
      'a newline at one end',
      { before: 'a\nb\n', after: 'a\nc' },
      ['  a', '- b', '+ c', '  (now without a newline at its end)'],
    ],
    [
      'letters from right to left',
      { before: 'שלום', after: 'עולם' },
      ['- שלום', '+ עולם'],
    ],
  ])('%s', (_, change, lines) => {
    expect(linesOf(change)).toEqual(lines);
  });

  test('is cut if it is very long, but not in full', () => {
    const change = { before: 'x'.repeat(999), after: `${'x'.repeat(999)}y` };
    expect(linesOf(change).join('\n')).toContain('(1,000 characters)');
    expect(linesOf(change, true)).toContain(`+ ${change.after}`);
  });
});
