import { describe, expect, test } from 'vitest';
import { decodeErrors, errorText } from '../../../src/core/live/error-document.ts';
import { decodeIntegrations } from '../../../src/core/live/integration.ts';
import { decodeIntegrationErrors } from '../../../src/core/live/integration-error.ts';
import { hasTooManyObjects, SERVER_LIMITS } from '../../../src/core/live/limits.ts';
import { decodeLogin } from '../../../src/core/live/login.ts';
import { hasSecretForm, isMask } from '../../../src/core/model/secrecy.ts';

const LONG = 'x'.repeat(15_000_000);

const integration = (changes: object) => ({ id: 'a', type: 'integrations', attributes: {}, ...changes });
const option = (attributes: object, id = 'a-k') => ({ id, type: 'integration-options', attributes });
const linking = (item: object) => integration({ relationships: { 'integration-options': { data: [item] } } });

describe('a name of 15 MB is refused, one of 200 characters is not', () => {
  test.each<[string, (name: string) => object]>([
    ['an id', (id) => ({ data: [integration({ id })] })],
    ['the name of an integration', (name) => ({ data: [integration({ attributes: { name } })] })],
    ['its acronym', (acronym) => ({ data: [integration({ attributes: { acronym } })] })],
    ['its status', (status) => ({ data: [integration({ attributes: { status } })] })],
    ['the key of an option', (key) => ({ data: [linking(option({ key }, `a-${key}`))] })],
  ])('%s', (_, body) => {
    expect(decodeIntegrations(body(LONG))).toBeTypeOf('string');
    expect(decodeIntegrations(body('x'.repeat(200)))).toBeTypeOf('object');
  });
  test('a token', () => {
    expect(decodeLogin({ data: { token: LONG } })).toBeUndefined();
  });
});

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
  expect(hasTooManyObjects('{}'.repeat(SERVER_LIMITS.objects))).toBe(false);
  expect(hasTooManyObjects('[{}'.repeat(SERVER_LIMITS.objects))).toBe(true);
});

describe('error documents', () => {
  test('of very many entries the first are read, and their text is cut', () => {
    const errors = Array.from({ length: 200_000 }, (_, index) => ({ detail: `${index} is wrong` }));
    const decoded = decodeErrors({ errors });
    expect(decoded).toHaveLength(SERVER_LIMITS.errors);
    expect(errorText(decodeErrors({ errors: [{ detail: LONG }] }))?.length).toBeLessThan(5_000);
    expect(
      errorText(decodeErrors({ errors: errors.map(() => ({ detail: LONG.slice(0, 4_000) })) }))?.length,
    ).toBeLessThan(5_000);
  });
  test.each<[string, (inner: unknown) => unknown]>([
    ['a list in meta', (inner) => [{ title: 'x', meta: inner }]],
    ['errors in meta', (inner) => [{ title: 'x', meta: { errors: inner } }]],
  ])('nested without end: %s', (_, nest) => {
    const nested = Array.from({ length: 100_000 }).reduce<unknown>(nest, []);
    expect(decodeErrors({ errors: nested })).toHaveLength(SERVER_LIMITS.errorDepth + 1);
  });
  test('pointers and keys that are too long are left out', () => {
    const errors = [{ detail: 'd', key: LONG, source: { pointer: LONG } }];
    expect(decodeErrors({ errors })).toEqual([{ detail: 'd' }]);
    expect(decodeErrors({ errors: { [LONG]: 'd' } })).toEqual([{ detail: 'd' }]);
  });
});

describe('integration errors', () => {
  const decoded = (attributes: object) => {
    const found = decodeIntegrationErrors({ data: [{ id: 'e', type: 'integration-errors', attributes }] });
    if (typeof found === 'string') throw new Error(found);
    return found[0];
  };
  test('have texts that are cut', () => {
    expect(decoded({ title: LONG, detail: LONG, code: LONG })?.detail.length).toBeLessThan(5_000);
  });
  test.each([1e308, -1, 0.5, '5'])('have counts that are numbers: %s is none', (count) => {
    expect(decoded({ 'error-count': count, status: count })).toMatchObject({ count: 1, status: null });
  });
});

test('an expiration time that is nested without end is no time', () => {
  const nested = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], 5);
  expect(Object.keys(decodeLogin({ data: { token: 't', expiration_time: nested } }) ?? {})).toEqual([
    'token',
  ]);
});
