import { describe, expect, test } from 'vitest';
import { parseFile } from '../../../src/core/config/parse-file.ts';
import { explain } from '../../../src/core/findings/explain.ts';
import { found } from '../../support/config.ts';
import { options } from '../config/files/case.ts';

/** The findings in a file, each with its place and the character it names. */
const lookalikes = (text: string): string[] =>
  parseFile({ path: 'a.yaml', text }).diagnostics.map((finding) => {
    const [, character = ''] =
      /(U\+[\dA-F]{4})/.exec(explain(finding).message) ?? [];
    const { line, column } = finding.place ?? {};
    return [`${finding.code} ${line}:${column}`, character].join(' ').trim();
  });

const withOptions = (lines: string) =>
  `version: 1\nintegrations:\n  vt:\n    options:\n${lines}`;

describe('a character that looks like syntax is named', () => {
  test.each([
    [
      'a blank behind a colon',
      withOptions('      a:\u00a05\n'),
      ['yaml-syntax 5:9 U+00A0'],
    ],
    [
      'one above another key',
      withOptions('      a:\u00a05\n      b: 6\n'),
      ['yaml-syntax 5:9 U+00A0'],
    ],
    [
      'one in the first line',
      'version:\u00a01\nintegrations: {}\n',
      ['yaml-syntax 1:9 U+00A0'],
    ],
    [
      'one that is narrow',
      withOptions('      a:\u202f5\n'),
      ['yaml-syntax 5:9 U+202F'],
    ],
    [
      'blanks that indent',
      withOptions('      a: 5\n\u00a0\u00a0    b: 6\n'),
      ['yaml-syntax 6:1 U+00A0'],
    ],
    [
      'wide blanks that indent all',
      'version: 1\nintegrations:\n\u3000vt:\n\u3000\u3000autosubscribe: true\n',
      ['yaml-syntax 3:1 U+3000', 'yaml-syntax 4:1 U+3000'],
    ],
    [
      'a blank behind a dash',
      'version: 1\nvalues:\n  a:\n    - x\n    -\u00a0{ display: y, value: z }\n',
      ['yaml-syntax 5:6 U+00A0'],
    ],
    [
      'an en dash for the dash of a list',
      withOptions('      a:\n        – { display: y, value: z }\n'),
      ['yaml-syntax 6:9 U+2013'],
    ],
    [
      'a full-width colon',
      withOptions('      a：5\n'),
      ['yaml-syntax 5:8 U+FF1A'],
    ],
    [
      'one with a blank',
      withOptions('      a： 5\n      b: 7\n'),
      ['yaml-syntax 5:8 U+FF1A'],
    ],
    [
      'curly quotes around syntax',
      withOptions('      a: “x: y”\n'),
      ['yaml-syntax 5:10 U+201C'],
    ],
    [
      'curly quotes around a key',
      '“version”: 1\nintegrations: {}\n',
      ['yaml-syntax 1:1 U+201C'],
    ],
    [
      'a curly quote before a star',
      withOptions('      a: ‘x: y’ # c\n'),
      ['yaml-syntax 5:10 U+2018'],
    ],
    [
      'a dash and a blank that are none',
      withOptions('      a:\n        –\u00a0{ display: y, value: z }\n'),
      ['yaml-syntax 6:9 U+2013'],
    ],
    [
      'colons in braces',
      'version: 1\nintegrations:\n  vt: { autosubscribe：true, expect： one }\n',
      ['yaml-syntax 3:22 U+FF1A'],
    ],
    [
      'braces',
      'version: 1\nintegrations:\n  vt: ｛ autosubscribe: true ｝\n',
      ['yaml-syntax 3:7 U+FF5B'],
    ],
    [
      'the sign of a comment',
      '＃ of ours\nversion: 1\nintegrations: {}\n',
      ['yaml-syntax 1:1 U+FF03'],
    ],
    [
      'a cause beside texts that are legal',
      withOptions('      a: “hi”\n      b:\u00a05\n      c: “x”\n'),
      ['yaml-syntax 6:9 U+00A0'],
    ],
    [
      'two causes, of which the first hides the rest',
      'version:\u00a01\nintegrations：\n  vt: { autosubscribe: true }\n',
      ['yaml-syntax 1:9 U+00A0'],
    ],
  ])('%s', (_, text, expected) => {
    expect(lookalikes(text)).toEqual(expected);
  });
});

test.each([
  ['an en dash', 'note: – later', []],
  ['a list of dashes', 'note:\n  – a\n  – b', []],
  ['a no-break space inside', 'note: 50\u00a0%', []],
  ['full-width signs', 'note: 名：値，［１］', []],
  ['curly quotes inside', 'note: say “hi” or ‘bye’', []],
  ['curly quotes that are several', 'note: “a” or “b”', []],
  ['all in a block', 'note: |\n  x\n  \u00a0a:\u00a0b\n  “c: d”', []],
  ['curly quotes around a text', 'note: “hi”', ['padded-text 5:13']],
  ['quotes of other languages', 'note: „hi“', ['padded-text 5:13']],
])('%s may be text, above a mistake too', (_, yaml, expected) => {
  expect(found(options(yaml))).toEqual(expected);
  const both = `${options(yaml)}  vu: { autosubscrib: true }\n`;
  expect(found(both)).toEqual([expect.stringMatching(/^unknown-key \d+:9$/)]);
});
