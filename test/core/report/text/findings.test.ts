import { describe, expect, test } from 'vitest';
import {
  type Diagnostic,
  diagnostic,
} from '../../../../src/core/findings/diagnostic.ts';
import { sourceText } from '../../../support/config.ts';
import { renderedFindings } from '../../../support/rendered.ts';

const place = (line: number, file = 'a.yaml') => ({
  file,
  line,
  column: 3,
  endColumn: 4,
});
const warning = (line: number) =>
  diagnostic('idle-declaration', { of: 'entry', name: 'vt' }, place(line));
const error = (line: number, file?: string) =>
  diagnostic('ambiguous-scalar', {}, place(line, file));
const note = (line: number) =>
  diagnostic(
    'no-match',
    { selector: 'a', candidates: [], total: 0, isDefault: true },
    place(line),
  );

function shown(
  diagnostics: readonly Diagnostic[],
  view: Partial<Parameters<typeof renderedFindings>[1]> = {},
): string {
  const sources = new Map([['a.yaml', sourceText('values:\n  1: x1\n')]]);
  return renderedFindings(diagnostics, { sources, verbose: false, ...view });
}

/** The places in the order in which they are shown. */
function places(text: string): string[] {
  const found = text.matchAll(/^ {2}--> (\S+:\d+):3$/gm);
  return [...found].map(([, where = '']) => where);
}

describe('findings for a person', () => {
  test('come by their places, errors last', () => {
    expect(
      places(
        shown([error(9, 'b.yaml'), warning(7), error(2, 'b.yaml'), error(5)]),
      ),
    ).toEqual(['a.yaml:7', 'a.yaml:5', 'b.yaml:2', 'b.yaml:9']);
  });
  test.each([
    [
      'wide characters',
      '  \u6771\u4eac: x1',
      { column: 5, endColumn: 6 },
      ['  2 |   \u6771\u4eac: \u2022\u2022\u2022', '    |       ^'],
    ],
    [
      'an emoji in a value',
      '  a: "\u{1f600}\u{1f600}" # x1',
      { column: 15, endColumn: 17 },
      [
        '  2 |   a: \u2022\u2022\u2022 # \u2022\u2022\u2022',
        '    |            ^^^',
      ],
    ],
  ])('stand under the very columns behind %s', (_, line, span, expected) => {
    const found = diagnostic(
      'idle-declaration',
      { of: 'entry', name: 'vt' },
      { file: 'a.yaml', line: 2, ...span },
    );
    const sources = new Map([['a.yaml', sourceText(`values:\n${line}\n`)]]);
    expect(shown([found], { sources }).split('\n').slice(2, 4)).toEqual(
      expected,
    );
  });
  test('are at most 100; no error is hidden behind a warning, and the rest is counted', () => {
    const warnings = Array.from({ length: 150 }, (_, index) =>
      warning(index + 1),
    );
    const text = shown([...warnings, error(900), error(901)]);
    expect(places(text)).toHaveLength(100);
    expect(places(text).slice(-2)).toEqual(['a.yaml:900', 'a.yaml:901']);
    expect(text).toMatch(/\n52 more findings not shown\.\n$/);
  });
  test('count by mistakes: 101 findings of one leave room for others', () => {
    const misfits = Array.from({ length: 101 }, (_, index) =>
      diagnostic(
        'unknown-option',
        { key: 'x', integration: `i${index}`, known: [`k${index}`] },
        place(2),
      ),
    );
    expect(places(shown([...misfits, error(1), error(900)]))).toEqual([
      'a.yaml:1',
      'a.yaml:2',
      'a.yaml:900',
    ]);
  });
  test('leave notes to those who ask', () => {
    expect(places(shown([note(1), warning(2)]))).toEqual(['a.yaml:2']);
    expect(places(shown([note(1), warning(2)], { verbose: true }))).toEqual([
      'a.yaml:1',
      'a.yaml:2',
    ]);
    expect(shown([note(1)])).toBe('');
  });
  test('fit the terminal', () => {
    const address = `vt.options.${'k'.repeat(20)}.value`;
    const text = shown(
      [
        diagnostic(
          'user-provides-value',
          { address, integration: 'vt' },
          place(2),
        ),
      ],
      { width: 44 },
    );
    const lines = text.split('\n');
    expect(lines.length).toBeGreaterThan(6);
    expect(lines.filter((line) => line.length > 44)).toEqual([]);
  });
});
