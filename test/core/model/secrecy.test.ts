import { describe, expect, test } from 'vitest';
import { isBareMask, isMask, isSecretOption } from '../../../src/core/model/secrecy.ts';
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
    ['********', '••••', '[REDACTED]', '<hidden>', '***REDACTED***', '......'].filter(isBareMask).length,
  ).toBe(6);
  expect(['sk****EA', '****1234', 'p***word', 'hidden', '*', '!**!'].filter(isBareMask)).toEqual([]);
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
  test.each(['pwd', 'passwd', 'adminPwd', 'db_passwd'])('the key %s', (key) => {
    expect([isSecretOption(key, undefined), isSecretOption(key, 'text')]).toEqual([true, false]);
  });
});
