import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scrubber } from '../../../src/core/scrub/scrubber.ts';
import { FORMS, hardSecret } from '../../support/secret-forms.ts';

const cleanOf = (secrets: readonly string[], text: string) => scrubber(secrets).clean(text);

describe('a secret is taken out of a text', () => {
  test.each(Object.entries(FORMS))('%s', (_, form) =>
    fc.assert(
      fc.property(hardSecret, fc.constantFrom('', 'İ: ', 'bad value <'), (secret, before) => {
        const written = form(secret);
        const clean = cleanOf([secret], `${before}${written}, said the server`);
        // What is left of a form are its own marks, never a run of its characters.
        expect(clean.startsWith(before)).toBe(true);
        expect(clean).toContain(', said the server');
        expect(clean).toContain('(secret)');
        expect(longestCommon(clean.replaceAll('(secret)', ''), written)).toBeLessThan(8);
      }),
    ),
  );
  test.each([
    ['the longer of two', ['abcdefgh', 'abcdefghijkl'], 'xabcdefghijklx', 'x(secret)x'],
    ['two that overlap', ['abcdefgh', 'efghijkl'], 'xabcdefghijklx', 'x(secret)x'],
    ['one inside of another', ['abcdefghijkl', 'cdefghij'], 'abcdefghijkl', '(secret)'],
    ['each time', ['abcdefgh'], 'abcdefgh abcdefgh', '(secret) (secret)'],
    ['a short one as a word', ['Pass', 'a"b'], 'Pass, or (Pass)', '(secret), or ((secret))'],
    ['a short one in JSON', ['a"bc'], '{"x":"a\\"bc"}', '{"x":"(secret)"}'],
    ['a short one in Base64', ['Pw1x'], Buffer.from('user:Pw1x').toString('base64'), 'dXNlcj(secret)'],
    ['of marks alone', ['"\'"\'+ "\'"'], 'is "\'"\'+ "\'".', 'is (secret).'],
  ])('%s', (_, secrets, text, expected) => {
    expect(cleanOf(secrets, text)).toBe(expected);
  });
  test('several lines: whole, on one line, and each line alone', () => {
    const pem = '-----BEGIN KEY-----\nMIIBlineOne==\nlineTwoOfIt\n-----END KEY-----\n';
    for (const text of [pem, pem.replaceAll('\n', ' '), 'cannot parse "MIIBlineOne=="', JSON.stringify(pem)])
      expect(cleanOf([pem], text)).not.toMatch(/line(One|Two)/);
    expect(cleanOf([pem], '-----BEGIN KEY-----')).toBe('-----BEGIN KEY-----');
  });
});

describe('programs write bytes in other ways too', () => {
  const secret = 'pässwörtchen-9Z';
  const codes = (write: (code: number) => string) =>
    [...Buffer.from('Tr0ub4dor-3xyzzyQ')].map(write).join('');
  test.each([
    ['Latin-1 in a URL', 'p%E4ssw%F6rtchen-9Z'],
    ['Latin-1 in Base64', Buffer.from(secret, 'latin1').toString('base64')],
    ['a buffer of Node in JSON', JSON.stringify(Buffer.from(secret))],
    ['octal escapes', codes((code) => `\\${code.toString(8).padStart(3, '0')}`)],
    ['UTF-16 in Base64', Buffer.from('Tr0ub4dor-3xyzzyQ', 'utf16le').toString('base64')],
    ['Base64 in Base64', Buffer.from(Buffer.from('Tr0ub4dor-3xyzzyQ').toString('base64')).toString('base64')],
    ['quoted-printable', codes((code) => `=${code.toString(16).toUpperCase()}`)],
    ['long escapes', codes((code) => `\\U${code.toString(16).padStart(8, '0')}`)],
    ['escapes of old scripts', codes((code) => `%u${code.toString(16).padStart(4, '0')}`)],
    ['entities without an end', codes((code) => `&#${code}`)],
    ['NUL between letters', [...'Tr0ub4dor-3xyzzyQ'].join('\0')],
  ])('%s', (_, text) => {
    expect(cleanOf([secret, 'Tr0ub4dor-3xyzzyQ'], text)).toContain('(secret)');
  });
});

