import { expect, test } from 'vitest';
import {
  checkServerUrl,
  plainAddress,
} from '../../../src/core/config/server-url.ts';

const place = { file: 'setpoint.yaml', line: 3, column: 13 };

test.each([
  ['https://a.example.com', 'https://a.example.com/'],
  ['HTTPS://A.example.com:443//', 'https://a.example.com/'],
  [
    'https://a.example.com/proxy/setpoint//',
    'https://a.example.com/proxy/setpoint',
  ],
  ['https://a.example.com/a//b', 'https://a.example.com/a//b'],
  ['http://localhost:8080', 'http://localhost:8080/'],
  ['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080/x'],
  ['http://[::1]', 'http://[::1]/'],
])('%s is the address of a server', (text, href) => {
  const { value, diagnostics } = checkServerUrl(text, place);
  expect([value?.href, diagnostics]).toEqual([href, []]);
});

test.each([
  ['', 'is not an http or https address'],
  ['a.example.com', 'is not an http or https address'],
  ['file:///etc/passwd', 'is not an http or https address'],
  ['xhttps://a.example.com', 'is not an http or https address'],
  ['httpsx://a.example.com', 'is not an http or https address'],
  ['https://a.example.com/${env:HOME}', 'cannot contain a reference'],
  ['https://admin@a.example.com', 'must not contain credentials'],
  ['https://:hunter2@a.example.com', 'must not contain credentials'],
  ['https://a.example.com/?x=1', 'must end before a ? or #'],
  ['https://a.example.com/#top', 'must end before a ? or #'],
  ['http://a.example.com', 'must begin with https://'],
  ['http://localhost.example.com', 'must begin with https://'],
])('%s is none: %s', (text, problem) => {
  const { value, diagnostics } = checkServerUrl(text, place);
  expect(value).toBeUndefined();
  expect(diagnostics).toMatchObject([
    {
      code: 'bad-url',
      facts: { problem: expect.stringContaining(`This URL ${problem}`) },
      place,
    },
  ]);
  const [ofFlag] = checkServerUrl(text).diagnostics;
  expect(ofFlag).toMatchObject({
    code: 'bad-url',
    facts: { problem: expect.stringContaining(`--url ${problem}`) },
  });
  expect(ofFlag?.place).toBeUndefined();
});

test.each([
  ['HTTPS://A.example.com:443//', 'https://a.example.com'],
  ['https://a.example.com/X//', 'https://a.example.com/X'],
  ['No URL/', 'no url'],
])('the address %s has one form', (text, plain) => {
  expect(plainAddress(text)).toBe(plain);
});
