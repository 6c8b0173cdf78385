import { type Case, entries, options, values } from './case.ts';

/** What is no YAML, or YAML that is not read. */
export const BAD_YAML: readonly Case[] = [
  ['an unclosed brace', options('key: { value: one\nother: 1'), ['yaml-syntax 5:12']],
  ['a missing comma', options('key: { value: one sensitive: true }'), ['yaml-syntax 5:21']],
  [
    'several that are not read',
    entries('a: &a !include x\nb: { <<: *a, 1: x, c: 1, c: 2 }'),
    ['yaml-syntax 3:9', 'yaml-syntax 4:8', 'non-string-key 4:16', 'unknown-key 4:22', 'duplicate-key 4:28'],
  ],
  ['a tab as indentation', 'version: 1\nintegrations:\n\tvt: {}\n', ['yaml-syntax 3:1']],
  ['a key without its colon', 'version: 1\nvalues\nintegrations: {}\n', ['yaml-syntax 2:1']],
  ['a value that begins with @', options('key: @corp'), ['yaml-syntax 5:12']],
  ['an escape that does not exist', options('key: "\\d+"'), ['yaml-syntax 5:13']],
  ['an alias without an anchor', options('key: *none'), ['yaml-syntax 5:12']],
  ['YAML 1.1', '%YAML 1.1\n---\nversion: 1\n', ['yaml-syntax 1:1']],
  ['two documents', 'version: 1\n---\nversion: 1\n', ['yaml-syntax 2:1']],
  ['a tag that the value does not fit', options('key: !!int five'), ['yaml-syntax 5:12']],
  ['a key twice, once in quotes', options('key: 1\n"key": 2'), ['duplicate-key 6:7']],
  ['a key twice behind aliases', values('a: &m { value: d, value: e }\nb: *m'), ['duplicate-key 3:21']],
  ['a number as key', options('12: 1'), ['non-string-key 5:7']],
  ['a list as key', options('? [a]\n: 1'), ['non-string-key 5:9']],
  ['an alias as key', options('a: &x foo\n*x : 1'), ['non-string-key 6:7']],
];
