import { type Entries, error } from './entry.ts';
import type { YamlFacts } from './facts.ts';
import { anyOf, at, codePointName, cut, didYouMean, oneOf, typeNames, writeBoolean } from './words.ts';

/** What is wrong with a configuration file by itself. */
export const YAML: Entries<YamlFacts> = {
  'yaml-syntax': { ...error, message: (f) => f.problem },
  'yaml-version': { ...error, message: () => 'Only YAML 1.2 is read.', hint: () => 'Remove the %YAML line.' },
  'several-documents': {
    ...error,
    message: () => 'The file holds more than one YAML document.',
    hint: () => 'Put each document into a file of its own.',
  },
  'unknown-tag': {
    ...error,
    message: () => 'This YAML tag is not known.',
    hint: () => 'Remove it, and quote the value if it is text.',
  },
  'merge-key': {
    ...error,
    message: () => 'YAML merge keys (<<) are not read.',
    hint: () => 'Write the keys out, or use an entry with expect: any for what several integrations share.',
  },
  'duplicate-key': {
    ...error,
    message: (f) => `This key stands twice; first at line ${f.first.line}.`,
    hint: () => 'Remove one of the two.',
  },
  'non-string-key': {
    ...error,
    message: () => 'A key must be text.',
    hint: (f) =>
      f.form === 'scalar'
        ? 'Put the key in quotes.'
        : 'If this is a text with brackets or braces, put all of it in quotes.',
  },
  'empty-value': {
    ...error,
    message: (f) => `Nothing stands behind this ${f.of === 'item' ? 'dash' : 'key'}.`,
    // Nothing of setpoint.yaml is managed.
    hint: (f) => (f.in === undefined ? EMPTY_HINTS[f.of] : 'Write the value, or take it away.'),
  },
  'stray-character': {
    ...error,
    message: (f) =>
      f.codePoint === 13
        ? 'A carriage return alone does not end a line.'
        : `The character ${codePointName(f.codePoint)} cannot stand in a YAML file.`,
    hint: (f) => (f.codePoint === 13 ? 'Save the file with LF or CRLF as line ends.' : 'Remove it.'),
  },
  'unsafe-integer': {
    ...error,
    message: () => 'This number is too large to be kept exactly.',
    hint: () => 'Put it in quotes if it is an identifier.',
  },
  'ambiguous-scalar': {
    ...error,
    message: (f) => `YAML reads this as a ${f.kind} that is not written as it would be stored.`,
    hint: (f) =>
      f.kind === 'null' && f.in === undefined
        ? 'Write null to stop managing a field, or put the text in quotes.'
        : `Put it in quotes if it is text; else write the ${f.kind} in its plain form.`,
  },
  'too-complex': {
    ...error,
    message: (f) =>
      `The file has more than ${f.limit} words and marks of YAML, which take too long to be read.`,
    hint: () => 'Split it into several files. Blank lines and comments do not count.',
  },
  'too-deep': { ...error, message: (f) => `The file is nested more than ${f.limit} levels deep.` },
  'too-many-keys': { ...error, message: (f) => `A map has more than ${f.limit} keys.` },
  'too-many-aliases': {
    ...error,
    message: (f) => ALIAS_PROBLEMS[f.problem](f.limit),
    hint: () => 'Put what several options share under values, and refer to it by ${value:name}.',
  },
  'unsupported-version': {
    ...error,
    message: () => 'This version of the format is not known.',
    hint: () => 'Write version: 1.',
  },
  'unknown-key': {
    ...error,
    message: (f) => (f.key === undefined ? 'This key is not known here.' : `Unknown key ${cut(f.key)}.`),
    hint: (f) =>
      (f.key === undefined ? undefined : didYouMean(f.key, f.allowed)) ??
      `Known here: ${oneOf(f.allowed)}.${f.below === undefined ? '' : ` ${BELOW_HINTS[f.below]}`}`,
  },
  'missing-key': {
    ...error,
    message: (f) => `The key ${f.key} is missing.`,
    hint: (f) => (f.key === 'version' ? 'Begin the file with version: 1.' : undefined),
  },
  'wrong-type': {
    ...error,
    message: (f) => `Expected ${anyOf(f.expected.flatMap(typeNames))}.`,
    hint: (f) => (f.written === undefined ? undefined : writeBoolean(f.written)),
  },
  'not-allowed': { ...error, message: (f) => `Expected one of ${oneOf(f.allowed)}.` },
  'bad-name': {
    ...error,
    message: (f) =>
      `This cannot be a ${f.of === 'option' ? 'key of an option' : 'name'}${
        f.characters.length === 0 ? '.' : `: it holds ${f.characters.join(', ')}.`
      }`,
    hint: (f) =>
      f.of === 'option'
        ? 'Keys of options have 1 to 128 characters.'
        : 'Names have letters from A to Z, digits, underscores and dashes, at most 128 characters.',
  },
  'bad-length': { ...error, message: (f) => f.problem },
  'duplicate-field': {
    ...error,
    message: (f) => `${f.address} is set twice; also at ${at(f.other)}.`,
    hint: () =>
      'Keep one of the two. Where the later one is to override, give its entry the name of the other.',
  },
};

const ALIAS_PROBLEMS: Record<YamlFacts['too-many-aliases']['problem'], (limit: number) => string> = {
  nodes: (limit) => `The aliases of this file stand for more than ${limit} values in all.`,
  text: (limit) => `The aliases of this file repeat more than ${limit} characters of text.`,
  itself: () => 'This alias stands inside of what it stands for.',
};

const EMPTY_HINTS: Record<YamlFacts['empty-value']['of'], string> = {
  key: 'Write the value, "" for an empty text, or null to stop managing it.',
  map: 'Indent what belongs to it further than the key itself, or remove it.',
  item: 'Write the value, or "" for an empty text.',
};

const BELOW_HINTS: Record<NonNullable<YamlFacts['unknown-key']['below']>, string> = {
  integrations: 'The name of an integration is indented, below integrations.',
  servers: 'The name of a server is indented, below servers.',
  options: 'The key of an option is indented further, below options.',
};
