import { describe, expect, test } from 'vitest';
import {
  type Clues,
  isBareMask,
  isLikelySecret,
  isMask,
  isSecret,
  isSecretOption,
  mayBeSecret,
  shownComment,
} from '../../../src/core/model/secrecy.ts';
import { hasSecretForm } from '../../../src/core/model/secret-form.ts';

describe('the shapes of masks', () => {
  test.each([
    ['stars', '********'],
    ['few stars', '***'],
    ['bullets', '••••••••'],
    ['one bullet', '•'],
    ['circles', '●●●●'],
    ['blocks', '████'],
    ['dots', '......'],
    ['hashes', '######'],
    ['dashes', '--------'],
    ['crosses', 'xxxxxxxx'],
    ['a word in brackets', '[REDACTED]'],
    ['a word in angles', '<hidden>'],
    ['a word in parentheses', '(hidden)'],
    ['a word in underlines', '__MASKED__'],
    ['a word between stars', '***REDACTED***'],
    ['what Rails says', '[FILTERED]'],
    ['two words', '<not shown>'],
    ['a sensitive value', '(sensitive value)'],
    ['blanks around it', ' ******** '],
    ['blanks around a word', ' [redacted]\n'],
    ['four crosses', 'xXxX'],
    ['the ends left', 'sk****EA'],
    ['the end left', '************1234'],
    ['the beginning left', 'AKIA••••••••'],
    ['the end left behind crosses', 'XXXXXXXXXXXX1234'],
    ['the beginning left before crosses', 'sk_xxxxxxxxxxxx'],
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
    ['a glob through folders', 'logs/**/*.json'],
    ['one star', '*'],
    ['a key', 'sk-2f9c8a1b7d6e5f4a3b2c1d0e'],
    ['a key with a star', 'a*b**c'],
    ['a bullet before a text', '• see the wiki'],
    ['a bullet behind a text', 'see the wiki •'],
    ['crosses in a text', 'see also xxxxxxxx in the wiki'],
    ['crosses behind a text', 'see also xxxxxxxx'],
    ['crosses before a text', 'xxxxxxxx is to be replaced'],
    ['two letters x', 'axxb'],
    ['four crosses behind a letter', 'aXXXX'],
    ['four crosses before a letter', 'XXXXa'],
    ['a text that goes on', 'and so on, and so on…'],
    ['a text that goes on before', '…and so on, and so on'],
    ['a key with crosses', 'axxb-xXxX-91'],
    ['digits', '00000000'],
    ['a password of one letter', 'aaaaaaaa'],
    ['a sentence', 'The secret is hidden'],
    ['a word within others', 'redacted-by-legal-2024'],
    ['a URL with dots', 'https://a.example/../b'],
    ['a PEM', '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----'],
    ['four letters x within a long key', 'Zk3Qpxxxx9LmN27bTrW5'],
  ])('%s: %s', (_, text) => {
    expect(isMask(text)).toBe(false);
  });
});

test('a mask of which nothing is a secret is told from one with its ends left', () => {
  expect(
    ['********', '••••', '[REDACTED]', '<hidden>', '***REDACTED***', '......', ' •• '].filter(isBareMask)
      .length,
  ).toBe(7);
  expect(
    ['sk****EA', 'sk****', ' sk****', '****EA ', '****1234', 'p***word', 'hidden', '*', '!**!'].filter(
      isBareMask,
    ),
  ).toEqual([]);
});

test('the type of an option says that it is a secret, whatever its key', () => {
  expect([isSecretOption('mode', 'password'), isSecretOption('mode', undefined)]).toEqual([true, false]);
});

test.each(['pwd', 'Passcode', 'passkey', 'auth', 'basicAuth', 'auth_header', 'hidden', 'masked-text'])(
  'so does the type %s',
  (type) => {
    expect(isSecretOption('mode', type)).toBe(true);
  },
);

test.each(['author', 'authority', 'unmasked', 'text'])('the type %s says nothing of it', (type) => {
  expect(isSecretOption('mode', type)).toBe(false);
});

