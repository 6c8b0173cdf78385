import { describe, expect, test } from 'vitest';
import { masker } from '../../../src/core/report/mask.ts';

const SECRET = 'hunter2/"&<ä>+secret';

describe('a secret is masked', () => {
  const bytes = Buffer.from(SECRET);
  test.each([
    ['as it is', SECRET],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in a URL', encodeURIComponent(SECRET)],
    ['in HTML', 'hunter2/&quot;&amp;&lt;ä&gt;+secret'],
    ['in Base64', bytes.toString('base64').replace(/=+$/, '')],
    ['in URL-safe Base64', bytes.toString('base64url')],
    ['in hex', bytes.toString('hex')],
  ])('%s', (_, form) => {
    expect(masker([SECRET]).text(`a ${form} b`)).toMatch(
      /^a \(secret\).{0,3} b$/,
    );
  });
  test('in Base64 after a user name', () => {
    const text = Buffer.from(`admin:${SECRET}`).toString('base64');
    expect(masker([SECRET]).text(text)).toContain('(secret)');
  });
});

test('a short secret, a plain word and a number are not masked', () => {
  const secrets = [
    'hunter2',
    'production',
    'Production',
    '1234567890',
    '3.14159265',
  ];
  const text = secrets.join(' ');
  expect(masker(secrets).text(text)).toBe(text);
});

test('names, ids, addresses and URLs stay, other texts do not', () => {
  const kept = {
    name: SECRET,
    id: SECRET,
    url: SECRET,
    address: SECRET,
    addresses: [SECRET],
    repository: SECRET,
    commit: SECRET,
    sameSecrets: [SECRET],
  };
  const data = {
    ...kept,
    message: SECRET,
    reason: SECRET,
    list: [{ before: SECRET }],
    [SECRET]: 1,
  };
  const masked = {
    ...kept,
    message: '(secret)',
    reason: '(secret)',
    list: [{ before: '(secret)' }],
    [SECRET]: 1,
  };
  expect(masker([SECRET]).data(data)).toEqual(masked);
});
