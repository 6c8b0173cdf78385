import { describe, expect, test } from 'vitest';
import { hasTooManyObjects, MOST_OBJECTS } from '../../../src/core/live/limits.ts';
import { decodeLogin } from '../../../src/core/live/login.ts';
import { hasSecretForm, isMask } from '../../../src/core/model/secrecy.ts';

const LONG = 'x'.repeat(15_000_000);

describe('a value of 15 MB is looked at like any other', () => {
  test.each(['bearer ', 'basic ', 'x', '#', 'https://a/?', ''])('%s', (start) => {
    expect([hasSecretForm(start + LONG), isMask(start + LONG)]).toContain(false);
  });
  test('a secret at its beginning and a key anywhere are found', () => {
    expect(hasSecretForm(`bearer ${LONG}`)).toBe(true);
    expect(hasSecretForm(`https://me:secret@example.com/${LONG}`)).toBe(true);
    expect(hasSecretForm(`${LONG}-----BEGIN PRIVATE KEY-----`)).toBe(true);
  });
});

test('objects are counted before they are parsed', () => {
  expect(hasTooManyObjects('{}'.repeat(MOST_OBJECTS))).toBe(false);
  expect(hasTooManyObjects('[{}'.repeat(MOST_OBJECTS))).toBe(true);
});

test('an expiration time that is nested without end is no time', () => {
  const nested = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], 5);
  expect(Object.keys(decodeLogin({ data: { token: 't', expiration_time: nested } }) ?? {})).toEqual([
    'token',
  ]);
});
