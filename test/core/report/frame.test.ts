import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { framer } from '../../../src/core/report/frame.ts';

/** The frame as it is shown: the line, and the marks below it. */
function shown(text: string, line: number, column: number, endColumn?: number): string[] {
  const place = { file: 'a.yaml', line, column, ...(endColumn === undefined ? {} : { endColumn }) };
  const frame = framer(text)(place);
  return frame === undefined ? [] : [frame.text, `${' '.repeat(frame.start)}${'^'.repeat(frame.width)}`];
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
  test('a long line is cut', () => {
    const [text = ''] = shown(`${'k'.repeat(120)}: 1`, 1, 1);
    expect([...text].length).toBe(101);
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
