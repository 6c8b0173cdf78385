import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dotenvLines, parseDotenv } from '../../../src/core/config/dotenv.ts';
import { framed } from '../../../src/core/config/resolve.ts';
import { seeds } from '../../support/soak.ts';

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
    const content = Buffer.from(`${lines.join('\n')}\n`).toString();
    expect({ ...parseEnv(content) }).toEqual(wanted);
    expect(readingOf(content)).toEqual(wanted);
  });
  fc.assert(property, { numRuns: seeds(50, 10_000 / BATCH) });
});

/** Whether no quotes may be able to say a text. */
function isUnsayable(text: string): boolean {
  if (
    /\r|\p{Surrogate}|\n[ \t]*(export[ \t]+)?[a-z_][\w.-]*[ \t]*=/iu.test(text)
  )
    return true;
  const quotes = ['"', "'", '`'].filter((quote) => text.includes(quote));
  return quotes.length > 1;
}

/** What a file sets; undefined if it is refused. */
function readingOf(content: string): Record<string, string> | undefined {
  const { variables, flaws } = parseDotenv(content);
  return flaws.length > 0 ? undefined : Object.fromEntries(variables);
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
  // Alone Node would read it back, but not above another quote.
  ['\'`"', undefined],
  ['a\r\nb', undefined],
  ['a\nb\n', 'KEY="a\\nb\\n"'],
  ["it's\n$x # y", 'KEY="it\'s\\n$x # y"'],
  ['a\n"b"', 'KEY=\'a\n"b"\''],
  ['a\\n\nb', "KEY='a\\n\nb'"],
  ['a\nNAME=b\n', 'KEY="a\\nNAME=b\\n"'],
  ['"a"\nNAME=b\n', undefined],
])('%j is written in the plainest way that reads back', (text, expected) => {
  expect(dotenvLines('KEY', text)).toBe(expected);
});

/** What stands on the lines of such files, right or wrong. */
const PIECES = [
  ...[
    'K=',
    'L =',
    'export M=e',
    '"',
    "'",
    '`',
    '#',
    ' #',
    '# c = d',
    '=',
    '==',
  ],
  ...['\n', '\n', '\n', '\r\n', '\r', ' ', 'a', 'b c', '\\n', '\\', '$X'],
  ...['prod', 'K: v', '<<<<<<< HEAD', '{"a":1}', '-----END X-----', 'QUJD/+=='],
  ...['\u00a0', '\u2028', 'é', 'K="x"\n', "L='y'\n", 'M=z # n\n', 'K='],
];

const content = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 24 })
  .map((pieces) => pieces.join(''));

