import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodings, folded, plainReading, readingsOf } from '../../../src/core/scrub/reading.ts';

const decoded = (text: string) => decodings(plainReading(text)).at(-1)?.text;
const foldedText = (text: string) => folded(plainReading(text)).text;

describe('an escape is read as what it stands for', () => {
  test.each([
    ['of JSON', 'a\\u0041b', 'aAb'],
    ['of JSON for a quote', '\\"x\\"', '"x"'],
    ['of JSON for a slash', 'a\\/b', 'a/b'],
    ['for a line end', 'a\\nb\\rc', 'a\nb\rc'],
    ['for blanks', 'a\\tb\\fc\\bd', 'a\tb\fc\bd'],
    ['of JavaScript', 'a\\u{1f600}b\\x41', 'a😀bA'],
    ['of a URL', 'a%20b%e6%9D%B1c', 'a b東c'],
    ['of HTML by number', 'a&#65;b&#x1F600;', 'aAb😀'],
    ['of HTML by name', '&lt;&GT;&quot;&apos;&amp;x&nbsp;', '<>"\'&x '],
    ['of HTML in a URL in JSON', '\\u002526amp%3Bx', '&x'],
    ['of the last character', '&#1114111;', '\u{10ffff}'],
  ])('%s', (_, text, expected) => {
    expect(decoded(text)).toBe(expected);
  });
  test.each([
    ['no escape', 'a & b; 100 % u0041'],
    ['a name that is not known', '&copy;'],
    ['a number that is too long', '&#12345678;'],
    ['digits that are none', '%zz\u00e9'],
  ])('but %s stays', (_, text) => {
    expect(decoded(text)).toBe(text);
  });
  test('and one beyond the last character as nothing', () => {
    expect([decoded('a&#1114112;b'), decoded('a&#x110000;b'), decoded('a\\u{ffffff}b')]).toEqual([
      'ab',
      'ab',
      'ab',
    ]);
  });
  test('in three layers, not in four', () => {
    const layered = (times: number) => `%${'25'.repeat(times - 1)}41`;
    expect([layered(3), layered(4)].map(decoded)).toEqual(['A', '%41']);
  });
});

describe('two writings of one secret are folded to one text', () => {
  test.each([
    ['in capitals', 'aBcÉ', 'ABCé'],
    ['in quotes', 'abcd', `"a'b\`c\\d"+`],
    ['over lines', 'abcdef', 'abc\r\n\t def'],
    ['with what cannot be seen', 'aébc', 'aé\u200bb\u00adc'],
    ['composed or not', 'é', 'e\u0301'],
    ['with letters of full width', 'abc', '\uff41\uff42\uff43'],
    ['with a sharp s', 'straße', 'STRASSE'],
    ['with a dotted I', 'İx', 'i\u0307x'],
  ])('%s', (_, one, other) => {
    expect(foldedText(one)).toBe(foldedText(other));
  });
  test.each([
    ['letters', 'abc', 'abd'],
    ['signs', 'a-b', 'ab'],
    ['accents', 'é', 'e'],
  ])('but not where they differ in their %s', (_, one, other) => {
    expect(foldedText(one)).not.toBe(foldedText(other));
  });
  test('bytes are no letters', () => {
    const bytes = { ...plainReading('\u00e9\u00c9\u00a0A'), isBytes: true } as const;
    expect(folded(bytes).text).toBe('\u00e9\u00c9a');
  });
});

/** A character, and some ways to write it. */
const piece = fc
  .constantFrom(...'ABCxyz{}东')
  .chain((shown) =>
    fc
      .constantFrom(
        shown,
        `\\u{${hexOf(shown)}}`,
        `\\u${hexOf(shown).padStart(4, '0')}`,
        `&#${shown.charCodeAt(0)};`,
        `&#x${hexOf(shown)};`,
        `%5cu${hexOf(shown).padStart(4, '0')}`,
      )
      .map((written) => ({ shown, written })),
  );

test('a decoded part is traced back to what it was written as', () =>
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 20 }), (pieces) => {
      const text = pieces.map(({ written }) => written).join('');
      const last = decodings(plainReading(text)).at(-1);
      expect(last?.text).toBe(pieces.map(({ shown }) => shown).join(''));
      const origins = pieces.map((_, index) => last?.origin(index, index + 1));
      expect(origins.map((span) => text.slice(...(span ?? [0, 0])))).toEqual(
        pieces.map(({ written }) => written),
      );
    }),
    { numRuns: 500 },
  ));

test('a folded part is traced back to its letters, without the quotes and blanks around them', () =>
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'B', 'é', 'ß', '" ', "\\'", '\u200b\n'), { maxLength: 20 }),
      (parts) => {
        const text = parts.join('');
        const reading = folded(plainReading(text));
        const letters = parts.filter((part) => /\p{L}/u.test(part));
        const widths = letters.map((letter) => foldedText(letter).length);
        const starts = widths.map((_, index) =>
          widths.slice(0, index).reduce((sum, width) => sum + width, 0),
        );
        const found = starts.map((start, index) =>
          text.slice(...reading.origin(start, start + (widths[index] ?? 0))),
        );
        expect(found).toEqual(letters);
      },
    ),
    { numRuns: 500 },
  ));

describe('the bytes of a text are read', () => {
  const readings = (text: string) =>
    readingsOf(text).flatMap((reading) => (reading.isBytes ? [reading] : []));
  test.each([
    ['from Base64', Buffer.from('hunter2!').toString('base64')],
    ['from Base64 for URLs', Buffer.from('\u00ff\u00feü?>hunter2').toString('base64url')],
    [
      'from Base64 on several lines',
      Buffer.from('so a hunter2 is').toString('base64').replace(/.{6}/g, '$&\r\n '),
    ],
    ['from Base64 behind words', `word${Buffer.from('hunter2').toString('base64')}`],
    ['from Base64 behind a sign', `a/${Buffer.from('hunter2').toString('base64')}`],
    ['from hexadecimal digits', Buffer.from('hunter2').toString('hex')],
    ['from digits behind a letter', `a${Buffer.from('hunter2').toString('hex')}`],
    ['from a list of bytes', [...Buffer.from('hunter2')].map((byte) => `0x${byte.toString(16)}`).join(', ')],
    [
      'from escapes of bytes',
      [...Buffer.from('hunter2')].map((byte) => `\\\\x${byte.toString(16)}`).join(''),
    ],
    ['from bytes with colons', [...Buffer.from('hunter2')].map((byte) => byte.toString(16)).join(':')],
    ['from bytes with dashes', [...Buffer.from('hunter2')].map((byte) => byte.toString(16)).join('-')],
    ['from Base64 of JSON', Buffer.from('{"\\u0068unter2"}').toString('base64')],
  ])('%s', (_, text) => {
    const found = readings(text).find((reading) => reading.text.includes('hunter2'));
    const at = found?.text.indexOf('hunter2') ?? 0;
    const [from, to] = found?.origin(at, at + 7) ?? [0, 0];
    // Nothing but the marks at its ends may stay.
    expect(readings(text.slice(0, from) + text.slice(to)).some((each) => each.text.includes('unte'))).toBe(
      false,
    );
    expect([from >= 0, to <= text.length, to - from > 7]).toEqual([true, true, true]);
  });
  test('not from words that are too short to hold one', () => {
    expect(readings('abcde; 12345; a.b')).toEqual([]);
  });
});

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16);
}
