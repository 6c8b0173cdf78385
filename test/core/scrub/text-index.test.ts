import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SHORTEST, textIndex } from '../../../src/core/scrub/text-index.ts';

const texts = fc.array(
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: SHORTEST, maxLength: 8 }),
  {
    maxLength: 12,
  },
);
const whole = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 });

test('finds at each position the longest accepted text, as a look at each text does', () =>
  fc.assert(
    fc.property(texts, whole, fc.func(fc.boolean()), (known, text, accepts) => {
      const expected = [...text].flatMap((_, from) => {
        const here = known.filter((each) => text.startsWith(each, from));
        const lengths = here.map(({ length }) => length).filter((length) => accepts(from, from + length));
        return lengths.length === 0 ? [] : [[from, from + Math.max(...lengths)]];
      });
      expect(textIndex(known).find(text, accepts)).toEqual(expected);
    }),
    { numRuns: 1_000 },
  ));

test('finds texts of any characters', () => {
  const known = ['\u0000\uffff\ud83d\ude00', 'İstanbul', '\u0100\u0200\u0300\u0400'];
  const text = known.join('-');
  expect(textIndex(known).find(text, () => true)).toEqual([
    [0, 4],
    [5, 13],
    [14, 18],
  ]);
});
