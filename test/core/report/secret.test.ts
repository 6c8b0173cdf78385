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
  const holds = secretDetector(scrubber(['hunter22-long', 'abcd', 'no']));
  expect(
    [
      'https://x/?k=hunter22-long',
      { display: 'hunter22-long', value: 'v' },
      [{ display: 'd', value: 'hunter22-long' }],
      'abcd',
    ].map(holds),
  ).toEqual([true, true, true, true]);
  expect(['hunter', 5, 'xabcdx', 'no'].map(holds)).toEqual([false, false, false, false]);
});

test.each([
  ['a part of a URL', 'hunter2xyz', 'https://x.example.com/?key=hunter2xyz'],
  ['a short word', 'abcd', 'https://x.example.com/?key=abcd'],
  ['encoded', 'hunter2/xyz', 'https://x.example.com/?key=hunter2%2Fxyz'],
  ['in capitals', 'hunter2xyz', 'HUNTER2XYZ'],
])('what text hides is a secret for all formats: %s', (_, secret, text) => {
  expect(scrubber([secret])(text)).toContain('[secret]');
  expect(secretDetector(scrubber([secret]))(text)).toBe(true);
});

test('nothing in foreign text reaches the terminal as a command', () => {
  const hostile = 'a\u001b[31mb\u009b1mc\rd\u202ee\u200bf\u2028g\u0007';
  expect(forTerminal(hostile)).toBe('a\\u{1b}[31mb\\u{9b}1mc\\rd\\u{202e}e\\u{200b}f\\u{2028}g\\u{7}');
  const json = jsonForTerminal(JSON.stringify({ hostile }, null, 2));
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
  expect(JSON.parse(json)).toEqual({ hostile });
});

describe('a secret is found in the forms in which a server gives it back', () => {
  const secret = ' s3cret&"Key"/of é \n';
  const pem = '-----BEGIN KEY-----\nMIIBlineOne==\nlineTwoOfIt\n-----END KEY-----\n';
  test.each([
    ['trimmed', secret, `bad: ${secret.trim()}`],
    ['in JSON', secret, JSON.stringify({ value: secret.trim() })],
    ['in JSON inside of JSON', secret, JSON.stringify(JSON.stringify({ value: secret.trim() }))],
    ['with escaped letters', secret, 's3cret&\\"Key\\"/of \\u00e9'],
    ['with escaped slashes', secret, 's3cret&\\"Key\\"\\/of é'],
    ['in a URL', secret, encodeURIComponent(secret.trim())],
    ['in a URL, in small letters', secret, encodeURIComponent(secret.trim()).toLowerCase()],
    ['in a form', secret, encodeURIComponent(secret.trim()).replaceAll('%20', '+')],
    ['in HTML', secret, '<b>s3cret&amp;&quot;Key&quot;/of é</b>'],
    ['in capitals', secret, secret.trim().toUpperCase()],
    ['in Base64', secret, Buffer.from(secret.trim()).toString('base64')],
    ['a line of several', pem, 'cannot parse line "MIIBlineOne=="'],
    ['several lines on one', pem, pem.replaceAll('\n', ' ')],
  ])('%s', (_, one, text) => {
    const clean = scrubber([one])(text);
    expect(clean).not.toBe(text);
    expect(clean.toLowerCase()).not.toMatch(/s3cret|key|lineone|linetwo|czncm/);
  });
  test('the frame of a key is none of it', () => {
    expect(scrubber([pem])('-----BEGIN KEY-----')).toBe('-----BEGIN KEY-----');
  });
  test('short ones only in their very case', () => {
    expect(scrubber(['Pass'])('pass Pass')).toBe('pass [secret]');
  });
});
