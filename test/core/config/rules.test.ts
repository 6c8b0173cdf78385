import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/core/config/config.ts';
import { isLikelySecret, RULE_CODES } from '../../../src/core/config/rules.ts';
import { brief, entries, file, found } from '../../support/config.ts';
import { BROKEN_RULES } from './files/broken-rules.ts';
import { type Case, options } from './files/case.ts';
import { QUIET } from './files/quiet.ts';

const QUIET_FILES = QUIET.map(([name, text]): Case => [name, text, []]);

test.each([...BROKEN_RULES, ...QUIET_FILES])(
  'rules: %s',
  (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  },
);

test('every rule has a file that breaks it', () => {
  const broken = new Set<string>();
  for (const [, text] of BROKEN_RULES) {
    for (const { code } of parseConfig([[file(text)]]).diagnostics) {
      broken.add(code);
    }
  }
  const unbroken = [...RULE_CODES].filter((code) => !broken.has(code));
  expect(unbroken).toEqual([]);
});

test('a finding names the field, the entry and the characters that it is about', () => {
  const shown = options('k: { sensitive: true, permission: lock-and-show }');
  const hidden = options('a: "\u202e"');
  const given = options('k: { value: x, permission: user-provides }');
  const factsOf = (text: string) =>
    parseConfig([[file(text)]]).diagnostics.map(({ facts }) => facts);
  expect(factsOf(shown)).toMatchObject([
    { address: 'vt.options.k.permission' },
  ]);
  expect(factsOf(hidden)).toMatchObject([
    { address: 'vt.options.a.value', padding: ['U+202E'] },
  ]);
  expect(factsOf(given)).toMatchObject([{ address: 'vt.options.k.value' }]);
  const named = 'version: 1\nvalues: { a: "***", b: null }\n';
  expect(factsOf(named)[0]).toMatchObject({ address: 'values.a' });
  const plain = options('k: { value: x, sensitive: true }');
  expect(factsOf(plain)).toMatchObject([
    { address: 'vt.options.k.value', isCertain: true },
  ]);
  const idle = entries('vt: { match: vt_*, expect: any }');
  expect(factsOf(idle)).toEqual([{ of: 'entry', name: 'vt' }]);
  const padded = options('a: " x"\nb: "\'x\'"');
  expect(factsOf(padded)).toMatchObject([
    { padding: ['white space at an end'] },
    { padding: ['quotes around it'] },
  ]);
});

describe('rules over layers', () => {
  const layered = (...texts: readonly string[]) =>
    parseConfig(
      texts.map((text, index) => [file(text, `layer${index}.yaml`)]),
    ).diagnostics.map((each) => `${each.place?.file} ${brief(each)}`);
  test.each([
    [
      'a null that takes something back',
      [
        options('url: x'),
        options('url: null'),
        entries('b: { match: c, autosubscribe: true }'),
      ],
      [],
    ],
    [
      'no entry, and values that nobody refers to',
      ['version: 1\nvalues: { a: "***" }\n'],
      ['layer0.yaml placeholder 2:14', 'layer0.yaml nothing-managed 1:1'],
    ],
    [
      'an entry without a declaration',
      [entries('vt: { match: vt_* }')],
      ['layer0.yaml idle-declaration 3:3'],
    ],
    [
      'a file that cannot be read, which may have what others lack',
      [
        options('url: "${value:none}"'),
        'version: 1\nvalues: { unused: x }\nintegrations: []\n',
      ],
      ['layer1.yaml not-allowed 3:15'],
    ],
    [
      'a placeholder that is replaced',
      [options('url: "***"'), options('url: x')],
      [],
    ],
    [
      'a secret in clear that is replaced is still in the file',
      [options('apiKey: x'), options('apiKey: "${env:X}"')],
      ['layer0.yaml plain-secret 5:15'],
    ],
    [
      'a mark in another layer',
      [options('note: x'), options('note: { sensitive: true }')],
      ['layer0.yaml plain-secret 5:13'],
    ],
    [
      'a value for what users give, in two layers',
      [options('url: x'), options('url: { permission: user-provides }')],
      ['layer0.yaml user-provides-value 5:12'],
    ],
  ])('%s', (_, texts, expected) => {
    expect(layered(...texts)).toEqual(expected);
  });
});

describe('a value whose key is named like a secret is harmless', () => {
  test.each([
    ['that is filled in by the integration', 'apiKey', '{{apiKey}}'],
    ['with a scheme before it', 'token', 'Bearer {{token}}'],
    ['that counts tokens', 'maxTokens', '4096'],
    ['that says how the key is sent', 'apiKey', ' header '],
    ['that says which kind it is: OAuth', 'token', 'oauth'],
    ['that says which kind it is: a key', 'token', 'apikey'],
    ['that is empty', 'token', ''],
    ['that is a public key', 'privateKey', '-----BEGIN PUBLIC KEY-----\nMII'],
    ['that is a public key of SSH', 'privateKey', 'ssh-rsa AAAAB3Nz'],
  ])('%s', (_, key, text) => {
    expect(isLikelySecret(key, text, undefined)).toBe(false);
  });
  test.each([
    ['beside a template', 'token', 'Bearer hunter2 {{token}}'],
    ['behind a template', 'token', '{{user}}hunter2'],
    ['without a template', 'token', ' ?! '],
    ['in two parts around a template', 'token', 'ba{{x}}sic'],
    ['in braces that do not close', 'token', '{{hunter2'],
    ['a long number', 'maxTokens', '12345678'],
    ['a number of a secret for tokens', 'tokensSecret', '4096'],
    ['a number with more behind it', 'maxTokens', '1234a'],
    ['words that say more', 'token', 'basic hunter2'],
    ['a private key', 'privateKey', '-----BEGIN RSA PRIVATE KEY-----\nMII'],
    ['a public key behind it', 'privateKey', 'hunter2 ssh-rsa AAAAB3Nz'],
  ])('but not %s', (_, key, text) => {
    expect(isLikelySecret(key, text, undefined)).toBe(true);
  });
});
