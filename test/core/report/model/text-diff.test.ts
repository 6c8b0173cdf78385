import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changedLines,
  changedWords,
  type DiffLine,
  type Run,
  runsOn,
} from '../../../../src/core/report/model/text-diff.ts';

function marked(runs: readonly Run[]): string {
  return runs
    .map(({ mark, text }) => (mark === ' ' ? text : `[${mark}${text}]`))
    .join('');
}

function textOf({ runs }: DiffLine): string {
  return runs.map(({ text }) => text).join('');
}

function lineText(line: DiffLine): string {
  return `${line.mark} ${textOf(line)}`;
}

describe('two texts of one line', () => {
  test.each([
    [
      'https://a.example:8089',
      'https://b.example:8089',
      'https://[-a][+b].example:8089',
    ],
    [
      'search index=main | head 10',
      'search index=main | head 25',
      'search index=main | head [-10][+25]',
    ],
    ['same', 'same', 'same'],
    ['', 'new', '[+new]'],
    ['wholly', 'different words', '[-wholly][+different words]'],
  ])('%s and %s', (before, after, expected) => {
    expect(marked(changedWords(before, after))).toBe(expected);
  });

  test('lose nothing, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        (before, after) => {
          const runs = changedWords(before, after);
          const textOn = (side: '-' | '+') =>
            runsOn(side, runs)
              .map(({ text }) => text)
              .join('');
          expect(textOn('-')).toBe(before);
          expect(textOn('+')).toBe(after);
        },
      ),
    );
  });

  test('that have nothing in common are compared in a moment', () => {
    const words = (letter: string) => `${letter} `.repeat(20_000);
    expect(marked(changedWords(words('a'), words('b')))).toContain('[-a');
  });
});

describe('texts of several lines', () => {
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `line ${from + at}`);

  test('show two equal lines around a change, and count the others', () => {
    const before = numbers(0, 20).join('\n');
    const after = before.replace('line 10', 'line ten');
    expect(changedLines(before, after).map(lineText)).toEqual([
      ': (8 equal lines)',
      '  line 8',
      '  line 9',
      '- line 10',
      '+ line ten',
      '  line 11',
      '  line 12',
      ': (7 equal lines)',
    ]);
  });

  test('mark what a line has unlike the one that it replaces', () => {
    const before = 'a\nlimit 10\nz';
    const lines = changedLines(before, 'a\nlimit 20\nlimit 30\nz');
    expect(lines.map(({ runs }) => marked(runs))).toEqual([
      'a',
      'limit [-10]',
      'limit [+20]',
      '[+limit 30]',
      'z',
    ]);
  });

  test('lose nothing, whatever they are', () => {
    // Four equal lines in a row would be counted.
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(lines, lines, (old, now) => {
        fc.pre(old.join('\n') !== now.join('\n'));
        const shown = changedLines(old.join('\n'), now.join('\n'));
        const textOn = (side: '-' | '+') => {
          const texts: string[] = [];
          for (const line of shown) {
            if (line.mark === ' ' || line.mark === side)
              texts.push(textOf(line));
          }
          return texts;
        };
        expect(textOn('-')).toEqual(old);
        expect(textOn('+')).toEqual(now);
      }),
    );
  });
});
