import { expect, test } from 'vitest';
import type { ChangeDocument } from '../../../../src/core/plan/plan.ts';
import { sideLines } from '../../../../src/core/report/model/side-lines.ts';
import { sidesOf } from '../../../../src/core/report/model/sides.ts';

interface LinesCase {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly own?: Partial<ChangeDocument>;
  /** The lines with their marks. */
  readonly lines: readonly string[];
}

const CASES: readonly LinesCase[] = [
  {
    name: 'lines that come',
    before: 'a\nb',
    after: 'a\nx\nb',
    lines: [' a', '+x', ' b'],
  },
  {
    name: 'a text that was not set',
    before: null,
    after: 'a\nb\n',
    lines: ['+a', '+b'],
  },
  {
    name: 'a text that is no longer declared',
    before: 'a\nb',
    after: null,
    own: { declared: 'before' },
    lines: ['-a', '-b'],
  },
  {
    name: 'a text in place of a hidden one',
    before: null,
    after: 'a\nb',
    own: { hidden: true },
    lines: ['-(hidden)', '+a', '+b'],
  },
  {
    name: 'a line end alone',
    before: 'a\nb\n',
    after: 'a\nb',
    lines: [':2', ' (now without a newline at its end)'],
  },
  {
    name: 'long JSON by its members',
    before: '{"one":"1111111111111111111","two":"2222222222222222222222"}',
    after: '{"one":"1111111111111111111","two":"3333333333333333333333"}',
    lines: [
      ' {',
      '   "one": "1111111111111111111",',
      '-  "two": "2222222222222222222222"',
      '+  "two": "3333333333333333333333"',
      ' }',
    ],
  },
  {
    name: 'the blanks of JSON alone',
    before: '["aaaaaaaaaaaaaaaaaaaaa","bbbbbbbbbbbbbbbbbbbbbbbbbb"]',
    after: '["aaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbb"]',
    lines: [
      '-["aaaaaaaaaaaaaaaaaaaaa","bbbbbbbbbbbbbbbbbbbbbbbbbb"]',
      '+["aaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbb"]',
    ],
  },
];

test.each(CASES)('$name', ({ before, after, own, lines }) => {
  const shown: string[] = [];
  for (const line of sideLines(sidesOf({ before, after, ...own }))) {
    shown.push(line.mark === ':' ? `:${line.count}` : line.mark + line.text);
  }
  expect(shown).toEqual(lines);
});
