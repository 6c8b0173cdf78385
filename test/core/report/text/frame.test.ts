import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { diagnostic } from '../../../../src/core/findings/diagnostic.ts';
import type {
  Place,
  SourceText,
  Span,
} from '../../../../src/core/model/place.ts';
import { sourceText } from '../../../support/config.ts';
import { renderedFindings } from '../../../support/rendered.ts';
import { seeds } from '../../../support/soak.ts';

/** The line with which a finding at a place is shown, and where the marks below it are. */
function frameOf(source: SourceText, place: Place, columns = 100) {
  const gutter = `  ${place.line} | `;
  const view = {
    sources: new Map([[place.file, source]]),
    width: columns + gutter.length,
  };
  const lines = renderedFindings(
    [diagnostic('yaml-syntax', { problem: 'x' }, place)],
    view,
  ).split('\n');
  const at = lines.findIndex((line) => line.startsWith(gutter));
  const [text = '', marks = ''] = lines
    .slice(at, at + 2)
    .map((line) => line.slice(gutter.length));
  return at < 0
    ? undefined
    : { text, start: marks.indexOf('^'), width: marks.trim().length };
}

/** The frame of a line in which nothing is hidden but these words. */
function framed(
  line: string,
  column: number,
  endColumn?: number,
  columns?: number,
) {
  const end = endColumn === undefined ? {} : { endColumn };
  const words = line.matchAll(/swordfish/g);
  const spans = [...words].map(
    ({ 0: found, index }): Span => [index, index + found.length],
  );
  const source = { text: line, hidden: () => spans };
  return frameOf(source, { file: 'a', line: 1, column, ...end }, columns);
}

/** The frame of a line of a whole file. */
function lineOf(text: string, line: number): string | undefined {
  return frameOf(sourceText(text), { file: 'a.yaml', line, column: 1 })?.text;
}

describe('a frame shows the line as it is, but for what is or may be a secret', () => {
  /** The frame of a part of a text below `values`, without its indentation. */
  const shown = (text: string, part: string) => {
    const indented = `values:\n${text.replace(/^/gm, '  ')}`;
    const before = indented.slice(0, indented.indexOf(part)).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    const frame = frameOf(sourceText(indented), {
      file: 'a.yaml',
      line: before.length,
      column,
      endColumn: column + part.length,
    });
    const { text: line = '', start = 2, width = 0 } = frame ?? {};
    return [line.slice(2), ' '.repeat(start - 2) + '^'.repeat(width)];
  };
  test.each([
    ['mode: fast', 'fast', ['mode: •••', '      ^^^']],
    ['apiKey: hunter', 'apiKey', ['apiKey: •••', '^^^^^^']],
    ['limit: 5 # was x7Gq2', '5', ['limit: 5 # •••', '       ^']],
    ['limit: -12.5', '-12.5', ['limit: -12.5', '       ^^^^^']],
    ['types: [1, one]', 'one', ['types: [1, •••]', '           ^^^']],
    ['pem: |\n  -----BEGIN\n  abc: def', 'abc: def', ['  •••', '  ^^^']],
  ])('%j at %j', (text, part, expected) => {
    expect(shown(text, part)).toEqual(expected);
  });
  test('nothing of an empty line, or behind the end', () => {
    const source = sourceText('values:\n  a: 1\n\n');
    for (const line of [3, 9])
      expect(frameOf(source, { file: 'a.yaml', line, column: 1 })).toBe(
        undefined,
      );
  });
  test('nor a key that is none of the format, or that all objects have', () => {
    expect(lineOf('hunter2: x', 1)).toBe('•••: •••');
    const inherited = 'constructor:\n  toString: x1';
    expect(lineOf(inherited, 2)).toBe('  toString: •••');
  });
  test.each([
    ['before what is hidden', 'mode', '^^^^'],
    ['on it', 'swordfish', '      ^^^'],
    ['inside of it', 'dfi', '      ^^^'],
    ['between two', 'fast', '          ^^^^'],
    ['behind it', 'end', `${' '.repeat(19)}^^^`],
  ])('the mark keeps its place %s', (_, marked, expected) => {
    const line = 'mode: swordfish fast swordfish end';
    const from = line.indexOf(marked) + 1;
    const frame = framed(line, from, from + marked.length);
    const { start = 0, width = 0 } = frame ?? {};
    expect(' '.repeat(start) + '^'.repeat(width)).toBe(expected);
  });
});

