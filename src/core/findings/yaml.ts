import type { Place } from '../model/place.ts';
import type { BooleanWord } from '../model/value.ts';
import { error, type Names, type Problem } from './entry.ts';
import { anyOf, at, cut, didYouMean, listed } from './words.ts';

/** Mistakes of a configuration file by itself. */
export const YAML = {
  'yaml-syntax': error('The file is not valid YAML', {
    message: (f: Problem & { isReadable?: true }) => f.problem,
    why: 'setpoint reads YAML 1.2, one document a file, in UTF-8, without tags and merge keys. Quote a text that holds ": ", " #" or begins with a bracket, a brace, a quote, * or &:\n  pattern: "[a-z]: *"',
  }),
  'duplicate-key': error('A map has the same key twice', {
    message: (f: { first: Place }) => `This map already has this key at line ${f.first.line}.`,
    hint: 'Remove one of the two.',
  }),
  'non-string-key': error('A key is not text', {
    message: 'A key must be text.',
    hint: 'Quote the key, or the whole text.',
    why: 'Numbers, booleans and null as keys change their spelling. Quote them:\n  "404": ignore',
  }),
  'empty-value': error('A key or list item has no value', {
    message: 'This key or list item has no value.',
    hint: 'Write a value, or indent what belongs below it.',
    why: 'YAML reads nothing as null, and null stops managing a field. Write null if you mean that, or "" for empty text:\n  proxy: ""',
  }),
  'ambiguous-scalar': error('YAML would change this value', {
    message: (f: { kind: 'number' | 'boolean' | 'null' }) =>
      `YAML reads this as ${f.kind === 'null' ? 'null' : `a ${f.kind}`} and would store it in another form.`,
    hint: 'Quote it if it is text; otherwise write its plain form.',
    why: 'Plain 0123, 1e5, 1.10, True and integers beyond 2^53 would reach the server as something else. Plain forms are 30, 0.5, true, false and null. Quote text:\n  version: "1.10"',
  }),
  'too-large': error('The configuration exceeds a limit', {
    message: (f: { of: string; limit: number }) => `There are more than ${f.limit} ${f.of}.`,
    hint: 'Split the file, or write less.',
    why: 'Limits keep a file from holding up a pipeline: 2 MiB, 2,000 files, 5,000 keys a map, 64 levels, 100,000 tokens.',
  }),
  'unsupported-version': error('The version of the format is not supported', {
    message: 'This version of the format is not supported.',
    hint: 'Write version: 1.',
  }),
  'unknown-key': error('A key is unknown', {
    message: (f: { key?: string; allowed: Names }) => `Unknown key${f.key ? ` ${cut(f.key)}` : ''}.`,
    hint: (f) => didYouMean(f.key ?? '', f.allowed) ?? `Keys allowed here: ${listed(f.allowed)}.`,
    why: 'A mistyped key would otherwise be ignored. Options belong under options:\n  options: { timeout: 30 }',
  }),
  'missing-key': error('A key is missing', {
    message: (f: { key: string }) => `The key ${f.key} is missing.`,
    hint: (f) => (f.key === 'version' ? 'Begin the file with version: 1.' : undefined),
    why: 'The file is incomplete without it: every file begins with version: 1.',
  }),
  'wrong-type': error('A value has the wrong type', {
    message: (f: { expected: Names; written?: BooleanWord }) =>
      `Expected ${anyOf(f.expected.flatMap((type) => TYPE_NAMES[type] ?? type))}.`,
    hint: (f) => booleanHint(f.written),
    why: 'A map has keys, and a list has dashes or brackets:\n  options: { timeout: 30, types: [ip, url] }',
  }),
  'not-allowed': error('A value is not allowed', {
    message: (f: { expected: Names; written?: string }) =>
      `Expected ${anyOf(f.expected)}${f.written === undefined ? '' : `, not ${cut(f.written)}`}.`,
    hint: (f) => didYouMean(f.written ?? '', f.expected),
    why: 'Names have letters A to Z, digits, underscores and dashes, at most 128; dates look like 2026-11-21.',
  }),
  'duplicate-field': error('Two places set the same field', {
    message: (f: { address: string; other: Place }) => `${f.address} is also set at ${at(f.other)}.`,
    hint: 'Remove one of the two, or move one to a later layer under the same entry name.',
    why: 'Two entries that select the same integration are equally specific, so neither wins. Specific entries override entries with expect: any, and later layers override earlier ones.',
  }),
  'ambiguous-name': error('The name of an entry is the id of another integration', {
    message: (f: { name: string; id: string }) => `${f.name} matches ${f.id}, but is the id of another one.`,
    hint: 'Rename the entry.',
  }),
};

/** How to write a boolean word of YAML 1.1. */
export function booleanHint(written: BooleanWord | undefined): string | undefined {
  return written && `YAML 1.2 reads ${written.word} as text; write ${written.means}.`;
}

const TYPE_NAMES: Readonly<Record<string, Names>> = {
  boolean: ['true', 'false'],
  object: ['a map (key: value)'],
  array: ['a list (- item)'],
  string: ['text'],
  number: ['a number'],
};
