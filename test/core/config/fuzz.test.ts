import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/core/config/config.ts';
import { file, sourceText } from '../../support/config.ts';
import { renderedFindings } from '../../support/rendered.ts';
import { sampled, seeds } from '../../support/soak.ts';

const TRIES = seeds(20, 4_000);

/** A valid file with every style of value; each of them holds the canary. */
const TEXT = readFileSync('test/fixtures/canaries.yaml', 'utf8');
const CANARY = 'Can4ry';

/** What a person would see of one file, and whether each finding stands in it. */
function outcome(text: string) {
  const { value, diagnostics } = parseConfig([[file(text)]]);
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const misplaced = diagnostics.filter(({ place }) => {
    if (place === undefined) return true;
    const line = lines[place.line - 1];
    return (
      line === undefined || place.column < 1 || place.column > line.length + 1
    );
  });
  const sources = new Map([['a.yaml', sourceText(text)]]);
  const shown = renderedFindings(diagnostics, { sources });
  return {
    isRead: value !== undefined || diagnostics.length > 0,
    misplaced,
    shown,
  };
}

function expectSound(text: string): void {
  const { isRead, misplaced, shown } = outcome(text);
  expect(isRead).toBe(true);
  expect(misplaced).toEqual([]);
  expect(shown).not.toContain(CANARY);
}

const PIECES = [
  ...': , # " \' [ ] { } ! | >- % ${ $${ \\ << ~ 0x *a'.split(' '),
  ...[
    ': ',
    ' #',
    '- ',
    '? ',
    '\n',
    '\r',
    '\t',
    '\0',
    '&a ',
    '!!int ',
    '---\n',
    '...\n',
    '  ',
  ],
  ...['\ufeff', '\u2028', '\ud800'],
];

/** One change of a text: bytes taken out, and a byte or a piece of YAML put in. */
const mutation = fc.record({
  at: fc.nat(),
  taken: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    fc.nat(3),
    fc.nat(60),
  ),
  put: fc.oneof(
    fc.nat(255).map((byte) => Buffer.from([byte])),
    fc.constantFrom(...PIECES, '').map((piece) => Buffer.from(piece)),
  ),
});

function mutated(
  text: string,
  { at, taken, put }: { at: number; taken: number; put: Buffer },
): string {
  const bytes = Buffer.from(text);
  const from = at % (bytes.length + 1);
  return Buffer.concat([
    bytes.subarray(0, from),
    put,
    bytes.subarray(from + taken),
  ]).toString();
}

describe('a damaged file', () => {
  test('the file is valid as it is', () => {
    expect(parseConfig([[file(TEXT)]]).diagnostics).toEqual([]);
    expect(TEXT.split(CANARY).length).toBeGreaterThan(12);
  });
  test(`in ${TRIES} ways: it is read, or each finding stands in it and shows no value`, () => {
    fc.assert(
      fc.property(
        fc.array(mutation, { minLength: 1, maxLength: 6 }),
        (mutations) => {
          expectSound(mutations.reduce(mutated, TEXT));
        },
      ),
      { numRuns: TRIES, seed: 4711 },
    );
  });
  test('cut off at any byte', () => {
    const bytes = Buffer.from(TEXT);
    for (const end of sampled([...bytes.keys()], 15))
      expectSound(bytes.subarray(0, end).toString());
  });
  test('with an error of syntax at every line: nothing else is found', () => {
    const lines = TEXT.split('\n');
    for (const [at] of lines.entries()) {
      const text = [...lines.slice(0, at), '"a" b', ...lines.slice(at)].join(
        '\n',
      );
      const { diagnostics } = parseConfig([[file(text)]]);
      expect(diagnostics.filter(({ code }) => code !== 'yaml-syntax')).toEqual(
        [],
      );
    }
  });
});