describe('what a finding is about is shown', () => {
  const text = `integrations:\n  vt: { options: { a: fsat, b: { display: F, value: fsat }, c: "x y" } }`;
  const source = sourceText(text);
  const placeOf = (part: string): Place => {
    const column = (text.split('\n')[1] ?? '').indexOf(part) + 1;
    const endColumn = column + part.length;
    return { file: 'a.yaml', line: 2, column, endColumn };
  };
  const about = { address: 'x', integration: 'x' };
  const wrong = (part: string, isShown: boolean) => {
    const facts = isShown ? { ...about, showsText: true as const } : about;
    return diagnostic('wrong-value', facts, placeOf(part));
  };
  const sources = new Map([['a.yaml', source]]);
  const frames = (...findings: Parameters<typeof renderedFindings>[0]) =>
    renderedFindings(findings, { sources, width: 200 })
      .split('\n')
      .filter((line) => line.startsWith('  2 |'))
      .map((line) => line.replace(/^.*options: /, ''));
  test.each([
    ['fsat', '{ a: fsat, b: { display: •••, value: ••• }, c: ••• } }'],
    [
      '{ display: F, value: fsat }',
      '{ a: •••, b: { display: F, value: fsat }, c: ••• } }',
    ],
    ['"x y"', '{ a: •••, b: { display: •••, value: ••• }, c: "x y" } }'],
  ])('if it says so: %s', (part, expected) => {
    expect(frames(wrong(part, true))).toEqual([expected]);
    expect(frames(wrong(part, false))[0]).not.toMatch(/fsat|x y/);
  });
  test('unless it may be a secret on another server', () => {
    const facts = { ...about, isCertain: true };
    const secret = diagnostic('plain-secret', facts, placeOf('fsat'));
    const [first = ''] = frames(wrong('fsat', true), secret);
    expect(first).not.toContain('fsat');
  });
});

test('a line is shown without what an editor does not show, but with what hides inside of it', () => {
  expect(framed('\ufeffmode: fast', 1)?.text).toBe('mode: fast');
  expect(framed('mode: fast\r', 1)?.text).toBe('mode: fast');
  expect(framed('a: \ufeffb\rc', 1)?.text).toBe('a: \\u{feff}b\\rc');
  expect(framed('a: x\u200by', 5)).toMatchObject({ start: 4, width: 8 });
  expect(framed('   ', 1)).toBeUndefined();
});

describe('a comment is hidden', () => {
  test.each([
    ['# was x7Gq2', '# •••'],
    ['#x7Gq2', '#•••'],
    ['a: 1 # one word', 'a: 1 # •••'],
    ['a: 1#x7Gq2', 'a: 1#x7Gq2'],
  ])('%s', (line, expected) => {
    expect(framed(line, 1)?.text).toBe(expected);
  });
  test('but a value that looks like one hides no line', () => {
    expect(lineOf('values: { a: "x1 #y2", b: 5 }', 1)).toBe(
      'values: { a: •••, b: 5 }',
    );
  });
});

test.each([
  ['- "key": x', '- "key": •••'],
  ["  - ?  'key' : x", "  - ?  'key' : •••"],
  ['key:', 'key:'],
  ['"key\': x', '•••'],
  ['key:x', '•••'],
  ['hunter2: x', '•••'],
  ['Swordfish: x', '•••'],
  ['x1 key: y', '•••'],
])('of a file that is no YAML the line %s is shown as %s', (text, expected) => {
  const source = { text, hidden: () => undefined };
  const place = { file: 'a', line: 1, column: 1 };
  expect(frameOf(source, place)?.text).toBe(expected);
});

test('what is hidden keeps the blanks before it, and may be found in any order', () => {
  const spans = [
    [5, 18],
    [0, 4],
  ] as const;
  const source = { text: 'fast:    swordfish end', hidden: () => spans };
  const place = { file: 'a', line: 1, column: 10, endColumn: 19 };
  const text = '•••:    ••• end';
  expect(frameOf(source, place)).toEqual({ text, start: 8, width: 3 });
});

describe('of a line that does not fit', () => {
  const line = `fast swordfish ${'x'.repeat(300)} end ${'x'.repeat(3_000)}`;
  test.each([
    [40, 41],
    [500, 101],
  ])('the beginning is shown: %d columns', (columns, length) => {
    const frame = framed(line, 6, 15, columns);
    expect(frame?.text).toMatch(/^fast ••• x+…$/);
    expect(frame?.text.length).toBe(length);
    expect([frame?.start, frame?.width]).toEqual([5, 3]);
  });
  test('or what is before the mark', () => {
    const at = line.indexOf('end');
    const frame = framed(line, at + 1, at + 4, 40);
    expect(frame?.text).toMatch(/^…x{15} end x+…$/);
    expect([frame?.start, frame?.width]).toEqual([17, 3]);
  });
  test('and as much of a long mark as fits', () => {
    const frame = framed(line, 16, 400, 40);
    expect([frame?.start, frame?.width]).toEqual([10, 30]);
  });
  test('nothing is shown very far behind', () => {
    expect(framed(line, 2_500)).toBeUndefined();
  });
});

test('no value that may be a secret comes through, in whatever style YAML writes it', () => {
  const canary = fc
    .string({ minLength: 4, maxLength: 30 })
    .map((text) => `c4${text}n4`);
  const style = fc.constantFrom(
    'PLAIN',
    'QUOTE_DOUBLE',
    'QUOTE_SINGLE',
    'BLOCK_LITERAL',
    'BLOCK_FOLDED',
  );
  fc.assert(
    fc.property(canary, style, fc.boolean(), (secret, type, isFlow) => {
      const options = { key: { value: secret }, other: secret, list: [secret] };
      const text = stringify(
        { integrations: { vt: { options } } },
        {
          defaultStringType: type,
          collectionStyle: isFlow ? 'flow' : 'block',
          defaultKeyType: 'PLAIN',
        },
      );
      const source = sourceText(text);
      for (const [index] of text.split('\n').entries()) {
        const place = { file: 'a', line: index + 1, column: 1 };
        expect(frameOf(source, place)?.text ?? '').not.toContain('c4');
      }
    }),
    { numRuns: seeds(150, 3_000) },
  );
});
