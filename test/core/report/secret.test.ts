import { describe, expect, test } from 'vitest';
import { forTerminal, jsonForTerminal } from '../../../src/core/report/escape.ts';
import { scrubber, secretDetector } from '../../../src/core/report/secret.ts';

describe('known secrets are taken out of foreign text', () => {
  const scrub = scrubber(['p"ä/ss w0rd', 'abc']);
  test.each([
    ['as it is', 'bad value p"ä/ss w0rd!', 'bad value [secret]!'],
    ['in JSON', JSON.stringify({ v: 'p"ä/ss w0rd' }), '{"v":"[secret]"}'],
    ['in a URL', `?q=${encodeURIComponent('p"ä/ss w0rd')}`, '?q=[secret]'],
    ['in Base64', `Basic ${Buffer.from('p"ä/ss w0rd').toString('base64')}`, 'Basic [secret]'],
    ['too short to be found', 'abc', 'abc'],
  ])('%s', (_, text, expected) => {
    expect(scrub(text)).toBe(expected);
  });
  test('the longer of two secrets goes first', () => {
    expect(scrubber(['abcd', 'abcdefgh'])('xabcdefghx')).toBe('x[secret]x');
  });
});

test('a value that holds a known secret is found', () => {
  const holds = secretDetector(['hunter22', 'abc']);
  expect(
    [
      'https://x/?k=hunter22',
      { display: 'hunter22', value: 'v' },
      [{ display: 'd', value: 'hunter22' }],
      'abc',
    ].map(holds),
  ).toEqual([true, true, true, true]);
  expect(['hunter', 5, 'xabcx'].map(holds)).toEqual([false, false, false]);
});

test('nothing in foreign text reaches the terminal as a command', () => {
  const hostile = 'a\u001b[31mb\u009b1mc\rd\u202ee\u200bf\u2028g\u0007';
  expect(forTerminal(hostile)).toBe('a\\u{1b}[31mb\\u{9b}1mc\\rd\\u{202e}e\\u{200b}f\\u{2028}g\\u{7}');
  const json = jsonForTerminal(JSON.stringify({ hostile }, null, 2));
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
  expect(JSON.parse(json)).toEqual({ hostile });
});
