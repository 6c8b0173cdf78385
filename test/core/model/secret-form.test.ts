import { describe, expect, test } from 'vitest';
import { isMask, isSecret } from '../../../src/core/model/secrecy.ts';

const hasSecretForm = (text: string) => isSecret({ values: [text] });

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The shortest token of each form. */
const TOKENS = [
  `AKIA${'A7'.repeat(8)}`,
  `ASIA${'A7'.repeat(8)}`,
  ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map(
    (kind) => `${kind}_${'a7Z'.repeat(12)}`,
  ),
  `github_pat_${'a7'.repeat(11)}`,
  `glpat-${'a7_-'.repeat(5)}`,
  ...['xoxa', 'xoxb', 'xoxp', 'xoxr', 'xoxs'].map(
    (kind) => `${kind}-${'a7-Zb'.repeat(2)}`,
  ),
  `sk_live_${'a7'.repeat(8)}`,
  `sk-ant-${'a7-_'.repeat(4)}`,
  `sk-proj-${'a7-_'.repeat(4)}`,
  `AIza${'a7-_B'.repeat(7)}`,
  `hvs.${'a7-_'.repeat(5)}`,
  'eyJhbGci_-9.eyJzdWIi_-9.abcd_-89',
  'Bearer a7~+/=.-',
];

describe('a token of a service', () => {
  test.each(TOKENS)(
    '%s is a secret, also within a text, but not cut off or as a part of a word',
    (token) => {
      for (const text of [
        token,
        `see ${token}`,
        `(${token}) or so`,
        `a="${token}"`,
      ])
        expect(hasSecretForm(text), text).toBe(true);
      for (const text of [token.slice(0, -1), `a${token}`])
        expect(hasSecretForm(text), text).toBe(false);
    },
  );
});

describe('a login as a header has it', () => {
  test.each([
    `Authorization: Bearer ${'a7'.repeat(8)}`,
    'Authorization: Bearer abcdef123456',
    '{"Authorization":"Bearer abcdef123456"}',
    `bearer eyJ${'a7'.repeat(8)}.eyJ${'a7'.repeat(8)}.`,
    `Basic ${base64('user:hunter2')}`,
    `Authorization:  Basic ${base64('a user:pass word')}`,
    `use Basic ${base64('user:hunter2')} please`,
  ])('%s is a secret', (text) => {
    expect(hasSecretForm(text)).toBe(true);
  });
  test.each([
    ['prose', 'basic authentication'],
    ['a name of two words', 'basic JavaScript, basic Office365'],
    ['prose after a scheme', 'Bearer authentication'],
    ['prose on a header', 'Send Authorization: Bearer your-access-token'],
    ['a header to be filled in', 'Authorization: Bearer {{token1}}'],
  ])('%s is none', (_, text) => {
    expect(hasSecretForm(text)).toBe(false);
  });
});

describe('a private key', () => {
  test.each(['', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ', 'ANY OTHER '])(
    'of the kind "%s" is a secret',
    (kind) => {
      expect(
        hasSecretForm(`key:\n-----BEGIN ${kind}PRIVATE KEY-----\nMII`),
      ).toBe(true);
    },
  );
  test('is told from a public one', () => {
    expect(hasSecretForm('-----BEGIN RSA PUBLIC KEY-----\nMII')).toBe(false);
  });
});

describe('a URL', () => {
  test.each([
    'postgres://user:hunter2@db.example/x',
    'git+ssh://u:p@h',
    ...[
      'api_key',
      'apikey',
      'API-KEY',
      'access_token',
      'accesstoken',
      'auth-token',
      'authtoken',
      'token',
    ].map((name) => `https://x.example/a?${name}=hunter2`),
    ...[
      'client_secret',
      'clientsecret',
      'secret',
      'password',
      'passwd',
      'pwd',
    ].map((name) => `http://x.example/?page=1&${name}=hunter2#top`),
    'https://a.blob.core.windows.net/?sv=2020&sig=abc%3D',
    'https://s3.example/a?X-Amz-Signature=0a1b2c',
    'https://x.example/a?signature=abcde1',
    'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
    'https://discord.com/api/webhooks/123456789/abcdefghijkl-_34',
    `https://example.webhook.office.com/webhookb2/${'0a'.repeat(16)}@${'0a'.repeat(16)}/IncomingWebhook/1`,
    'https://x.example/?token=YOUR_TOKEN&secret=hunter2',
    'https://x.example/?token=MY_TOKEN_1',
    'see https://user:hunter2@x.example',
    '/search?token=hunter2',
  ])('%s holds a secret', (text) => {
    expect(hasSecretForm(text)).toBe(true);
  });
  test.each([
    'https://x.example/a',
    'https://user@x.example',
    'https://x.example:8080/a@b',
    'https://{{user}}:{{password}}@x.example',
    'https://x.example/?token=',
    'https://x.example/?tokens=12',
    'https://x.example/?mytoken=hunter2',
    'https://x.example/?token=YOUR_TOKEN',
    'https://x.example/?token=xxxx',
    'https://x.example/?token={token}',
    'https://x.example/?sig=abcde',
    'https://x.example/?signature=required',
    'https://x.example/?design=abcde1',
    'https://x.example/webhooks/123456789/abcdefghijkl-_34',
    'https://hooks.slack.com/services/{{team}}/{{bot}}/{{key}}',
    'https://discord.com/api/webhooks/',
  ])('%s holds none', (text) => {
    expect(hasSecretForm(text)).toBe(false);
  });
  test('may be very long, and its secret stand at the end', () => {
    expect(
      hasSecretForm(
        `https://x.example/?q=${'a'.repeat(100_000)}&token=hunter2`,
      ),
    ).toBe(true);
  });
});

const LONG = 'x'.repeat(5_000_000);

describe('a value of 5 MB is looked at like any other', () => {
  test.each(['bearer ', 'basic ', 'eyJ', '://', 'x', '#', 'https://a/?', ''])(
    '%s',
    (start) => {
      expect([hasSecretForm(start + LONG), isMask(start + LONG)]).toContain(
        false,
      );
    },
  );
  test('a secret at its beginning and a key anywhere are found', () => {
    expect(hasSecretForm(`bearer a7~${LONG}`)).toBe(true);
    expect(hasSecretForm(`https://me:secret@example.com/${LONG}`)).toBe(true);
    expect(hasSecretForm(`${LONG}-----BEGIN PRIVATE KEY-----`)).toBe(true);
  });
});
