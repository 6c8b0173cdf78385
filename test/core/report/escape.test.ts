import { describe, expect, test } from 'vitest';
import { forLog, forTerminal, jsonForTerminal, shortened, visible } from '../../../src/core/report/escape.ts';

test('nothing in foreign text reaches the terminal as a command', () => {
  const hostile = 'a\u001b[31mb\u009b1mc\rd\u202ee\u200bf\u2028g\u0007';
  expect(forTerminal(hostile)).toBe('a\\u{1b}[31mb\\u{9b}1mc\\rd\\u{202e}e\\u{200b}f\\u{2028}g\\u{7}');
  const json = jsonForTerminal(JSON.stringify({ hostile }, null, 2));
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
  expect(JSON.parse(json)).toEqual({ hostile });
});

describe('the line ends, tabs and marks of commands in foreign text', () => {
  test.each([
    ['a line end', 'a\nb\r\tc', 'a\\nb\\r\\tc'],
    ['a command of a runner', 'x ##[error] ##vso[task]', 'x #\\u{23}[error] #\\u{23}vso[task]'],
    ['a heading', '## a [b]', '## a [b]'],
    ['one mark', '#[b]', '#[b]'],
    ['a blank of Braille', 'a\u2800b', 'a\\u{2800}b'],
    ['a character of two units', 'a\u{e0001}b', 'a\\u{e0001}b'],
  ])('%s', (_, text, expected) => {
    expect(visible(text)).toBe(expected);
  });
  test('JSON stays the same where they are astral', () => {
    const text = JSON.stringify({ a: '\u{e0001}\u007f' }, null, 2);
    expect(jsonForTerminal(text)).toBe('{\n  "a": "\\udb40\\udc01\\u007f"\n}');
  });
});

describe('a line of a log', () => {
  test.each([
    ['two colons at its start', '::stop', ':\\u{3a}stop'],
    ['behind blanks', 'a\n \t::stop', 'a\n \t:\\u{3a}stop'],
    ['behind a colour', '\u001b[1;31m::stop', '\u001b[1;31m:\\u{3a}stop'],
    ['behind the end of one', '\u001b[m\u001b[K::stop', '\u001b[m\u001b[K:\\u{3a}stop'],
  ])('is no command by %s', (_, lines, expected) => {
    expect(forLog(lines)).toBe(expected);
  });
  test.each(['a::b', 'a ::b', ':a:', '# [a]', '## a [b]'])('is as it is: %s', (line) => {
    expect(forLog(line)).toBe(line);
  });
});

describe('a text of many bytes', () => {
  test.each([
    ['of 64 KiB is whole', 'a'.repeat(65_536), true],
    ['of one byte more is cut', 'a'.repeat(65_537), false],
    ['of 64 KiB in wide characters is whole', `${'東'.repeat(21_845)}a`, true],
    ['of one byte more in them is cut', `${'東'.repeat(21_845)}ab`, false],
  ])('%s', (_, text, isWhole) => {
    expect(shortened(text) === text).toBe(isWhole);
  });
  test('is cut at a character, and says how many bytes are left out', () => {
    for (const start of ['', 'a', 'ab']) {
      const shown = shortened(start + '東'.repeat(30_000));
      const [, kept = '', rest] = /^(.*)… \((\d+) more bytes\)$/.exec(shown) ?? [];
      expect(kept).toMatch(/^a?b?東+$/);
      expect(Buffer.byteLength(kept) + Number(rest)).toBe(start.length + 90_000);
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(65_536);
    }
  });
  test.each(['\u001b', '\u001b[', '\u001b[1', '\u001b[1;3'])(
    'is cut before the colour %j that it would split',
    (part) => {
      // A line keeps 4,032 bytes beside the count.
      const line = `${'x'.repeat(4_032 - part.length)}${part}1m${'y'.repeat(200)}`;
      expect(forLog(line)).toMatch(/^x+… \(\d+ more bytes\)$/);
    },
  );
  test('needs no end of a colour where it has none', () => {
    expect(forLog('x'.repeat(5_000))).toMatch(/^x+… /);
  });
});