test('names keep secrets that are mere words, which they hold by chance', () => {
  const { name, clean } = scrubber(['node', 'Production', 'hunter2-hunter2']);
  expect(name('my_node_18 in Production')).toBe('my_node_18 in Production');
  expect(clean('my_node_18 in Production')).toBe('my_(secret)_18 in (secret)');
  expect(name('hunter2-hunter2')).toBe('(secret)');
});

test('a text that is too long to be searched is not shown', () => {
  expect(cleanOf(['hunter2-hunter2'], 'a'.repeat(8_000_000))).toMatch(/^\(not shown: it is too long/);
});

describe('what is no secret stays', () => {
  test.each([
    ['a short one inside of a word', ['Pass'], 'Passes Compass pass'],
    ['one too short to be found', ['abc', 'x', ''], 'abc x'],
    ['booleans', ['true', 'false'], 'true or false'],
    ['anything where there is no secret', [], 'a \\u0041 %41 &amp; aGVsbG8gd29ybGQ='],
  ])('%s', (_, secrets, text) => {
    expect(cleanOf(secrets, text)).toBe(text);
  });
  test('all other text, whatever it is', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(cleanOf(['QXZJKWVQUXZ-0987-QXZJ'], text)).toBe(text);
      }),
    ));
});

describe("a server's text", () => {
  const { said } = scrubber(['correct-horse-battery', 'https://hooks.example/a']);
  test.each([
    ['without a part of a secret is shown', 'The value is too long.', 'The value is too long.'],
    ['that repeats six characters of one is not shown', 'It begins with orrect.', undefined],
    ['that repeats them in capitals', 'HORSE-BA', undefined],
    ['that repeats them in Base64', Buffer.from('starts with correct-h').toString('base64'), undefined],
    ['that repeats all of one is shown without it', 'no key: correct-horse-battery', 'no key: (secret)'],
    ['that repeats five is shown', 'is corre', 'is corre'],
    ['with an address, which is no part of a secret one', 'see https://x.io', 'see https://x.io'],
    ['that is empty', '', ''],
  ])('%s', (_, text, expected) => {
    expect(said(text)).toBe(expected ?? '(not shown: it may repeat a part of a secret)');
  });
  test.each([
    ['in capitals', 'KX9Q is wrong', false],
    ['over two lines', 'it is (kx\n  9q)', false],
    ['in Base64', Buffer.from('u:KX9Q;').toString('base64'), false],
    ['in Base64 beside dashes', 'SAID-S3g5cQ-END', false],
    ['only inside of a word', 'kx9qs are fine', true],
  ])('with a short secret %s', (_, text, isShown) => {
    expect(scrubber(['Kx9q']).said(text) === text).toBe(isShown);
  });
  test('is never shown beside a secret that is too short to be found', () => {
    expect(scrubber(['abc']).said('fine')).toMatch(/^\(not shown: a secret of this run is too short/);
  });
  test('is not shown where there are too many secrets to compare it with', () => {
    const many = Array.from({ length: 101 }, (_, index) => `${index}`.padStart(10_000, 'secret'));
    expect(scrubber(many).said('fine')).toMatch(/^\(not shown/);
  });
});

/** The length of the longest run of characters that two texts share. */
function longestCommon(a: string, b: string): number {
  const has = (length: number) =>
    Array.from({ length: Math.max(0, a.length - length + 1) }, (_, at) => a.slice(at, at + length)).some(
      (run) => b.includes(run),
    );
  const length = [...Array(13).keys()].find((each) => !has(each + 1));
  return length ?? 13;
}
