import { describe, expect, test } from 'vitest';
import { YAML_LIMITS } from '../../../src/core/yaml/compose.ts';
import { found } from '../../support/config.ts';
import { values } from './files/case.ts';

/** `count` lines of a pattern. */
function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

/** The root and `values` are two levels; these make `depth` in all. */
const NESTED: readonly (readonly [
  name: string,
  nest: (depth: number) => string,
])[] = [
  [
    'brackets',
    (depth) =>
      `version: 1\nvalues:\n  a: ${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}\n`,
  ],
  [
    'indentation',
    (depth) =>
      `version: 1\nvalues:\n${lines(depth - 1, (level) => `${' '.repeat(level + 1)}a:`)} x\n`,
  ],
  [
    'dashes in lines',
    (depth) =>
      `version: 1\nvalues:\n  a:\n${lines(depth - 2, (level) => `${' '.repeat(level + 4)}-`)} x\n`,
  ],
];

describe('depth', () => {
  test.each(NESTED)('64 levels of %s are read, 65 are too many', (_, nest) => {
    expect(found(nest(64))).not.toContainEqual(
      expect.stringMatching(/^(too-large|yaml-syntax)/),
    );
    expect(found(nest(65))).toEqual([
      expect.stringMatching(/^too-large \d+:\d+$/),
    ]);
  });
  test('so many brackets that a stack would end', () => {
    const text = `version: 1\nvalues:\n  a: ${'['.repeat(1_000_000)}`;
    expect(found(text)).toEqual(['too-large 3:68']);
  });
});

describe('size', () => {
  test('a file of more than 2 MiB: bytes count, not characters', () => {
    expect(
      found(`version: 1\nvalues:\n  a: ${'\u20ac'.repeat(700_000)}\n`),
    ).toEqual(['too-large 1:1']);
  });
  test('a map of 5,000 keys is read, one of 5,001 is not', () => {
    const map = (count: number) =>
      `version: 1\nvalues:\n${lines(count, (index) => `  k${index}: 1`)}\n`;
    expect(
      new Set(found(map(5_000)).map((each) => each.split(' ')[0])),
    ).toEqual(new Set(['nothing-managed']));
    expect(found(map(5_001))).toEqual(['too-large 3:3']);
  });
  test('more tokens than are read', () => {
    expect(
      found(
        `version: 1\nvalues:\n  a: [${'x,'.repeat(YAML_LIMITS.tokens.most)}]\n`,
      ),
    ).toEqual([expect.stringMatching(/^too-large 3:/)]);
  });
});

describe('what does not count as a token', () => {
  test('empty lines, comments and blanks', () => {
    const text = `version: 1\n${'\n#\n \n'.repeat((YAML_LIMITS.tokens.most * 2) / 3)}value: 1\n`;
    expect(found(text)).toEqual([expect.stringMatching(/^unknown-key \d+:1$/)]);
  });
  test('a file of 2 MiB with 30,000 options is read', () => {
    const entry = (index: number) =>
      `  e${index}:\n    options:\n${lines(100, (option) => `      k${option}: ${'word'.repeat(12)}`)}`;
    const text = `version: 1\nintegrations:\n${lines(300, entry)}\n`;
    expect(text.length).toBeGreaterThan(1_800_000);
    expect(found(text)).toEqual([]);
  });
});

describe('long texts that begin something and never end it', () => {
  test.each(['{{', '${env:A:-b}}', 'http://a/', '-----BEGIN ', 'eyJ-.'])(
    '%s',
    (piece) => {
      const text = piece.repeat(Math.floor(200_000 / piece.length));
      expect(
        found(values(`a: "${text}"`)).filter(
          (each) =>
            !/^(placeholder|reference-typo|reference-syntax|padded-text)/.test(
              each,
            ),
        ),
      ).toEqual([]);
    },
  );
});

describe('aliases', () => {
  const tenfold = (level: number) =>
    `l${level + 1}: &l${level + 1} [${`*l${level}, `.repeat(9)}*l${level}]`;
  test('that expand to more than 10,000 nodes', () => {
    const levels = Array.from({ length: 6 }, (_, level) => tenfold(level));
    expect(found(values(`a: &l0 [x, x, x]\n${levels.join('\n')}`))).toEqual(
      expect.arrayContaining(['too-large 7:17']),
    );
  });
  test('that repeat a long text', () => {
    const text = values(
      `a: &a ${'x'.repeat(300_000)}\nb: [${'*a, '.repeat(9)}*a]`,
    );
    expect(found(text)).toEqual([expect.stringMatching(/^too-large 4:/)]);
  });
  test('that hold themselves', () => {
    expect(found('version: 1\nvalues: &v\n  a: *v\n')).toEqual([
      'yaml-syntax 3:6',
    ]);
    expect(found(values('a: &a [*a]'))).toEqual(['yaml-syntax 3:10']);
  });
});