test('a mask as long as its secret is one, up to 65,536 characters', () => {
  expect(isMask('*'.repeat(65_536))).toBe(true);
  expect(isMask('*'.repeat(65_537))).toBe(false);
});

describe('a value is a secret', () => {
  const plain = { key: 'mode', type: 'text', values: ['fast'] } as const;
  const known = (value: unknown) => value === 'kn0wn';
  test.each<[string, Parameters<typeof isSecret>[0], boolean]>([
    ['of the type password', { ...plain, type: 'password' }, true],
    ['of a type that another server gives secrets', { ...plain, type: 'Password' }, true],
    ['of another one', { ...plain, type: 'api-key', mark: false }, true],
    ['of the type password, whatever a person says', { ...plain, type: 'password', mark: false }, true],
    ['from outside', { ...plain, isFromOutside: true }, true],
    [
      'not from outside if a person says that it is none',
      { ...plain, isFromOutside: true, mark: false },
      false,
    ],
    ['that is marked', { ...plain, mark: true }, true],
    ['under a key like that of a secret, where no type is served', { key: 'apiKey' }, true],
    ['that has the form of one', { ...plain, values: ['fast', `hvs.${'a7'.repeat(10)}`] }, true],
    ['with a member that is known', { ...plain, values: [[{ display: 'One', value: 'kn0wn' }]] }, true],
    ['but not one of another type under such a key', { ...plain, key: 'apiKey' }, false],
    ['but not one that a person calls none', { key: 'apiKey', mark: false, values: ['kn0wn'] }, false],
    ['but not any other', plain, false],
    ['but not one that is not given', { key: 'mode' }, false],
  ])('%s', (_, clues, expected) => {
    expect(isSecret(clues, known)).toBe(expected);
  });
  test('that is known only where something is', () => {
    expect(isSecret({ ...plain, values: ['kn0wn'] })).toBe(false);
  });
});

describe('what repeats the YAML', () => {
  test.each<[string, string, string | number | boolean]>([
    ['the key of a ticket', 'project', 'SEC-1'],
    ['a name with digits', 'host', 'svc-1'],
    ['an address with a query', 'url', 'https://a/1?limit=10'],
    ['a search', 'query', 'index=main sourcetype=1'],
    ['several lines', 'note', 'first 1\nsecond 2'],
    ['how a secret is used', 'token', 'bearer'],
    ['a reference', 'apiKey', '${env:SETPOINT_KEY}'],
  ])('shows %s', (_, key, value) => {
    expect(isLikelySecret(key, value)).toBe(false);
  });
  test.each<[string, string, string]>([
    ['what a key calls a secret', 'apiKey', 'fast'],
    ['a key of a service inside a text', 'note', 'uses AKIAIOSFODNN7EXAMPLE.'],
    ['a header inside a text', 'note', `curl -H "Authorization: Bearer ${'aB3'.repeat(8)}"`],
    ['a login inside a text', 'note', 'see https://user:pa55word@x.example'],
    ['what a text gives to the name of a secret', 'note', 'index=main password=hunter2'],
    ['the fallback of a reference', 'url', '${env:SETPOINT_URL:-x}'],
  ])('hides %s, unless a person calls it none', (_, key, value) => {
    expect(isLikelySecret(key, value)).toBe(true);
    expect(isLikelySecret(key, value, false)).toBe(false);
  });
  test('hides what is marked', () => {
    expect(isLikelySecret('mode', 'fast', true)).toBe(true);
  });
  const secret = { key: 'apiKey' };
  test.each<[string, string, Clues | undefined]>([
    ['a sentence', 'The security desk decides, not each analyst.', undefined],
    ['a ticket', 'see TICKET-1234', undefined],
    ['both beside a secret', 'The desk decides (see TICKET-1234), since 2026-01-31.', secret],
    ['a name with digits', 'was svc-1', { key: 'host' }],
  ])('shows a comment that is %s', (_, comment, beside) => {
    expect(shownComment(comment, beside)).toBe(comment);
  });
  test.each<[string, string, Clues | undefined]>([
    ['an older secret', 'was hunter2', secret],
    ['one that was marked', 'was hunter2', { key: 'note', mark: true }],
    ['a line that was taken out', 'apiKey: hunter2', undefined],
    ['the key of a service', 'was AKIAIOSFODNN7EXAMPLE', undefined],
  ])('hides a comment with %s', (_, comment, beside) => {
    expect(shownComment(comment, beside)).toBeUndefined();
  });
});

