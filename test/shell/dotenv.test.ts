import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { framed } from '../../src/core/config/resolve.ts';
import { dotenvLines } from '../../src/shell/sources/dotenv.ts';
import { seeds } from '../support/soak.ts';

/** All that quotes, comments, line ends and other programs make of a text. */
const NASTY = [
  ...['"', "'", '`', '$', '#', '\\', ' ', '\n', '\r', '\t', '=', '{', '}'],
  ...['\\n', '\\"', '$(', '${', ' #', 'export ', 'KEY=b', '\ufeff', '\u0000'],
  ...['a', 'Z', '9', 'é', '東', '😀', '\ud800', '\u2028', '-', ';', '!', '%'],
];

const secret = fc.string({
  unit: fc.constantFrom(...NASTY),
  minLength: 1,
  maxLength: 14,
});

/** The secrets of a file: one property run looks at this many. */
const BATCH = 20;

test('random secrets are read back byte for byte, each in its lines of one file', () => {
  const batch = fc.array(secret, { minLength: BATCH, maxLength: BATCH });
  const property = fc.property(batch, (secrets) => {
    const wanted: Record<string, string> = {};
    const lines: string[] = [];
    for (const [index, text] of secrets.entries()) {
      const name = `SETPOINT_${index}`;
      const own = dotenvLines(name, framed(text));
      if (own === undefined) {
        expect(text).toSatisfy(isUnsayable);
        continue;
      }
      wanted[name] = framed(text);
      lines.push(own);
    }
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    expect({ ...parseEnv(bytes.toString()) }).toEqual(wanted);
  });
  fc.assert(property, { numRuns: seeds(50, 10_000 / BATCH) });
});

/** Whether no quotes may be able to say a text. */
function isUnsayable(text: string): boolean {
  if (/\r|\p{Surrogate}/u.test(text)) return true;
  const quotes = ['"', "'", '`'].filter((quote) => text.includes(quote));
  return quotes.length > 1;
}

test.each([
  ['plain/text+1=', 'KEY=plain/text+1='],
  ['a b', "KEY='a b'"],
  ['$x # y', "KEY='$x # y'"],
  ["it's", 'KEY="it\'s"'],
  ["it's \\n", "KEY=`it's \\n`"],
  ['"it\'s"', 'KEY=`"it\'s"`'],
  ['a"it\'s" `x`', 'KEY=a"it\'s" `x`'],
  ['"it\'s" `x`', undefined],
  // Alone it would read back, but not above another quote.
  ['\'`"', undefined],
  ['a\r\nb', undefined],
])('%j is written in the plainest way that reads back', (text, expected) => {
  expect(dotenvLines('KEY', text)).toBe(expected);
});
