import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { frameOf } from '../../../src/core/report/frame.ts';
import { sourceText } from '../../support/config.ts';

/** Finds nothing. */
const none = () => [];

/** Finds a word. */
const finding = (word: string) => (text: string) =>
  [...text.matchAll(new RegExp(word, 'g'))].map(({ index }) => [index, index + word.length] as const);

/** The frame of a line below `values`, without its indentation: the line, and the marks below it. */
function shown(text: string, line: number, column: number, endColumn?: number): string[] {
  const span = endColumn === undefined ? {} : { endColumn: endColumn + 2 };
  const place = { file: 'a.yaml', line: line + 1, column: column + 2, ...span };
  const frame = frameOf(sourceText(`values:\n${text.replace(/^(?=.)/gm, '  ')}`), place, none);
  if (frame === undefined) return [];
  return [
    frame.text.replace(/^ {2}/, ''),
    `${' '.repeat(Math.max(0, frame.start - 2))}${'^'.repeat(frame.width)}`,
  ];
}

/** The frame of a line of a whole file. */
function lineOf(text: string, line: number): string | undefined {
  return frameOf(sourceText(text), { file: 'a.yaml', line, column: 1 }, none)?.text;
}

describe('a frame shows the line as it is, but for what is or may be a secret', () => {
  test.each([
    ['a secret', 'apiKey: hunter # see the wiki', [1, 9, 15], ['apiKey: ••• # see the wiki', '        ^^^']],
    ['a secret in quotes', 'apiKey: "hunter"', [1, 9, 17], ['apiKey: •••', '        ^^^']],
    ['a key', 'apiKey: hunter', [1, 1, 7], ['apiKey: •••', '^^^^^^']],
    ['what may be a token', 'header: x7Gq2', [1, 9, 14], ['header: •••', '        ^^^']],
    ['a comment that may hold one', 'mode: fast # was x7Gq2', [1, 7, 11], ['mode: fast # •••', '      ^^^^']],
    ['words', 'mode: very fast', [1, 7, 16], ['mode: very fast', '      ^^^^^^^^^']],
    ['a number', 'limit: 0123', [1, 8, 12], ['limit: 0123', '       ^^^^']],
    [
      'an address',
      'url: https://x.example/api',
      [1, 6, 27],
      ['url: https://x.example/api', `     ${'^'.repeat(21)}`],
    ],
    ['a query', 'url: https://x.example/?key=a1', [1, 6, 31], ['url: •••', '     ^^^']],
    [
      'a reference',
      'apiKey: ${env:SETPOINT_K}',
      [1, 9, 26],
      ['apiKey: ${env:SETPOINT_K}', `        ${'^'.repeat(17)}`],
    ],
    ['a fallback', 'apiKey: ${env:SETPOINT_K:-x}', [1, 9, 29], ['apiKey: •••', '        ^^^']],
    ['a list', 'types: [one, tw0]', [1, 14, 17], ['types: [one, •••]', '             ^^^']],
    ['a line inside a block', 'pem: |\n  -----BEGIN\n  abc: def\n', [3, 3, 11], ['  •••', '  ^^^']],
    ['nothing where the line is empty', 'a: 1\n\n', [2, 1, 2], []],
    ['nothing after the end', 'a: 1\n', [9, 1, 2], []],
  ] as const)('%s', (_, text, [line, column, end], expected) => {
    expect(shown(text, line, column, end)).toEqual(expected);
  });
  test.each([
    ['a word of the format', 'integrations:\n  vt:\n    match: vt_3_*\n', 3, '    match: vt_3_*'],
    [
      'a permission',
      'integrations:\n  vt:\n    options: { k: { value: x1, permission: locked } }',
      3,
      '    options: { k: { value: •••, permission: locked } }',
    ],
    [
      'an option that is marked',
      'integrations:\n  vt:\n    options: { note: { value: fast, sensitive: true } }',
      3,
      '    options: { note: { value: •••, sensitive: true } }',
    ],
    ['a value under a key that is refused', 'values:\n  password: a\n  password: b', 3, '  password: •••'],
    ['what is refused as a whole', 'values:\n  a: *b1', 2, '  a: •••'],
    ['a key where none is expected', 'values:\n  a:\n    hunter2: x', 3, '    •••: x'],
    ['a value that is mistyped as a key', 'integrations:\n  vt:\n    hunter2: x', 3, '    •••: x'],
    ['the root', 'hunter2: x', 1, '•••: x'],
    [
      'a named value that a secret refers to',
      'values: { one: swordfish, two: "${value:one}", two: hunter, six: fast }\nintegrations:\n  vt:\n    options: { apiKey: "${value:two}" }',
      1,
      'values: { one: •••, two: "${value:one}", two: •••, six: fast }',
    ],
    [
      'a secret under a mistyped word',
      'integrations:\n  vt:\n    optoins: { url: x1 }',
      3,
      '    optoins: { url: ••• }',
    ],
  ])('%s', (_, text, line, expected) => {
    expect(lineOf(text, line)).toBe(expected);
  });
  test.each([
    ['password: { Value: swordfish }', 'password: { Value: ••• }'],
    ['apiKey: { vlaue: hunter, permission: hidden }', 'apiKey: { vlaue: •••, permission: hidden }'],
    ['pin: { value: swordfish, sensitve: true }', 'pin: { value: •••, sensitve: ••• }'],
    ['secret: { value: { nested: swordfish } }', 'secret: { value: { nested: ••• } }'],
    ['sensor: on', 'sensor: on'],
    ['note: { value: x7Gq2, sensitive: false }', 'note: { value: x7Gq2, sensitive: false }'],
    ['apiKey: { value: [x7Gq2], sensitive: false }', 'apiKey: { value: [x7Gq2], sensitive: false }'],
    [
      'note: { value: "${env:SETPOINT_K:-x7Gq2}", sensitive: false }',
      'note: { value: •••, sensitive: false }',
    ],
    ['note: { value: x7Gq2, sensitve: false }', 'note: { value: •••, sensitve: false }'],
    ['note: { vlaue: x7Gq2, sensitive: false }', 'note: { vlaue: •••, sensitive: false }'],
    [
      'note: { value: x7Gq2, sensitive: false, sens: true }',
      'note: { value: •••, sensitive: false, sens: ••• }',
    ],
  ])('inside an option: %s', (option, expected) => {
    const text = `integrations:\n  vt:\n    options: { mode: fast, ${option} }`;
    expect(lineOf(text, 3)).toBe(`    options: { mode: fast, ${expected} }`);
  });
  test('of one that says of all its options that they are none: nothing more', () => {
    const text = 'integrations:\n  vt:\n    sensitive: false\n    options: { apiKey: fast, note: x7Gq2 }';
    expect(lineOf(text, 4)).toBe('    options: { apiKey: •••, note: ••• }');
  });
  test.each([
    ['30s'],
    ['1.5 GB'],
    ['1,000'],
    ['80%'],
    ['2026-11-21T08:00:00Z'],
    ['08:30:00'],
    ['10.0.0.0/8'],
    ['10.0.0.1:8080'],
    ['db.corp.example:5432'],
    ['https://x.example/api/v2/items/17'],
    ['htps://x.example/'],
    ['https://https://x.example'],
    ['ip, url, 30s'],
  ])('a setting that is no secret: %s', (value) => {
    expect(shown(`limit: "${value}"`, 1, 1)[0]).toBe(`limit: "${value}"`);
    expect(shown(`vt: { value: "${value}" }`, 1, 1)[0]).toBe(`vt: { value: "${value}" }`);
    for (const key of ['apiKey', 'login', 'pin', 'clientCertificate'])
      expect(shown(`${key}: "${value}"`, 1, 1)[0]).toMatch(/: (•••|"[a-z:/.]+")$/);
  });
  test.each([
    ['Sommer-2024'],
    ['4711-0815-4711'],
    ['aB3.x9Q'],
    ['x7Gq2s'],
    ['https://u:p@x.example/'],
    ['https://x.example/services/T0K3N/B1'],
    ['fast, x7Gq2'],
    ['3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
  ])('what may be one: %s', (value) => {
    expect(shown(`limit: "${value}"`, 1, 1)[0]).toBe('limit: •••');
  });
  test.each([
    ['an unclosed quote', 'values:\n  apiKey: "hunter2\nb: 1\n', 2, '  apiKey: •••'],
    ['a key without a value', 'values:\n  apiKey: {\n  hunter2: x', 2, '  apiKey: •••'],
    ['a key that may be a value', 'values:\n  apiKey: {\n  hunter2: x', 3, '  •••'],
  ])('of what is no YAML, the first key of a line alone: %s', (_, text, line, expected) => {
    expect(lineOf(text, line)).toBe(expected);
  });
  test('a secret that is known from elsewhere', () => {
    const place = { file: 'a.yaml', line: 2, column: 9, endColumn: 13 };
    const frame = frameOf(sourceText('values:\n  mode: fast'), place, finding('fast'));
    expect(frame?.text).toBe('  mode: •••');
  });
  test.each([
    ['before what is hidden', 'mode', '^^^^'],
    ['on it', 'swordfish', '      ^^^'],
    ['inside of it', 'dfi', '      ^'],
    ['between two', 'fast', '          ^^^^'],
    ['behind it', 'end', `${' '.repeat(19)}^^^`],
  ])('the mark keeps its place %s', (_, marked, expected) => {
    const line = 'mode: swordfish fast swordfish end';
    const from = line.indexOf(marked) + 1;
    const place = { file: 'a.yaml', line: 1, column: from, endColumn: from + marked.length };
    const frame = frameOf({ text: line, hidden: () => [] }, place, finding('swordfish'));
    expect(' '.repeat(frame?.start ?? 0) + '^'.repeat(frame?.width ?? 0)).toBe(expected);
  });
  test.each([
    ['at its end where the mark is at its beginning', 1, /^k+…$/],
    ['at its beginning where the mark is at its end', 123, /^…k+: ab$/],
  ])('a long line is cut %s', (_, column, expected) => {
    const [text = '', marks = ''] = shown(`${'k'.repeat(120)}: ab`, 1, column, column + 1);
    expect(text).toMatch(expected);
    expect(text.length).toBeLessThan(104);
    expect(marks.length).toBeLessThanOrEqual(text.length + 2);
  });
});

test('no value that may be a secret comes through, in whatever style YAML writes it', () => {
  const canary = fc.string({ minLength: 4, maxLength: 30 }).map((text) => `c4${text}n4`);
  const style = fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED');
  fc.assert(
    fc.property(canary, style, fc.boolean(), (secret, defaultStringType, flow) => {
      const value = { options: { key: { value: secret }, other: secret, list: [secret] } };
      const text = stringify(
        { integrations: { vt: value } },
        { defaultStringType, collectionStyle: flow ? 'flow' : 'block', defaultKeyType: 'PLAIN' },
      );
      const source = sourceText(text);
      const lines = text
        .split('\n')
        .map((_, index) => frameOf(source, { file: 'a', line: index + 1, column: 1 }, none)?.text ?? '');
      expect(lines.join('\n')).not.toContain('c4');
    }),
    { numRuns: 2_000 },
  );
});
