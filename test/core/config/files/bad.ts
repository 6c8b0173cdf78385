import { entries } from '../../../support/config.ts';
import { type Case, options, values } from './case.ts';

/** What is refused in a file, and where: several mistakes of several kinds hide none, and none is told twice. */
export const BAD: readonly Case[] = [
  [
    'a reference without quotes at the start',
    '${{\n\t"version": 1\n\t"values": {}\n}\n',
    ['yaml-syntax 1:1', 'yaml-syntax 3:1'],
  ],
  [
    'several that are not read',
    entries('a: &a !include x\nb: { <<: *a, 1: x, c: 1, c: 2 }'),
    [
      'yaml-syntax 3:9',
      'not-allowed 3:18',
      'yaml-syntax 4:8',
      'ambiguous-scalar 4:16',
      'unknown-key 4:22',
      'duplicate-key 4:28',
    ],
  ],
  [
    'a tab as indentation',
    'version: 1\nintegrations:\n\tvt: {}\n',
    ['yaml-syntax 3:1'],
  ],
  ['an alias without an anchor', options('key: *none'), ['yaml-syntax 5:12']],
  ['YAML 1.1', '%YAML 1.1\n---\nversion: 1\n', ['yaml-syntax 1:1']],
  [
    'a tag that the value does not fit',
    options('key: !!int five'),
    ['yaml-syntax 5:12'],
  ],
  ['a number as key', options('12: 1'), ['ambiguous-scalar 5:7']],
  ['a hexadecimal number', options('key: 0x1F'), ['ambiguous-scalar 5:12']],
  [
    'more digits than are kept',
    options('key: 0.1000000000000000055'),
    ['ambiguous-scalar 5:12'],
  ],
  [
    'one behind two aliases',
    values('a: &a [01]\nb: *a\nc: *a'),
    ['ambiguous-scalar 3:10'],
  ],
  [
    'another version of the format',
    'version: 1.0\n',
    ['ambiguous-scalar 1:10'],
  ],
  ['2^53', options('key: 9007199254740992'), ['ambiguous-scalar 5:12']],
  ['nothing behind a dash', options('key:\n  - a\n  -'), ['empty-value 7:10']],
  ['a key alone in braces', options('key: { value }'), ['empty-value 5:14']],
  ['a NUL', options('key: a\0b'), ['yaml-syntax 5:13']],
  [
    'a byte order mark in the middle',
    options('key: a\ufeffb'),
    ['yaml-syntax 5:13'],
  ],
  ['a carriage return alone', options('key: a\rb'), ['yaml-syntax 5:13']],
  ['an unknown section', 'version: 1\nintegration: {}\n', ['unknown-key 2:1']],
  ['an entry that is a text', entries('vt: virustotal_*'), ['not-allowed 3:7']],
  [
    'a key like those of every object',
    entries('vt: { __proto__: {} }'),
    ['unknown-key 3:9'],
  ],
  [
    'a permission in a select',
    options('k: { display: D, value: v, permission: p }'),
    ['unknown-key 5:34'],
  ],
  [
    'a number as match',
    entries('vt: { match: 12, autosubscribe: true }'),
    ['not-allowed 3:16'],
  ],
  [
    'a match of 257 characters',
    entries(`vt: { match: ${'v'.repeat(257)} }`),
    ['not-allowed 3:16'],
  ],
  ['an empty key of an option', options('"": 1'), ['not-allowed 5:7']],
  [
    'a key of an option of more than 128 characters',
    options(`${'k'.repeat(129)}: 1`),
    ['not-allowed 5:7'],
  ],
  ['null in a list', options('key: [a, null]'), ['not-allowed 5:16']],
  [
    'a problem behind an alias, once',
    values('a: &a { display: 1, value: v }\nb: *a'),
    ['not-allowed 3:20'],
  ],
  // References that cannot be read.
  [
    'a match that could take for ever',
    entries('vt: { match: "[ab]*a*a*a*b" }'),
    ['too-large 3:16'],
  ],
  ['an unknown kind', options('key: ${vault:x}'), ['reference-syntax 5:12']],
  [
    'one in a list',
    options('key: [a, "${vault:x}"]'),
    ['reference-syntax 5:16'],
  ],
  [
    'one in a choice',
    options('key: { display: D, value: "${vault:x}" }'),
    ['reference-syntax 5:33'],
  ],
  [
    "setpoint's own password",
    options('key: ${env:SETPOINT_PASSWORD}'),
    ['reference-not-allowed 5:12'],
  ],
  [
    'all that is wrong in one text',
    options('key: ${foo} ${env:} ${bar} ${value:nope}'),
    ['reference-syntax 5:12', 'reference-syntax 5:12'],
  ],
  [
    'no dollar, so that it is a map',
    options('key: {env:SETPOINT_KEY}'),
    ['empty-value 5:13'],
  ],
  [
    'a named value that does not exist',
    options('key: ${value:none}'),
    ['reference-missing 5:12'],
  ],
  [
    'a value that refers to itself',
    values('a: "${value:a}"'),
    ['reference-syntax 3:6'],
  ],

  // Several mistakes.
  [
    'a tag, a merge key, an unknown key and a wrong type',
    entries(
      'a: &a { autosubscribe: true }\nb: { <<: *a, match: b_*, autosubscribed: true }\nc: { match: !glob c_*, expect: 1, autosubscribe: yes }',
    ),
    [
      'yaml-syntax 4:8',
      'unknown-key 4:28',
      'yaml-syntax 5:15',
      'not-allowed 5:34',
      'not-allowed 5:52',
    ],
  ],
  [
    'structure and the syntax of references; what needs the whole file waits',
    options(
      'a: { valu: 1 }\nb: ${vault:x}\nc: ${value:none}\nurl: "https://x.example "',
    ),
    ['unknown-key 5:12', 'reference-syntax 6:10'],
  ],
  [
    'a refused value is not missed where it is named',
    values('a: !x 1\nb: x'),
    ['yaml-syntax 3:6'],
  ],
  [
    'rules wait for a file that can be read',
    entries(
      'a: { match: 12, autosubscribe: true }\nb: { match: b_* }\nc: { expect: any, autosubscribe: false }',
    ),
    ['not-allowed 3:15'],
  ],
];
