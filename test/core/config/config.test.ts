import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/core/config/config.ts';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import {
  entries,
  file,
  found,
  merged,
  validConfig,
} from '../../support/config.ts';
import { contentOf, valueIn } from '../../support/resolved.ts';
import { BAD } from './files/bad.ts';
import { type Case, options, values } from './files/case.ts';
import { HARMLESS } from './files/harmless.ts';

/** The value of the option that the file of `values` has. */
function valueOfOption(text: string): unknown {
  const [entry] = resolveConfig(validConfig(text));
  return contentOf(valueIn(entry, 'text')?.want);
}

describe('what is refused, and where', () => {
  test.each(BAD)('%s', (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

describe('what looks dangerous and is not', () => {
  test.each(HARMLESS)('%s', (_, yaml, expected) => {
    const { diagnostics } = parseConfig([[file(values(yaml))]]);
    expect(diagnostics).toEqual([]);
    expect(valueOfOption(values(yaml))).toEqual(expected);
  });
  test('keys that every object has are keys like others', () => {
    const text =
      'version: 1\nintegrations:\n  __proto__: { autosubscribe: true }\n  constructor: { options: { toString: x } }\n';
    const { value, diagnostics } = parseConfig([[file(text)]]);
    expect(diagnostics).toEqual([]);
    expect(
      value?.entries.map(({ name, autosubscribe, options }) => [
        name,
        autosubscribe.at(-1)?.value,
        ...options.keys(),
      ]),
    ).toEqual([
      ['__proto__', true],
      ['constructor', undefined, 'toString'],
    ]);
  });
  test('an alias means the last anchor of its name before it', () => {
    const text = values('a: &x one\nb: *x\nc: &x two\nd: *x');
    const { value } = merged([[file(text)]]);
    expect([...value.values.values()].map((named) => named.value)).toEqual([
      'one',
      'one',
      'two',
      'two',
    ]);
  });
});

test.each([
  ['a word', 'vt: { colour: x }', 'colour'],
  ['words', 'vt: { auto-colour: x }', 'auto-colour'],
  [
    'a key with two letters swapped',
    'vt: { options: { k: { vlaue: x } } }',
    'vlaue',
  ],
  ['a choice', 'vt: { expect: several }', 'several'],
  ['but no key that may be a secret', 'vt: { hunter2: x }', undefined],
  [
    'nor words below a secret',
    'vt: { options: { apiKey: { correct-horse: x } } }',
    undefined,
  ],
  ['nor a choice that may be a secret', 'vt: { expect: hunter2 }', undefined],
  [
    'nor a choice below a secret',
    'vt: { options: { apiKey: { permission: swordfish } } }',
    undefined,
  ],
])('an unknown word is named: %s', (_, yaml, word) => {
  const { diagnostics } = parseConfig([[file(entries(yaml))]]);
  expect(
    diagnostics.map(
      ({ facts }) => Reflect.get(facts, 'key') ?? Reflect.get(facts, 'written'),
    ),
  ).toEqual([word]);
});

test.each<[string, string, object]>([
  ['a file with a null alone', 'null\n', { key: 'version' }],
  [
    'an empty text',
    entries('vt: { match: "", autosubscribe: true }'),
    { expected: [expect.stringContaining('not empty')] },
  ],
  [
    'a long key',
    options(`${'k'.repeat(129)}: x`),
    { expected: ['at most 128 characters'] },
  ],
  [
    'a name with a blank',
    entries('a b: { autosubscribe: true }'),
    {
      expected: ['another form'],
      hint: expect.stringContaining('letters'),
    },
  ],
])('a misfit says what fits: %s', (_, text, facts) => {
  const { diagnostics } = parseConfig([[file(text)]]);
  expect(diagnostics.map((finding) => finding.facts)).toEqual([facts]);
});

test.each<[string, string, string]>([
  ['an option with a slash', '"a/b": { permisson: x }', 'unknown-key 5:16'],
  ['an option with a tilde', '"a~1b": { permission: x }', 'not-allowed 5:29'],
  ['a member of a list', 'k: [a, { display: D }]', 'missing-key 5:14'],
])('a misfit is found below %s', (_, yaml, expected) => {
  expect(found(options(yaml))).toEqual([expected]);
});

describe('line ends and byte order marks do not matter', () => {
  const harmless = HARMLESS.map(
    ([name, yaml]): Case => [name, values(yaml), []],
  );
  const readable = [...BAD, ...harmless].filter(
    ([, text]) => !/[\r\ufeff]/.test(text),
  );
  const shape = (text: string) => {
    const { value, diagnostics } = parseConfig([[file(text)]]);
    return { entries: value, diagnostics };
  };
  test.each(readable)('%s', (_, text) => {
    const expected = shape(text);
    expect(shape(text.replaceAll('\n', '\r\n'))).toEqual(expected);
    expect(shape(`\ufeff${text}`)).toEqual(expected);
  });
});
