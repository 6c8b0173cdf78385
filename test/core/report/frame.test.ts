import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { framer } from '../../../src/core/report/frame.ts';

/** The frame of a line below `values`, without its indentation: the line, and the marks below it. */
function shown(text: string, line: number, column: number, endColumn?: number): string[] {
  const span = endColumn === undefined ? {} : { endColumn: endColumn + 2 };
  const place = { file: 'a.yaml', line: line + 1, column: column + 2, ...span };
  const frame = framer(`values:\n${text.replace(/^(?=.)/gm, '  ')}`)(place);
  if (frame === undefined) return [];
  return [
    frame.text.replace(/^ {2}/, ''),
    `${' '.repeat(Math.max(0, frame.start - 2))}${'^'.repeat(frame.width)}`,
  ];
}

describe('a frame shows the line without its values', () => {
  test.each([
    ['a plain value', 'apiKey: hunter2 # old: x', [1, 9, 16], ['apiKey: ••• •••', '        ^^^']],
    ['a quoted value', '  apiKey: "hunter2"', [1, 11, 20], ['  apiKey: •••', '          ^^^']],
    ['a key', '  apiKey: hunter2', [1, 3, 9], ['  apiKey: •••', '  ^^^^^^']],
    [
      'a value in braces',
      'o: { value: hunter2, permission: locked }',
      [1, 34, 40],
      ['o: { value: •••, permission: ••• }', '                             ^^^'],
    ],
    ['a list', 'types: [one, two]', [1, 14, 17], ['types: [•••, •••]', '             ^^^']],
    ['a line inside a block', 'pem: |\n  -----BEGIN\n  abc: def\n', [3, 3, 11], ['  •••', '  ^^^']],
    ['an unclosed quote', 'a: "hunter2\nb: 1\n', [1, 4, 5], ['a: •••', '   ^^^']],
    [
      'what looks like a key behind a key',
      'password: hunter2: x',
      [1, 11, 18],
      ['password: •••: •••', '          ^^^'],
    ],
    ['an anchor and a tag', 'a: &hunter2 !hunter2 x', [1, 4, 5], ['a: ••• ••• •••', '   ^^^']],
    ['nothing where the line is empty', 'a: 1\n\n', [2, 1, 2], []],
    ['nothing behind the end', 'a: 1\n', [9, 1, 2], []],
  ] as const)('%s', (_, text, [line, column, end], expected) => {
    expect(shown(text, line, column, end)).toEqual(expected);
  });
  test.each([
    ['at its end where the mark is at its beginning', 1, /^k+…$/],
    ['at its beginning where the mark is at its end', 123, /^…k+: •••$/],
  ])('a long line is cut %s', (_, column, expected) => {
    const [text = '', marks = ''] = shown(`${'k'.repeat(120)}: value`, 1, column, column + 1);
    expect(text).toMatch(expected);
    expect(text.length).toBeLessThan(104);
    expect(marks.length).toBeLessThanOrEqual(text.length + 2);
  });
});

describe('a key is shown where the configuration has keys that people choose', () => {
  const frameOf = (text: string, line: number) => framer(text)({ file: 'a.yaml', line, column: 1 })?.text;
  test.each([
    [
      'options in braces',
      'integrations:\n  vt:\n    options: { apiKey: x, url: y }',
      3,
      '    options: { apiKey: •••, url: ••• }',
    ],
    ['an entry', 'integrations:\n  vt: { autosubscribed: true }', 2, '  vt: { autosubscribed: ••• }'],
    ['labels', 'servers:\n  eu:\n    labels: { tier: prod }', 3, '    labels: { tier: ••• }'],
    [
      'a word of the format, mistyped',
      'integrations: { vt: { options: { key: { valu: x } } } }',
      1,
      'integrations: { vt: { options: { key: { valu: ••• } } } }',
    ],
    [
      'what follows a block of text',
      'integrations:\n  vt:\n    options:\n      pem: |-\n        abc\n\n      host: x',
      7,
      '      host: •••',
    ],
    [
      'what follows a folded block with CRLF',
      'integrations:\r\n  vt:\r\n    options:\r\n      pem: >\r\n        abc\r\n      host: x',
      6,
      '      host: •••',
    ],
    [
      'what follows an empty block of text',
      'integrations:\n  vt:\n    options:\n      pem: |\n      host: x',
      5,
      '      host: •••',
    ],
    ['a key of the policy', 'policy:\n  exposes-secret: warn\n', 2, '  exposes-secret: •••'],
    ['a choice in a list', 'values:\n  a:\n    - display: x\n      value: y', 3, '    - display: •••'],
  ])('%s', (_, text, line, expected) => {
    expect(frameOf(text, line)).toBe(expected);
  });
  test.each([
    ['a block that lost its bar', 'values:\n  a:\n    hunter2: x', 3, '    •••: •••'],
    ['a member of a list', 'values:\n  a:\n    - hunter2: x', 3, '    - •••: •••'],
    ['a member of a list in brackets', 'values:\n  a: [hunter2: x]', 2, '  a: [•••: •••]'],
    [
      'a part of an option',
      'integrations:\n  vt:\n    options:\n      key:\n        hunter2: x',
      5,
      '        •••: •••',
    ],
    ['the root', 'hunter2: x', 1, '•••: •••'],
    ['a key of an entry', 'integrations:\n  vt:\n    hunter2: x', 3, '    •••: •••'],
    ['a key of a server', 'servers:\n  eu: { hunter2: x }', 2, '  eu: { •••: ••• }'],
    ['a line of a block of text', 'values:\n  a: |\n    x: y\n    hunter2: x\n', 4, '    •••'],
    [
      'braces that are the value of an option',
      'integrations:\n  vt:\n    options: { apiKey: {hunter2: x} }',
      3,
      '    options: { apiKey: {•••: •••} }',
    ],
    ['braces that are a named value', 'values:\n  a: {hunter2: x}', 2, '  a: {•••: •••}'],
    [
      'the next member of a list in brackets',
      'values:\n  a: [{display: x}, {hunter2: x}]',
      2,
      '  a: [{display: •••}, {•••: •••}]',
    ],
    ['what has blanks', 'values:\n  hunter2 a: x', 2, '  •••: •••'],
  ])('not %s', (_, text, line, expected) => {
    expect(frameOf(text, line)).toBe(expected);
  });
  test('nor one with other characters than letters, where the text is not valid YAML', () => {
    const frame = framer('values:\n  apiKey: {\n  hunter2: x', { isSound: false });
    const lines = [2, 3].map((line) => frame({ file: 'a.yaml', line, column: 1 })?.text);
    expect(lines).toEqual(['  apiKey: {', '  •••: •••']);
  });
});

test('no value ever comes through, in whatever style YAML writes it', () => {
  const canary = fc.string({ minLength: 4, maxLength: 30 }).map((text) => `ca${text}na`);
  const style = fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED');
  fc.assert(
    fc.property(canary, style, fc.boolean(), (secret, defaultStringType, flow) => {
      const value = { options: { key: { value: secret }, other: secret, list: [secret] } };
      const text = stringify(
        { integrations: { vt: value } },
        { defaultStringType, collectionStyle: flow ? 'flow' : 'block', defaultKeyType: 'PLAIN' },
      );
      const frame = framer(text);
      const lines = text
        .split('\n')
        .map((_, index) => frame({ file: 'a', line: index + 1, column: 1 })?.text ?? '');
      expect(lines.join('\n')).not.toContain('ca');
    }),
    { numRuns: 2_000 },
  );
});
