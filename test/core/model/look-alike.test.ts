import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toldApart } from '../../../src/core/model/look-alike.ts';

test.each([
  [
    'NFC and NFD',
    'Z\u00fcrich',
    'Zu\u0308rich',
    'Z[U+00FC]rich',
    'Zu[U+0308]rich',
  ],
  ['a no-break space', 'a b', 'a\u00a0b', 'a b', 'a[U+00A0]b'],
  ['a tab', 'a b', 'a\tb', 'a b', 'a[U+0009]b'],
  ['Cyrillic', 'admin', '\u0430dmin', 'admin', '[U+0430]dmin'],
  ['two Cyrillic words', 'со', 'рост сo', '[U+0441][U+043E]', 'рост [U+0441]o'],
  ['zero width', 'admin', 'ad\u200bmin', 'admin', 'ad[U+200B]min'],
  ['a byte order mark', 'a', '\ufeffa', 'a', '[U+FEFF]a'],
  ['full width', '"12"', '１２', '"12"', '[U+FF11][U+FF12]'],
  ['line ends', 'a\nb', 'a\r\nb', 'a\nb', 'a[U+000D]\nb'],
  ['an apostrophe', "it's", 'it\u2019s', "it's", 'it[U+2019]s'],
  ['quotes', '"a"', '\u201ca\u201d', '"a"', '[U+201C]a[U+201D]'],
  ['a dash', 'a-b', 'a\u2013b', 'a-b', 'a[U+2013]b'],
  ['a ligature', 'file', '\ufb01le', 'file', '[U+FB01]le'],
  ['Hangul', '\uac00', '\u1100\u1161', '[U+AC00]', '[U+1100][U+1161]'],
  ['a blank at the end', 'a ', 'a', 'a[U+0020]', 'a'],
  [
    'a word that others follow',
    'Z\u00fcrich',
    'Zu\u0308rich 8001',
    'Z[U+00FC]rich',
    'Zu[U+0308]rich 8001',
  ],
  [
    'a word that goes on',
    '\u00fcber',
    'u\u0308bers',
    '\u00fcber',
    'u\u0308bers',
  ],
  ['nothing but a new line', 'a\n', 'a', 'a\n', 'a'],
  ['indentation', 'a\n  b', 'a\n    b', 'a\n  b', 'a\n    b'],
  ['words of another script', 'Москва', 'Moscow', 'Москва', 'Moscow'],
  ['another letter', 'Zürich', 'Zurich', 'Zürich', 'Zurich'],
])('%s', (_, before, after, old, now) => {
  expect(toldApart([before, after])).toEqual([old, now]);
  expect(toldApart([after, before])).toEqual([now, old]);
});

test('a third text is told apart from both', () => {
  const texts = ['Z\u00fcrich', 'Genf', 'Zu\u0308rich'];
  expect(toldApart(texts)).toEqual(['Z[U+00FC]rich', 'Genf', 'Zu[U+0308]rich']);
});

test('texts that differ are told apart, and lose nothing', () => {
  const unit = fc.constantFrom(...'aа \u00a0\u200b\u0301éе\n\r\t"“1１');
  const text = fc.string({ unit, maxLength: 12 });
  const plain = (shown: string) =>
    shown.replace(/\[U\+([0-9A-F]+)\]/g, (_, number: string) =>
      String.fromCodePoint(Number.parseInt(number, 16)),
    );
  const property = fc.property(text, text, (before, after) => {
    const [old = '', now = ''] = toldApart([before, after]);
    expect([plain(old), plain(now)]).toEqual([before, after]);
    const seen = [old, now].map((shown) =>
      shown.replace(/[\u200b\u00a0]|[ \t\r]+$/gm, '').normalize('NFC'),
    );
    if (before !== after) expect(seen[0]).not.toBe(seen[1]);
  });
  fc.assert(property, { numRuns: 2_000, seed: 11 });
});
