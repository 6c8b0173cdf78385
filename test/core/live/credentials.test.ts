import { describe, expect, test } from 'vitest';
import { withoutCredentials } from '../../../src/core/live/credentials.ts';

const CANARY = 'c4nary/+~.=';

describe('what follows the name of a credential is masked', () => {
  test.each<[string, string, string]>([
    [
      'a header',
      `Authorization: Bearer ${CANARY}\nUser-Agent: x`,
      'Authorization: (secret)\nUser-Agent: x',
    ],
    [
      'a header in quotes',
      `curl -H 'Authorization: Token ${CANARY} x' https://a.example`,
      "curl -H 'Authorization: (secret)' https://a.example",
    ],
    ['a header of words', 'X-Api-Key: plain', 'X-Api-Key: (secret)'],
    ['a cookie', `Cookie: a=1; sid=${CANARY}`, 'Cookie: (secret)'],
    [
      'a query',
      `GET https://a.example/v1?apikey=${CANARY}&limit=5 -> 401`,
      'GET https://a.example/v1?apikey=(secret)&limit=5 -> 401',
    ],
    ['a short name in a query', `?q=1&key=${CANARY}`, '?q=1&key=(secret)'],
    [
      'a query in a query',
      `?next=%2Fx%3Fapi_key%3D${CANARY}&y`,
      '?next=%2Fx%3Fapi_key%3D(secret)&y',
    ],
    [
      'JSON',
      `{"client_secret":"${CANARY}","n":1,"pin_token":12345,"m":2}`,
      '{"client_secret":"(secret)","n":1,"pin_token":(secret),"m":2}',
    ],
    [
      'JSON in JSON, with a quote in the secret',
      `{\\"apikey\\": \\"${CANARY}\\\\\\"more\\", \\"n\\": 1}`,
      '{\\"apikey\\": \\"(secret)\\", \\"n\\": 1}',
    ],
    [
      'what Python prints',
      `{'authorization': 'Basic ${CANARY} x', 'n': 2}`,
      "{'authorization': '(secret)', 'n': 2}",
    ],
    [
      'a list',
      `'set-cookie': [ ['${CANARY}'], 'b' ], n: 1`,
      "'set-cookie': (secret), n: 1",
    ],
    ['an assignment', `password=${CANARY} more`, 'password=(secret) more'],
    ['an assignment of a word', 'pwd = plain', 'pwd = (secret)'],
    [
      'a variable',
      `AWS_SECRET_ACCESS_KEY=${CANARY}`,
      'AWS_SECRET_ACCESS_KEY=(secret)',
    ],
    ['a colon', `Password: ${CANARY}`, 'Password: (secret)'],
    [
      'quotes without an end',
      `{"passphrase": "${CANARY} and`,
      '{"passphrase": "(secret)',
    ],
    [
      'a login in a URL',
      `https://user:${CANARY.replace('/', '')}@a.example/x`,
      'https://(secret)@a.example/x',
    ],
    ['a login alone', `sent Bearer ${CANARY}`, 'sent Bearer (secret)'],
    ['a mask', 'token=(secret)', 'token=(secret)'],
  ])('%s', (_, text, expected) => {
    expect(withoutCredentials(text)).toBe(expected);
  });
});

test.each([
  'The token expired.',
  'Invalid token: expired',
  'Invalid API key: the key has expired.',
  'The password must be longer than 12 characters',
  'Bearer token expired',
  'WWW-Authenticate: Bearer realm="api", error="invalid_token"',
  'Authorization: the account may not do this.',
  'tokenUrl: https://a.example/token?x=1',
  '{"token":null,"password":""}',
  'Unsupported token type: jwt',
  'See https://a.example:8443/docs, or mail help@a.example',
])('what is harmless stays: %s', (text) => {
  expect(withoutCredentials(text)).toBe(text);
});

test.each(['token=', '"token":', '\\', '"', '[', "'cookie: ", '://', ' '])(
  'a hostile text of many %j ends, as its cost does not grow with the square',
  (part) => {
    const text = `token:${part.repeat(2_000_000 / part.length)}`;
    expect(withoutCredentials(text).length).toBeLessThan(4_000_000);
  },
);
