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
    const all = [error(9, 'b.yaml'), warning(7), error(2, 'b.yaml'), error(5)];
    const expected = ['a.yaml:7', 'a.yaml:5', 'b.yaml:2', 'b.yaml:9'];
    expect(places(shown(all))).toEqual(expected);
  });
  test('stand under the very columns behind wide characters and emoji', () => {
    const framed = (line: string, column: number, endColumn: number) => {
      const at = { file: 'a.yaml', line: 2, column, endColumn };
      const facts = { of: 'entry', name: 'vt' } as const;
      const found = diagnostic('idle-declaration', facts, at);
      const sources = new Map([['a.yaml', sourceText(`values:\n${line}\n`)]]);
      return shown([found], { sources }).split('\n').slice(2, 4);
    };
    expect(framed('  東京: x1', 5, 6)).toEqual([
      '  2 |   東京: •••',
      '    |       ^',
    ]);
    expect(framed('  a: "😀😀" # x1', 15, 17)).toEqual([
      '  2 |   a: ••• # •••',
      '    |            ^^^',
    ]);
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
    const misfits = Array.from({ length: 101 }, (_, index) => {
      const facts = { integration: `i${index}`, known: [`k${index}`] };
      return diagnostic('unknown-option', { key: 'x', ...facts }, place(2));
    });
    const shownPlaces = places(shown([...misfits, error(1), error(900)]));
    expect(shownPlaces).toEqual(['a.yaml:1', 'a.yaml:2', 'a.yaml:900']);
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
    const facts = { address, integration: 'vt' };
    const found = diagnostic('user-provides-value', facts, place(2));
    const lines = shown([found], { width: 44 }).split('\n');
    expect(lines.length).toBeGreaterThan(6);
    expect(lines.filter((line) => line.length > 44)).toEqual([]);
  });
});