/** Blanks at both ends of lines outside of quotes, which versions of Node read differently. */
function withoutBlanks(content: string): string {
  const lines = content.split('\n').map((line) => {
    if (/^[^#]*["'`]/.test(line)) return line;
    return line.replace(/^[ \t]+|[ \t]+(?=#|\r?$)/g, '');
  });
  return `${lines.join('\n')}\n`;
}

test('what is accepted reads as Node reads it', () => {
  let accepted = 0;
  const property = fc.property(content, (given) => {
    const text = withoutBlanks(given);
    const reading = readingOf(text);
    if (reading === undefined) return;
    accepted += 1;
    const names = parseEnv(text.replace(/^export[ \t]+/gm, 'export '));
    expect({ ...names }).toEqual(reading);
  });
  fc.assert(property, { numRuns: seeds(2_000, 100_000) });
  expect(accepted).toBeGreaterThan(100);
});

/** How people and tools write a value; `open` forgets the last quote. */
const WRITINGS = {
  raw: (value: string) => value.trim(),
  single: (value: string) => `'${value}'`,
  double: (value: string) => `"${value}"`,
  back: (value: string) => `\`${value}\``,
  open: (value: string) => `"${value.replaceAll('"', '')}`,
} as const;

const WAYS = ['raw', 'single', 'double', 'back', 'open'] as const;

const meant = fc.record({
  way: fc.constantFrom(...WAYS),
  value: fc.string({
    unit: fc.constantFrom(
      ...['"', "'", '`', '#', '\n', '=', 'a', 'B', ' c', '\n', '\nL=d', '\\n'],
      ...['\n-----BEGIN X-----\nQUJD\nREU=\n', '\r\n', '\r'],
    ),
    minLength: 1,
    maxLength: 5,
  }),
  behind: fc.constantFrom('', ' ', ' # note', '\t# c = d', '\n\n# K=v', '\r'),
});

test('no file is accepted of whose values anything is dropped or joined', () => {
  let accepted = 0;
  const property = fc.property(
    fc.array(meant, { minLength: 1, maxLength: 4 }),
    (lines) => {
      let text = '';
      const wanted: Record<string, string> = {};
      for (const [at, { way, value, behind }] of lines.entries()) {
        const isBlock = way !== 'raw' && way !== 'open';
        // Behind a quote of its own, a further line could be any other.
        const isFree = isBlock && !value.includes(WRITINGS[way]('').charAt(0));
        const kept = isFree ? value : value.replace(/[\r\n]/g, '');
        // In no quotes, that begins a comment, or quotes.
        const isOther = !isBlock && /^\s*["'`]|\s#|^#/.test(kept);
        const own = isOther ? 'a' : kept;
        text += `K_${at}=${WRITINGS[way](own)}${behind}\n`;
        const plain = own.replaceAll('\r\n', '\n');
        const expanded = plain.replaceAll('\\n', '\n');
        wanted[`K_${at}`] = way === 'double' ? expanded : plain;
        if (!isBlock) wanted[`K_${at}`] = plain.trim();
      }
      const reading = readingOf(text);
      if (reading === undefined) return;
      accepted += 1;
      expect(reading, JSON.stringify(text)).toEqual(wanted);
    },
  );
  fc.assert(property, { numRuns: seeds(5_000, 200_000) });
  expect(accepted).toBeGreaterThan(100);
});

const PEM =
  '-----BEGIN KEY-----\nProc-Type: 4,ENCRYPTED\n\nQUJD\nREU=\nRg==\n-----END KEY-----\n';

describe('each file', () => {
  test.each([
    ['K=abc#def\n', [1]],
    ['K=1\nL=2\nexport K=3\n', [3]],
    ['K=#abc\n', [1]],
    ['A=1\nK="abc"123\n', [2]],
    ['K="ab"cd"\n', [1]],
    ['K="abc"#c\n', [1]],
    ['\nK="abc', [2]],
    ["K='abc\nL=def\nM='x'\n", [1]],
    ["K='abc\nL='def'\n", [1]],
    ["K='abc\nexport L=def'\n", [1]],
    ["K='abc\nL_M=\n'\n", [1, 3]],
    ["K='abc\nL_M='\nx=y'", [1, 2]],
    ['prod\nK: v\n<<<<<<< HEAD\nA=1\n=======\n', [1, 2, 3, 5]],
    ['{"K": "a=b"}\n', [1]],
    ['{\n  "K": "a"\n}', [1, 2, 3]],
    [`K=${PEM}`, [2, 4, 6, 7]],
    ['K=a\rb\nL=x\r\ry\n', [1, 2]],
    ['export K\n=v\n', [1, 2]],
    ['K="a\n\nb"\nL=c#d\n', [4]],
    ['K="a\nL=b#c\nM=d e#f\n', [1, 2, 3]],
  ])('%j is refused at its lines', (text, lines) => {
    expect(parseDotenv(text).flaws.map(({ line }) => line)).toEqual(lines);
  });
  test.each(['K=\t a \t', 'K=a\r', 'K="a"  # b', 'K=a  # b'])(
    '%j is the text a',
    (text) => {
      expect(readingOf(text)).toEqual({ K: 'a' });
    },
  );
  test.each([
    ['K=a\nK=b', 'line 2 has a name that an earlier line has'],
    ['K="a\rb"', 'line 1 has a carriage return inside'],
    ['K: a', 'line 1 is no assignment'],
    ['K="a" b', 'line 1 has text behind the closing quote'],
    ['K="a', 'line 1 opens a quote that does not close before the next name'],
    ['K=a#b', 'line 1 has a # without a blank before it'],
  ])('%j is told in words', (text, reason) => {
    expect(parseDotenv(text).flaws).toMatchObject([{ reason }]);
  });
  test('no flaw shows a text', () => {
    const { flaws } = parseDotenv('hunter2\nhunter3=hunter4#hunter5\n');
    expect(flaws).toHaveLength(2);
    expect(JSON.stringify(flaws)).not.toContain('hunter');
  });
});
