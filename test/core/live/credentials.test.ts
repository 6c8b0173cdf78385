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
      "'set-cookie': (secret)",
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
    [
      'brackets in quotes',
      `{"apikey": {"id":"}","v":"${CANARY}"}}`,
      '{"apikey": (secret)',
    ],
    ['a list of brackets', `"token":["]","${CANARY}"], n`, '"token":(secret)'],
    [
      'brackets in quotes of JSON in JSON',
      `{\\"token\\":[\\"\\\\\\"]\\",\\"${CANARY}\\"],\\"n\\":1}`,
      '{\\"token\\":(secret)',
    ],
    [
      'a private key in lines',
      `private_key: -----BEGIN PRIVATE KEY-----\n${CANARY}\n-----END PRIVATE KEY-----\nn: 1`,
      'private_key: (secret)\nn: 1',
    ],
    [
      'a private key without an end or a name',
      `read -----BEGIN RSA PRIVATE KEY-----\n${CANARY}\nmore`,
      'read (secret)',
    ],
    [
      'a header whose login is on the next line',
      `Authorization: Bearer\n${CANARY} x\nHost: a`,
      'Authorization: (secret)\n(secret) x\nHost: a',
    ],
    [
      'a name and a value',
      `{"name":"X-Api-Key","value":"${CANARY}"}`,
      '{"name":"X-Api-Key","value":"(secret)"}',
    ],
    ['a short name', `{"auth":"${CANARY}"}`, '{"auth":"(secret)"}'],
    ['a short name of code', `auth=${CANARY}`, 'auth=(secret)'],
    [
      'names of keys',
      `auth_key=${CANARY} app_key=${CANARY} x-key: ${CANARY}`,
      'auth_key=(secret) app_key=(secret) x-key: (secret)',
    ],
    [
      'a name with an ending',
      `password1=${CANARY} token_value=${CANARY}`,
      'password1=(secret) token_value=(secret)',
    ],
    ['a plural', `"tokens":["${CANARY}"]`, '"tokens":(secret)'],
    [
      'an element of XML',
      `<a:password type="x">${CANARY} y</a:password><n>1</n>`,
      '<a:password type="x">(secret)</a:password><n>1</n>',
    ],
    ['an element without an end', `<token>${CANARY} y`, '<token>(secret)'],
    ['an assignment of Go', `token := ${CANARY}`, 'token := (secret)'],
    ['bytes of Python', `{'token': b'${CANARY}'}`, "{'token': b'(secret)'}"],
    ['prose', `Token ${CANARY} is invalid`, 'Token (secret) is invalid'],
    [
      'prose with quotes',
      `No API key "${CANARY}" or ApiKey ${CANARY}`,
      'No API key "(secret)" or ApiKey (secret)',
    ],
    ['a word in JSON', '{"password":"plain"}', '{"password":"(secret)"}'],
    ['a word with a digit in it', 'password: s3cret', 'password: (secret)'],
    ['a word behind a digit', 'token: 4ever', 'token: (secret)'],
    ['a number', 'password=123456', 'password=(secret)'],
    ['what only ends like null', 'token=1234null', 'token=(secret)'],
    ['what only begins like null', 'token=null1234', 'token=(secret)'],
    ['what only ends in a count', 'tokens=c4nary123', 'tokens=(secret)'],
    ['what only begins as a count', 'tokens=123c4nary', 'tokens=(secret)'],
    [
      'a login behind several spaces',
      `sent Bearer  ${CANARY}`,
      'sent Bearer  (secret)',
    ],
    [
      'a login of Base64, which ends like a parameter',
      'sent Bearer c4naryQUJj=',
      'sent Bearer (secret)',
    ],
    [
      'a login of a word',
      'Authorization: apikey plain',
      'Authorization: (secret)',
    ],
    [
      'a login some lines below its scheme',
      `Authorization: Basic\n\n  ${CANARY}\nHost: a`,
      'Authorization: (secret)\n\n  (secret)\nHost: a',
    ],
    [
      'a header that begins like prose',
      `Cookie: denied ${CANARY} now`,
      'Cookie: (secret)',
    ],
    [
      'a header behind other quotes',
      'say "hi" Authorization: a1 "b2 c3',
      'say "hi" Authorization: (secret)',
    ],
    ['prose with spaces', `password  ${CANARY}`, 'password  (secret)'],
    [
      'prose with a late digit',
      'token abcdef7 is bad',
      'token (secret) is bad',
    ],
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
  '{"required":["password","username"]}',
  '{"token":null,"key":"a","type":"password","label":"Token","order":1}',
  'Requested 9000 tokens: 4096 in the prompt, max_tokens=8192.',
  'Basic auth: 401',
  'Unexpected token < in JSON at position 12345',
  'See the docs on a token https://a1.example/token',
  '<label>Password</label> <b>Token:</b> expired',
  'The token -> header mapping failed',
  'Authorization:   denied   for   you',
])('what is harmless stays: %s', (text) => {
  expect(withoutCredentials(text)).toBe(text);
});

test.each([
  'token=',
  '"token":',
  '\\',
  '"',
  '[',
  "'cookie: ",
  '://',
  ' ',
  'authorization: ',
  'cookie: a ',
  "'authorization: a ",
  'cookie: "',
  'token: ',
  '"token",',
  '"token","value":',
  '<token>',
  '<token ',
  'token [',
  'tokens:[\\"',
  'api key ',
  'secret a',
  '-----BEGIN PRIVATE KEY-----',
  '-----END ',
])(
  'a hostile text of many %j ends, as its cost does not grow with the square',
  (part) => {
    const text = `token:${part.repeat(300_000 / part.length)}x`;
    expect(withoutCredentials(text).length).toBeLessThan(4_000_000);
  },
);
