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

/** Where a word is. */
const finding =
  (word: string) =>
  (text: string): readonly Span[] =>
    [...text.matchAll(new RegExp(word, 'g'))].map(
      ({ 0: found, index }) => [index, index + found.length] as const,
    );

/** The frame of a line below `values`, without its indentation: the line, and the marks below it. */
function shown(
  text: string,
  line: number,
  column: number,
  endColumn?: number,
): string[] {
  const span = endColumn === undefined ? {} : { endColumn: endColumn + 2 };
  const place = { file: 'a.yaml', line: line + 1, column: column + 2, ...span };
  const frame = frameOf(
    sourceText(`values:\n${text.replace(/^(?=.)/gm, '  ')}`),
    place,
  );
  if (frame === undefined) return [];
  return [
    frame.text.replace(/^ {2}/, ''),
    `${' '.repeat(Math.max(0, frame.start - 2))}${'^'.repeat(frame.width)}`,
  ];
}

/** The frame of a line of a whole file. */
function lineOf(text: string, line: number): string | undefined {
  return frameOf(sourceText(text), { file: 'a.yaml', line, column: 1 })?.text;
}

describe('a frame shows the line as it is, but for what is or may be a secret', () => {
  test.each([
    ['a text', 'mode: fast', [1, 7, 11], ['mode: •••', '      ^^^']],
    ['a key', 'apiKey: hunter', [1, 1, 7], ['apiKey: •••', '^^^^^^']],
    [
      'a comment',
      'limit: 5 # was x7Gq2',
      [1, 8, 9],
      ['limit: 5 # •••', '       ^'],
    ],
    ['a number', 'limit: -12.5', [1, 8, 13], ['limit: -12.5', '       ^^^^^']],
    [
      'a list',
      'types: [1, one]',
      [1, 12, 15],
      ['types: [1, •••]', '           ^^^'],
    ],
    [
      'a line inside a block',
      'pem: |\n  -----BEGIN\n  abc: def\n',
      [3, 3, 11],
      ['  •••', '  ^^^'],
    ],
    ['nothing where the line is empty', 'a: 1\n\n', [2, 1, 2], []],
    ['nothing after the end', 'a: 1\n', [9, 1, 2], []],
  ] as const)('%s', (_, text, [line, column, end], expected) => {
    expect(shown(text, line, column, end)).toEqual(expected);
  });
  test.each([
    ['the root', 'hunter2: x', 1, '•••: •••'],
    [
      'a key that all objects have',
      'constructor:\n  toString: x1',
      2,
      '  toString: •••',
    ],
  ])('%s', (_, text, line, expected) => {
    expect(lineOf(text, line)).toBe(expected);
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
    const place = {
      file: 'a.yaml',
      line: 1,
      column: from,
      endColumn: from + marked.length,
    };
    const frame = frameOf(
      { text: line, hidden: () => finding('swordfish')(line) },
      place,
    );
    expect(' '.repeat(frame?.start ?? 0) + '^'.repeat(frame?.width ?? 0)).toBe(
      expected,
    );
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
  const wrong = (part: string, isShown: boolean) =>
    diagnostic(
      'wrong-value',
      {
        address: 'x',
        integration: 'x',
        ...(isShown ? { showsText: true } : {}),
      },
      placeOf(part),
    );
  const frames = (...findings: Parameters<typeof renderedFindings>[0]) =>
    renderedFindings(findings, {
      sources: new Map([['a.yaml', source]]),
      width: 200,
    })
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
    const [first = ''] = frames(
      wrong('fsat', true),
      diagnostic(
        'plain-secret',
        { address: 'x', integration: 'x', isCertain: true },
        placeOf('fsat'),
      ),
    );
    expect(first).not.toContain('fsat');
  });
});

/** The frame of a line in which nothing is hidden but these words. */
function framed(
  line: string,
  column: number,
  endColumn?: number,
  words = 'swordfish',
  columns?: number,
) {
  const end = endColumn === undefined ? {} : { endColumn };
  const source = { text: line, hidden: () => finding(words)(line) };
  return frameOf(source, { file: 'a', line: 1, column, ...end }, columns);
}

describe('a line is shown without what an editor does not show', () => {
  test.each([
    ['a mark of the byte order', '\ufeffmode: fast', 'mode: fast'],
    ['the end of a line on Windows', 'mode: fast\r', 'mode: fast'],
  ])('%s', (_, line, expected) => {
    expect(framed(line, 1)?.text).toBe(expected);
  });
  test('but with what hides inside of it', () => {
    expect(framed('a: \ufeffb\rc', 1)?.text).toBe('a: \\u{feff}b\\rc');
    expect(framed('a: x\u200by', 5)).toMatchObject({ start: 4, width: 8 });
    expect(framed('   ', 1)).toBeUndefined();
  });
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
  expect(
    frameOf(
      { text, hidden: () => undefined },
      { file: 'a', line: 1, column: 1 },
    )?.text,
  ).toBe(expected);
});

test('what is hidden keeps the blanks before it, and may be found in any order', () => {
  const spans = [
    [5, 18],
    [0, 4],
  ] as const;
  const source = { text: 'fast:    swordfish end', hidden: () => spans };
  const frame = frameOf(source, {
    file: 'a',
    line: 1,
    column: 10,
    endColumn: 19,
  });
  expect(frame).toEqual({ text: '•••:    ••• end', start: 8, width: 3 });
});

describe('of a line that does not fit', () => {
  const line = `fast swordfish ${'x'.repeat(300)} end ${'x'.repeat(3_000)}`;
  test.each([
    [40, 41],
    [500, 101],
  ])('the beginning is shown: %d columns', (columns, length) => {
    const frame = framed(line, 6, 15, undefined, columns);
    expect(frame?.text).toMatch(/^fast ••• x+…$/);
    expect(frame?.text.length).toBe(length);
    expect([frame?.start, frame?.width]).toEqual([5, 3]);
  });
  test('or what is before the mark', () => {
    const at = line.indexOf('end');
    const frame = framed(line, at + 1, at + 4, undefined, 40);
    expect(frame?.text).toMatch(/^…x{15} end x+…$/);
    expect([frame?.start, frame?.width]).toEqual([17, 3]);
  });
  test('and as much of a long mark as fits', () => {
    const frame = framed(line, 16, 400, undefined, 40);
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
    fc.property(
      canary,
      style,
      fc.boolean(),
      (secret, defaultStringType, flow) => {
        const value = {
          options: { key: { value: secret }, other: secret, list: [secret] },
        };
        const text = stringify(
          { integrations: { vt: value } },
          {
            defaultStringType,
            collectionStyle: flow ? 'flow' : 'block',
            defaultKeyType: 'PLAIN',
          },
        );
        const source = sourceText(text);
        const lines = text
          .split('\n')
          .map(
            (_, index) =>
              frameOf(source, { file: 'a', line: index + 1, column: 1 })
                ?.text ?? '',
          );
        expect(lines.join('\n')).not.toContain('c4');
      },
    ),
    { numRuns: seeds(150, 3_000) },
  );
});
