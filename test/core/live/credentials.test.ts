import { expect, test } from 'vitest';
import { withoutCredentials } from '../../../src/core/live/credentials.ts';

/** A secret with characters that others end at. */
const SECRET = 'c4nary/+~.=';

/** Texts of servers: what is between « and » is masked, and X is the secret. */
const MASKED = [
  // Headers.
  'Authorization: «Bearer X»\nUser-Agent: x',
  "curl -H 'Authorization: «Token X x»' https://a.example",
  'Authorization: «apikey plain»',
  'Authorization: «Bearer»\n«X» x\nHost: a',
  'Authorization: «Basic»\n\n  «X»\nHost: a',
  'say "hi" Authorization: «a1 "b2 c3»',
  'X-Api-Key: «plain»',
  'Cookie: «a=1; sid=X»',
  'Cookie: «denied X now»',
  "curl -H 'Cookie: «a=X»'",
  "curl -H 'Authorization:«Basic X»'",
  'AUTHORIZATION=«X y»',
  // Addresses.
  'GET https://a.example/v1?apikey=«X»&limit=5 -> 401',
  '?q=1&key=«X»',
  '?next=%2Fx%3Fapi_key%3D«X»&y',
  'https://«user:c4nary+~.=»@a.example/x',
  // JSON, also in JSON, and what looks like it.
  '{"client_secret":"«X»","n":1,"pin_token":«12345»,"m":2}',
  '{"password":"«plain»"}',
  '{"auth":"«X»"}',
  '{"name":"X-Api-Key","value":"«X»"}',
  '{"apikey": «{"id":"}","v":"X"}}»',
  '"token":«["]","X"], n»',
  '"tokens":«["X"]»',
  '"pin_token":«12345»',
  '{"token":"«null»","password":"«true»"}',
  '{\\"apikey\\": \\"«X\\\\\\"more»\\", \\"n\\": 1}',
  '{\\"token\\":«[\\"\\\\\\"]\\",\\"X\\"],\\"n\\":1}»',
  '{"passphrase": "«X and»',
  "{'authorization': '«Basic X x»', 'n': 2}",
  "{'token': b'«X»'}",
  "'set-cookie': «[ ['X'], 'b' ], n: 1»",
  // XML, and private keys.
  '<a:password type="x">«X y»</a:password><n>1</n>',
  '<token>«X y»',
  'private_key: «-----BEGIN PRIVATE KEY-----\nX\n-----END PRIVATE KEY-----»\nn: 1',
  'read «-----BEGIN RSA PRIVATE KEY-----\nX\nmore»',
  // Assignments.
  'password=«X» more',
  'pwd = «plain»',
  'PWD=«plain»',
  'token:«plain»',
  'token = «plain»',
  'x_token: «expired»',
  'x-key: «expired»',
  'password="«X»',
  'AWS_SECRET_ACCESS_KEY=«X»',
  'Password: «X»',
  'token := «X»',
  'token=«(secret)»',
  'auth=«X»',
  'auth_key=«X» app_key=«X» x-key: «X»',
  'password1=«X» token_value=«X»',
  // A word with a digit is a secret, and so is what only looks like null or a count.
  'password: «s3cret»',
  'token: «4ever»',
  'password=«123456»',
  'token=«1234null»',
  'token=«null1234»',
  'tokens=«c4nary123»',
  'tokens=«123c4nary»',
  // Prose.
  'sent Bearer «X»',
  'sent Bearer  «X»',
  'sent Bearer «c4naryQUJj=»',
  'Token «X» is invalid',
  'No API key "«X»" or ApiKey «X»',
  'password  «X»',
  'token «abcdef7» is bad',
];

test.each(MASKED)(
  'what follows the name of a credential is masked: %s',
  (marked) => {
    const text = marked.replace(/[«»]/g, '').replace(/\bX\b(?!-)/g, SECRET);
    const expected = marked.replace(/«[^»]*»/g, '(secret)');
    expect(withoutCredentials(text)).toBe(expected);
  },
);

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
  'Authorization: try bearer instead',
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
