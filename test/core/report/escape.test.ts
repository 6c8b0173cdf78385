import { describe, expect, test } from 'vitest';
import {
  forLog,
  jsonDocument,
  visible,
} from '../../../src/core/report/escape.ts';

test('nothing in foreign text reaches the terminal as a command', () => {
  const hostile = 'a\u001b[31mb\u009b1mc\rd\u202ee\u200bf\u2028g\u0007';
  expect(visible(hostile)).toBe(
    'a\\u{1b}[31mb\\u{9b}1mc\\rd\\u{202e}e\\u{200b}f\\u{2028}g\\u{7}',
  );
  const json = jsonDocument({ hostile });
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
  expect(JSON.parse(json)).toEqual({ hostile });
});

describe('the line ends, tabs and marks of commands in foreign text', () => {
  test.each([
    ['a line end', 'a\nb\r\tc', 'a\\nb\\r\\tc'],
    [
      'a command of a runner',
      'x ##[error] ##vso[task]',
      'x #\\u{23}[error] #\\u{23}vso[task]',
    ],
    ['a heading', '## a [b]', '## a [b]'],
    ['one mark', '#[b]', '#[b]'],
    ['a blank of Braille', 'a\u2800b', 'a\\u{2800}b'],
    ['a character of two units', 'a\u{e0001}b', 'a\\u{e0001}b'],
  ])('%s', (_, text, expected) => {
    expect(visible(text)).toBe(expected);
  });
});

describe('a line of a log', () => {
  test.each([
    ['two colons at its start', '::stop', ':\\u{3a}stop'],
    ['behind blanks', 'a\n \t::stop', 'a\n \t:\\u{3a}stop'],
    ['behind a colour', '\u001b[1;31m::stop', '\u001b[1;31m:\\u{3a}stop'],
    [
      'behind the end of one',
      '\u001b[m\u001b[K::stop',
      '\u001b[m\u001b[K:\\u{3a}stop',
    ],
  ])('is no command by %s', (_, lines, expected) => {
    expect(forLog(lines)).toBe(expected);
  });
  test.each(['a::b', 'a ::b', ':a:', '# [a]', '## a [b]'])(
    'is as it is: %s',
    (line) => {
      expect(forLog(line)).toBe(line);
    },
  );
});
