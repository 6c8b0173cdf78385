import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import type { WrittenValue } from '../../../src/core/model/value.ts';
import { yamlText } from '../../../src/core/yaml/yaml-text.ts';
import { NO_REFERENCES, validConfig } from '../../support/config.ts';
import { contentOf, valueIn } from '../../support/resolved.ts';
import { seeds } from '../../support/soak.ts';

describe('the shortest form', () => {
  test.each<[WrittenValue, string]>([
    ['fast', 'fast'],
    ['10.0.0.0/8', '"10.0.0.0/8"'],
    ['two words', 'two words'],
    ['', '""'],
    ['42', '"42"'],
    ['12:30', '"12:30"'],
    ['no', '"no"'],
    ['a: b', '"a: b"'],
    ['*', '"*"'],
    ['C:\\path', 'C:\\path'],
    ['say "hi": now', '\'say "hi": now\''],
    ['${env:HOME}', '$${env:HOME}'],
    [' padded ', '" padded "'],
    ['a\u200bb', '"a\\u200Bb"'],
    [42, '42'],
    [1e21, '"1e+21"'],
    [false, 'false'],
    [['ip', 'url'], '[ip, url]'],
    [['a,b', '1'], '["a,b", "1"]'],
    [[], '[]'],
    [{ value: '1', display: 'One' }, '{ value: "1", display: One }'],
    ['one\ntwo\n', '|\n    one\n    two'],
    ['one\n\n  two', '|-\n    one\n\n      two'],
    ['ends\n\n', '"ends\\n\\n"'],
  ])('of %j', (value, text) => {
    expect(yamlText(value, { indent: '    ' })).toBe(text);
  });
  test('a long list has a line for each', () => {
    const items = Array.from({ length: 12 }, (_, index) => `item-${index}`);
    expect(yamlText(items, { indent: '    ' })).toBe(
      items.map((item) => `\n    - ${item}`).join(''),
    );
  });
  test('quotes are kept where the text allows', () => {
    expect(yamlText("it's", { indent: '', quotes: 'single' })).toBe("'it''s'");
    expect(yamlText('a\u0007', { indent: '', quotes: 'single' })).toBe(
      '"a\\u0007"',
    );
  });
});

// U+FFFD stands for bytes that are no text, and is refused.
const grapheme = fc
  .string({ unit: 'grapheme' })
  .map((text) => text.replaceAll('\ufffd', ''));
const text = fc.oneof(
  grapheme,
  fc.string({
    unit: fc.constantFrom(
      ...'ab01 \n\t:#-?,[]{}&*!|>\'"%@`~=<.$+_\\\u0085\u2028\u200b',
    ),
  }),
  fc.constantFrom(
    'null',
    'Yes',
    'y',
    '~',
    '<<',
    '=',
    '---',
    '...',
    '0x1f',
    '1_000',
    '.inf',
    '1e3',
    '%YAML',
  ),
);
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
);
const value: fc.Arbitrary<WrittenValue> = fc.oneof(
  scalar,
  fc.record({ value: text, display: text }),
  fc.array(fc.oneof(scalar, fc.record({ value: text, display: text })), {
    maxLength: 12,
  }),
);
const style: fc.Arbitrary<Parameters<typeof yamlText>[1]> = fc.record(
  {
    indent: fc.constant('          '),
    isInFlow: fc.boolean(),
    quotes: fc.constantFrom('single', 'double'),
    newline: fc.constantFrom('\n', '\r\n'),
  },
  { requiredKeys: ['indent'] },
);

test('any value is read back, by other tools as by this one', () => {
  fc.assert(
    fc.property(value, style, (written, how) => {
      const yaml = yamlText(written, how);
      const option =
        how.isInFlow === true
          ? `{ value: ${yaml}, permission: lock-and-show }`
          : `\n        value: ${yaml}`;
      const file = `version: 1\nintegrations:\n  a:\n    match: a\n    options:\n      o: ${option}\n      p: next\n`;
      const expected = JSON.parse(JSON.stringify(written), (_, each) =>
        isExact(each) ? each : String(each),
      );
      for (const version of ['1.1', '1.2'] as const) {
        const { o, p } = parse(file, { version }).integrations.a.options;
        expect([p, unescaped(o.value)]).toEqual(['next', expected]);
      }
      const [entry] = resolveConfig(validConfig(file), NO_REFERENCES);
      const stored = Array.isArray(expected)
        ? expected.map(asChoice)
        : expected;
      expect(contentOf(valueIn(entry, 'o')?.want)).toEqual(stored);
    }),
    { numRuns: seeds(100, 5_000) },
  );
});

const isExact = (each: unknown) =>
  typeof each !== 'number' || Math.abs(each) <= Number.MAX_SAFE_INTEGER;
const unescaped = (read: unknown) =>
  JSON.parse(JSON.stringify(read).replaceAll('$${', () => '${'));

const asChoice = (each: unknown) =>
  typeof each === 'object'
    ? each
    : { display: String(each), value: String(each) };
