import { expect, test } from 'vitest';
import { forTerminal, jsonForTerminal } from '../../../src/core/report/escape.ts';

test('nothing in foreign text reaches the terminal as a command', () => {
  const hostile = 'a\u001b[31mb\u009b1mc\rd\u202ee\u200bf\u2028g\u0007';
  expect(forTerminal(hostile)).toBe('a\\u{1b}[31mb\\u{9b}1mc\\rd\\u{202e}e\\u{200b}f\\u{2028}g\\u{7}');
  const json = jsonForTerminal(JSON.stringify({ hostile }, null, 2));
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
  expect(JSON.parse(json)).toEqual({ hostile });
});
