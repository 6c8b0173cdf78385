import { describe, expect, test } from 'vitest';
import { refusedOrigins } from '../../../src/core/config/server-url.ts';

const place = {
  file: 'setpoint.yaml',
  line: 3,
  column: 13,
  endLine: 3,
  endColumn: 14,
};
const found = (url: string, env: Record<string, string>) =>
  refusedOrigins([{ url: new URL(url), urlPlace: place }], env);
const codes = (url: string, env: Record<string, string>) =>
  found(url, env).map(({ code }) => code);

const A = 'https://a.example.com';

describe('an address that only the YAML names', () => {
  test.each([
    [{}],
    [{ CI: '' }],
    [{ CI: 'false' }],
    [{ CI: '0' }],
    [{ SETPOINT_ALLOWED_ORIGINS: '' }],
    [{ CI: ' false ', SETPOINT_ALLOWED_ORIGINS: ' \n' }],
  ])('is for a person at a terminal to judge: %j', (env) => {
    expect(found(A, env)).toEqual([]);
  });
  test.each([
    [{ CI: 'true' }],
    [{ CI: '1' }],
    [{ CI: 'true', SETPOINT_ALLOWED_ORIGINS: '' }],
    [{ CI: 'false', SETPOINT_ALLOWED_ORIGINS: 'https://b.example.com' }],
    [{ SETPOINT_ALLOWED_ORIGINS: 'https://a.example.com:8443' }],
    [{ SETPOINT_ALLOWED_ORIGINS: 'http://a.example.com' }],
    [{ SETPOINT_ALLOWED_ORIGINS: 'https://a.example.com.' }],
    [{ SETPOINT_ALLOWED_ORIGINS: 'https://example.com' }],
    [{ SETPOINT_ALLOWED_ORIGINS: 'https://a.example.com.evil.example' }],
    [{ CI: 'true', SETPOINT_URL: 'https://b.example.com' }],
  ])('is refused where it is written: %j', (env) => {
    expect(found(A, env)).toMatchObject([
      { code: 'origin-not-allowed', facts: { origin: A }, place },
    ]);
  });
  test.each([
    [A],
    ['HTTPS://A.Example.COM'],
    ['https://a.example.com:443'],
    ['https://a.example.com/'],
    [`https://b.example.com,${A}`],
    [`https://b.example.com ${A}`],
    [`\n${A},\n  https://b.example.com,\n`],
  ])('is allowed by the list %j', (list) => {
    const env = { CI: 'true', SETPOINT_ALLOWED_ORIGINS: list };
    for (const url of [A, `${A}:443`, `${A}/api`, 'https://A.EXAMPLE.com/'])
      expect(codes(url, env)).toEqual([]);
  });
  test('is allowed by SETPOINT_URL, whatever its path', () => {
    expect(
      codes(A, { CI: 'true', SETPOINT_URL: 'https://A.example.com:443/api' }),
    ).toEqual([]);
  });
});

test.each([
  ['a.example.com'],
  ['*'],
  ['https://*.example.com'],
  ['https://a.example.com/api'],
  ['https://user@a.example.com'],
  ['ftp://a.example.com'],
  ['https://a.example.com;https://b.example.com'],
])('%j is no origin, and allows nothing', (item) => {
  expect(codes(A, { SETPOINT_ALLOWED_ORIGINS: item })).toEqual([
    'origin-not-allowed',
  ]);
});