describe('an excerpt of a file', () => {
  test.each<[string, string, string | number | boolean]>([
    ['words', 'mode', 'very fast'],
    ['words with marks', 'mode', 'very-fast_mode'],
    ['six words', 'mode', 'one two three four five six'],
    ['a number', 'limit', 12_345_678],
    ['a boolean', 'on', true],
    ['digits', 'limit', '123456'],
    ['a fraction', 'limit', '-12.75'],
    ['the address of a server', 'url', 'https://x-1.example:8080'],
    ['the address of a page', 'url', 'HTTP://x.example/api/a_b-c/'],
    ['a reference, even under a key like that of a secret', 'apiKey', '${env:SETPOINT_KEY}'],
    ['a reference beside words', 'mode', '${value:very}fast'],
    ['nothing', 'apiKey', ''],
  ])('shows %s', (_, key, value) => {
    expect(mayBeSecret(key, value)).toBe(false);
  });
  test.each<[string, string, string | number | boolean]>([
    ['any value under a key like that of a secret', 'apiKey', 'fast'],
    ['a number under such a key', 'password', 12_345],
    ['a word with digits', 'mode', 'hunter2'],
    ['a word before one', 'mode', 'x1 fast'],
    ['seven words', 'mode', 'one two three four five six seven'],
    ['a long word', 'mode', 'a'.repeat(25)],
    ['many digits', 'limit', '1234567'],
    ['digits with more before them', 'limit', 'x12'],
    ['an address with a query', 'url', 'https://x.example/?a=b'],
    ['an address with a user', 'url', 'https://user@x.example'],
    ['an address with digits in its path', 'url', 'https://x.example/a1'],
    ['an address in a text', 'url', 'at https://x.example'],
    ['the fallback of a reference', 'apiKey', '${env:SETPOINT_KEY:-fast}'],
    ['an unclosed reference', 'mode', '${env:SETPOINT_KEY'],
    ['the reference of nothing', 'mode', '${other:x}'],
  ])('hides %s', (_, key, value) => {
    expect(mayBeSecret(key, value)).toBe(true);
  });
  test('hides what is marked', () => {
    expect(mayBeSecret('mode', 'fast', true)).toBe(true);
  });
});

describe('what shows a secret', () => {
  test.each([
    ['a key of Anthropic', `sk-ant-api03-${'aB3_-'.repeat(8)}`],
    ['a key of OpenAI', `sk-proj-${'aB3_-'.repeat(8)}`],
    ['a key of Google', `AIza${'aB3_-'.repeat(7)}`],
    ['a token of Vault', `hvs.${'aB3_-'.repeat(5)}`],
    ['a password in a query', 'https://x.example.com/?pwd=hunter2'],
  ])('the form of %s', (_, text) => {
    expect(hasSecretForm(text)).toBe(true);
  });
  test.each(['sk-ant-hill', 'sk-proj-plan', `AIza${'a'.repeat(36)}`, 'hvs.example.com', 'sk-learn'])(
    'not the text %s',
    (text) => {
      expect(hasSecretForm(text)).toBe(false);
    },
  );
  test.each(['passwordPolicy', 'tokenLifetime', 'keyboard', 'publicKey', 'keys'])('not the key %s', (key) => {
    expect(isSecretOption(key, undefined)).toBe(false);
  });
  test.each([
    'pwd',
    'passwd',
    'adminPwd',
    'db_passwd',
    'Password',
    'passwords',
    'passphrase',
    'clientSecret',
    'authToken',
    'secrets',
    'apiTokens',
    'api_key',
    'api-keys',
    'accessKey',
    'privateKey',
    'shared-key',
    'credential',
    'credentials',
  ])('the key %s', (key) => {
    expect([isSecretOption(key, undefined), isSecretOption(key, 'text')]).toEqual([true, false]);
  });
});
