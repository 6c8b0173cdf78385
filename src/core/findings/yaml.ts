import type { Place } from '../model/place.ts';
import type { BooleanWord } from '../model/value.ts';
import { error } from './entry.ts';
import { anyOf, at, cut, didYouMean, listed, writeBoolean } from './words.ts';

/** What is wrong with a configuration file by itself. */
export const YAML = {
  'yaml-syntax': error('The file is not valid YAML', { message: (f: { problem: string }) => f.problem }),
  'yaml-version': error('The file asks for another version of YAML', {
    message: 'Only YAML 1.2 is supported.',
    hint: 'Remove the %YAML line.',
  }),
  'several-documents': error('A file holds several YAML documents', {
    message: 'The file holds more than one YAML document.',
    hint: 'Put each document in a file of its own.',
  }),
  'unknown-tag': error('A YAML tag is unknown', {
    message: 'This YAML tag is unknown.',
    hint: 'Remove the tag, and quote the value if it is text.',
  }),
  'merge-key': error('YAML merge keys are not supported', {
    message: 'YAML merge keys (<<) are not supported.',
    hint: 'Write the keys out, or share them through an entry with expect: any.',
  }),
  'duplicate-key': error('A map has the same key twice', {
    message: (f: { first: Place }) => `This map already has this key at line ${f.first.line}.`,
    hint: 'Remove one of the two.',
  }),
  'non-string-key': error('A key is not text', {
    message: (_: { form: 'scalar' | 'other' }) => 'A key must be text.',
    hint: (f) =>
      f.form === 'scalar' ? 'Quote the key.' : 'If this is text with brackets or braces, quote all of it.',
  }),
  'empty-value': error('A key or list item has no value', {
    message: (f: { of: 'key' | 'item' }) => `This ${f.of === 'item' ? 'list item' : 'key'} has no value.`,
    hint: (f) =>
      f.of === 'item'
        ? 'Write a value, or "" for empty text.'
        : 'Write a value, indent what belongs to the key below it, or remove it.',
  }),
  'stray-character': error('A character is not allowed in YAML', {
    message: (f: { codePoint: number }) =>
      f.codePoint === 13
        ? 'A carriage return alone does not end a line.'
        : `YAML does not allow the character U+${f.codePoint.toString(16).toUpperCase().padStart(4, '0')}.`,
    hint: (f) => (f.codePoint === 13 ? 'Save the file with LF or CRLF line endings.' : 'Remove it.'),
  }),
  'unsafe-integer': error('A number is too large to keep exactly', {
    message: 'This number is too large to keep exactly.',
    hint: 'Quote it if it is an identifier.',
  }),
  'ambiguous-scalar': error('YAML would change this value', {
    message: (f: { kind: keyof typeof PLAIN_FORMS }) =>
      `YAML reads this as ${f.kind === 'null' ? 'null' : `a ${f.kind}`} and would store it in another form.`,
    hint: (f) =>
      f.kind === 'null'
        ? 'Write null to stop managing a field, or quote the text.'
        : `Quote it if it is text; otherwise write ${PLAIN_FORMS[f.kind]}.`,
  }),
  'too-complex': error('A file holds too much YAML', {
    message: (f: { limit: number }) =>
      `The file has more than ${f.limit} YAML tokens, which take too long to read.`,
    hint: 'Split it into several files. Empty lines and comments count for next to nothing.',
  }),
  'too-deep': error('A file is nested too deep', {
    message: (f: { limit: number }) => `The file is nested more than ${f.limit} levels deep.`,
  }),
  'too-many-keys': error('A map has too many keys', {
    message: (f: { limit: number }) => `This map has more than ${f.limit} keys.`,
  }),
  'too-many-aliases': error('YAML aliases expand to too much', {
    message: (f: { problem: 'nodes' | 'text' | 'itself'; limit: number }) =>
      f.problem === 'itself'
        ? 'This alias contains itself.'
        : `The aliases of this file expand to more than ${f.limit} ${f.problem === 'text' ? 'characters' : 'values'}.`,
    hint: 'Put what several options share under values, and refer to it as ${value:name}.',
  }),
  'unsupported-version': error('The version of the format is not supported', {
    message: 'This version of the format is not supported.',
    hint: 'Write version: 1.',
  }),
  'unknown-key': error('A key is unknown', {
    message: (f: { key?: string; allowed: readonly string[] }) =>
      f.key === undefined ? 'This key is unknown here.' : `Unknown key ${cut(f.key)}.`,
    hint: (f) =>
      (f.key === undefined ? undefined : didYouMean(f.key, f.allowed)) ??
      `Keys allowed here: ${listed(f.allowed)}.`,
  }),
  'missing-key': error('A key is missing', {
    message: (f: { key: string }) => `The key ${f.key} is missing.`,
    hint: (f) => (f.key === 'version' ? 'Begin the file with version: 1.' : undefined),
  }),
  'wrong-type': error('A value has the wrong type', {
    message: (f: { expected: readonly string[]; written?: BooleanWord }) =>
      `Expected ${anyOf(f.expected.flatMap((type) => TYPE_NAMES[type] ?? type))}.`,
    hint: (f) => (f.written === undefined ? undefined : writeBoolean(f.written)),
  }),
  'not-allowed': error('A value is not one of those allowed', {
    message: (f: { allowed: readonly string[]; written?: string }) =>
      `Expected ${anyOf(f.allowed)}${f.written === undefined ? '' : `, not ${cut(f.written)}`}.`,
    hint: (f) => (f.written === undefined ? undefined : didYouMean(f.written, f.allowed)),
  }),
  'bad-name': error('A name or option key is not allowed', {
    message: (f: { of: 'name' | 'option'; characters: readonly string[] }) =>
      f.characters.length === 0
        ? `This is not a valid ${f.of === 'option' ? 'option key' : 'name'}.`
        : `A name cannot contain ${anyOf(f.characters)}.`,
    hint: (f) =>
      f.of === 'option'
        ? 'An option key has 1 to 128 characters.'
        : 'Use letters A to Z, digits, underscores and dashes, at most 128 in all.',
  }),
  'bad-length': error('A value is empty or too long', {
    message: (f: { problem: string }) => f.problem,
  }),
  'bad-form': error('A value is not written in the form that it needs', {
    message: (f: { of: keyof typeof FORMS; written?: string }) =>
      `Expected ${FORMS[f.of]}${f.written === undefined ? '' : `, not ${cut(f.written)}`}.`,
  }),
  'duplicate-field': error('Two places set the same field', {
    message: (f: { address: string; other: Place }) => `${f.address} is also set at ${at(f.other)}.`,
    hint: 'Remove one of the two, or move one to a later layer under the same entry name.',
  }),
};

/** The forms of texts that are more than words, by their keys. */
export const FORMS = {
  rotated: 'a day, such as 2026-11-21',
  until: 'a day, such as 2026-12-31',
  'secret-max-age': 'a number of days, such as 180d',
};

const PLAIN_FORMS = {
  number: 'the number in its plain form',
  boolean: 'true or false',
  null: 'null',
};

/** Types of JSON in the words of YAML. */
const TYPE_NAMES: Readonly<Record<string, readonly string[]>> = {
  boolean: ['true', 'false'],
  object: ['a map'],
  array: ['a list'],
  string: ['text'],
  number: ['a number'],
};
