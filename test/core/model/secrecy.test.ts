import { describe, expect, test } from 'vitest';
import {
  isMask,
  isSecret,
  shownComment,
} from '../../../src/core/model/secrecy.ts';

describe('the shapes of masks', () => {
  test.each([
    ['stars', '********'],
    ['bullets', '••••••••'],
    ['blocks', '████'],
    ['dots', '......'],
    ['crosses', 'xxxxxxxx'],
    ['a word in brackets', '[REDACTED]'],
    ['a word in angles', '<hidden>'],
    ['a word between stars', '***REDACTED***'],
    ['two words', '<not shown>'],
    ['a sensitive value', '(sensitive value)'],
    ['blanks around it', ' ******** '],
    ['four crosses', 'xXxX'],
    ['the ends left', 'sk****EA'],
    ['the end left', '************1234'],
    ['the beginning left', 'AKIA••••••••'],
    ['the end left behind crosses', 'XXXXXXXXXXXX1234'],
    ['three dots between the ends', 'sk-...EA'],
    ['an ellipsis between the ends', 'sk…EA'],
  ])('%s: %s', (_, text) => {
    expect(isMask(text)).toBe(true);
  });
});

describe('what looks nearly so', () => {
  test.each([
    ['nothing', ''],
    ['a glob with two stars', '*.corp.*'],
    ['one star', '*'],
    ['a key', 'sk-2f9c8a1b7d6e5f4a3b2c1d0e'],
    ['a key with a star', 'a*b**c'],
    ['a bullet before a text', '• see the wiki'],
    ['crosses in a text', 'see also xxxxxxxx in the wiki'],
    ['crosses before a text', 'xxxxxxxx is to be replaced'],
    ['two letters x', 'axxb'],
    ['four crosses behind a letter', 'aXXXX'],
    ['a text that goes on', 'and so on, and so on…'],
    ['a key with crosses', 'axxb-xXxX-91'],
    ['digits', '00000000'],
    ['a sentence', 'The secret is hidden'],
    ['a word within others', 'redacted-by-legal-2024'],
    ['a PEM', '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----'],
    ['four letters x within a long key', 'Zk3Qpxxxx9LmN27bTrW5'],
  ])('%s: %s', (_, text) => {
    expect(isMask(text)).toBe(false);
  });
});

test.each(['pwd', 'Passcode', 'passkey', 'api_key', 'encrypted-text'])(
  'the type %s says that it is one, whatever the key',
  (type) => {
    expect(isSecret({ key: 'mode', type })).toBe(true);
  },
);

test.each(['author', 'hidden', 'text'])(
  'the type %s says nothing of it',
  (type) => {
    expect(isSecret({ key: 'mode', type })).toBe(false);
  },
);

test('a mask as long as its secret is one, up to 65,536 characters', () => {
  expect(isMask('*'.repeat(65_536))).toBe(true);
  expect(isMask('*'.repeat(65_537))).toBe(false);
});

describe('a value is a secret', () => {
  const plain = { key: 'mode', type: 'text', values: ['fast'] } as const;
  const TOKEN = `hvs.${'a7'.repeat(10)}`;
  test.each<[string, Parameters<typeof isSecret>[0], boolean]>([
    ['of the type password', { ...plain, type: 'password' }, true],
    [
      'of a type that another server gives secrets',
      { ...plain, type: 'Password' },
      true,
    ],
    ['of another one', { ...plain, type: 'api-key', mark: false }, true],
    [
      'of the type password, whatever a person says',
      { ...plain, type: 'password', mark: false },
      true,
    ],
    ['from outside', { ...plain, isSecretByValue: true }, true],
    [
      'not from outside if a person says so',
      { ...plain, isSecretByValue: true, mark: false },
      false,
    ],
    ['that is marked', { ...plain, mark: true }, true],
    [
      'under a key like that of a secret, where no type is served',
      { key: 'apiKey' },
      true,
    ],
    ['that has the form of one', { ...plain, values: ['fast', TOKEN] }, true],
    [
      'with a member that has it',
      { ...plain, values: [[{ display: 'One', value: TOKEN }]] },
      true,
    ],
    [
      'but not one of another type under such a key',
      { ...plain, key: 'apiKey' },
      false,
    ],
    [
      'but not one that a person calls none',
      { key: 'apiKey', mark: false, values: [TOKEN] },
      false,
    ],
    ['but not any other', plain, false],
    ['but not one that is not given', { key: 'mode' }, false],
  ])('%s', (_, clues, expected) => {
    expect(isSecret(clues)).toBe(expected);
  });
});

describe('a comment', () => {
  test.each([
    'The security desk decides, not each analyst.',
    'see TICKET-1234',
    'was svc-1, since 2026-01-31',
  ])('is shown: %s', (comment) => {
    expect(shownComment(comment)).toBe(comment);
  });
  test.each([
    'was AKIAIOSFODNN7EXAMPLE',
    `curl -H "Authorization: Bearer ${'aB3'.repeat(8)}"`,
    'see https://user:pa55word@x.example',
  ])('with the form of a secret is hidden: %s', (comment) => {
    expect(shownComment(comment)).toBeUndefined();
  });
});

describe('what shows a secret', () => {
  test.each([
    'sk-ant-hill',
    'sk-proj-plan',
    `AIza${'a'.repeat(36)}`,
    'hvs.example.com',
    'sk-learn',
  ])('not the text %s', (text) => {
    expect(isSecret({ values: [text] })).toBe(false);
  });
  test.each([
    'passwordPolicy',
    'tokenLifetime',
    'keyboard',
    'publicKey',
    'keys',
  ])('not the key %s', (key) => {
    expect(isSecret({ key, type: undefined })).toBe(false);
  });
  test.each(
    'pwd passwd passphrase clientSecret authToken apiTokens api_key accessKey privateKey shared-key credentials'.split(
      ' ',
    ),
  )('the key %s', (key) => {
    expect([
      isSecret({ key, type: undefined }),
      isSecret({ key, type: 'text' }),
    ]).toEqual([true, false]);
  });
});
