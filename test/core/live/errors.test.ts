import { describe, expect, test } from 'vitest';
import {
  decodeErrors,
  decodeIntegrationErrors,
  errorText,
  refusalIn,
  risenErrors,
} from '../../../src/core/live/errors.ts';

type IntegrationError = Parameters<typeof risenErrors>[0][number];

const title = 'Failed to update integration options';

test.each<[string, unknown, readonly object[]]>([
  [
    'a document',
    { errors: [{ title, detail: 'd', source: { pointer: '/p' } }] },
    [{ title, detail: 'd', pointer: '/p' }],
  ],
  [
    'nested entries',
    { errors: [{ title, meta: { errors: [{ detail: 'inner' }] } }] },
    [{ title }, { detail: 'inner' }],
  ],
  [
    'what an integration checks',
    { errors: [{ key: 'url', message: 'm' }] },
    [{ key: 'url', detail: 'm' }],
  ],
  [
    'what a gateway says',
    { message: 'blocked, token=c4nary' },
    [{ detail: 'blocked, token=(secret)' }],
  ],
  ['an error with words', { error: { message: 'm' } }, [{ detail: 'm' }]],
  ['an error that is a text', { error: 'e', title: 't' }, [{ detail: 'e' }]],
  ['texts for entries', { errors: ['it is wrong'] }, [{}]],
])('errors come as %s', (_, body, expected) => {
  expect(decodeErrors(body)).toEqual(expected);
});

test('texts of errors are without credentials, and names as they are', () => {
  const [text, name] = ['password=c4nary', 'token=c4nary'];
  const source = { pointer: name };
  const errors = [{ title: text, detail: text, source, key: name }];
  const masked = 'password=(secret)';
  expect(decodeErrors({ errors })).toEqual([
    { title: masked, detail: masked, pointer: name, key: name },
  ]);
});

test.each<[string, Parameters<typeof errorText>[0], string | undefined]>([
  ['title and detail', [{ title: 't', detail: 'd' }], 't: d'],
  ['one of them', [{ title: 't' }, { detail: 'd' }], 't; d'],
  [
    'the detail alone, if it says where',
    [{ title: 't', detail: 'd', pointer: '/p' }],
    'd',
  ],
  [
    'where, without a credential',
    [{ pointer: '/token=c4nary' }],
    'it points at /token=(secret)',
  ],
  [
    'each text once, and no empty one',
    [{ title: 't' }, {}, { title: 't' }],
    't',
  ],
  [
    'the first 4,096 characters of more',
    [{ title: 't'.repeat(4_097) }],
    `${'t'.repeat(4_096)}…`,
  ],
  ['nothing', [{}], undefined],
])('errors read as %s', (_, errors, text) => {
  expect(errorText(errors)).toBe(text);
});

test.each<[string, unknown, readonly object[] | undefined]>([
  ['nothing', undefined, undefined],
  ['errors', { errors: [{ title }] }, [{ title }]],
  ['errors of one resource', { data: { errors: [{ title }] } }, [{ title }]],
  [
    'errors of an item',
    { data: [{ id: 'x' }, { errors: [{ title }] }] },
    [{ title }],
  ],
  ['errors in another form', { errors: { timeout: 'too short' } }, []],
])('a good answer that holds %s', (_, body, refusal) => {
  expect(refusalIn(body)).toEqual(refusal);
});

const LONG = 'x'.repeat(15_000_000);

describe('error documents', () => {
  test('of very many entries the first are read, and their text is cut', () => {
    const errors = Array.from({ length: 200_000 }, (_, index) => ({
      detail: `${index} is wrong`,
    }));
    expect(decodeErrors({ errors })).toHaveLength(100);
    const nested = errors.slice(0, 60).map((error) => ({
      ...error,
      meta: { errors: [error] },
    }));
    expect(decodeErrors({ errors: nested })).toHaveLength(100);
    const several = [{ errors: nested }, { errors: nested }];
    expect(refusalIn(several)).toHaveLength(100);
    const lengthOf = (details: readonly string[]) => {
      const decoded = decodeErrors({
        errors: details.map((detail) => ({ detail })),
      });
      return errorText(decoded)?.length;
    };
    expect(lengthOf([LONG])).toBeLessThan(5_000);
    const cut = LONG.slice(0, 4_000);
    expect(lengthOf(errors.map(() => cut))).toBeLessThan(5_000);
  });
  test('nested without end are read to a depth', () => {
    const nest = (inner: unknown) => [{ title: 'x', meta: { errors: inner } }];
    const nested = Array.from({ length: 100_000 }).reduce<unknown>(nest, []);
    expect(decodeErrors({ errors: nested })).toHaveLength(2);
  });
});

test.each([1e308, -1, 0.5, '5'])(
  'integration errors have counts that are numbers: %s is none',
  (count) => {
    const attributes = { 'error-count': count, status: count };
    const found = decodeIntegrationErrors({
      data: [{ id: 'e', type: 'integration-errors', attributes }],
    });
    expect(found).toMatchObject([{ count: 1, status: null }]);
  },
);

test('of an integration error all but its meta is kept, and what is missing is empty', () => {
  const texts = { code: 'E1', title: 't', detail: 'd' };
  const occurredOn = '2026-11-20 10:00:00.000000Z';
  const attributes = {
    ...texts,
    'integration-id': 'vt',
    'error-count': 3,
    status: 401,
    'occurred-on': occurredOn,
    meta: { request: 'secret' },
  };
  const empty = {
    id: '',
    integration: '',
    code: '',
    title: '',
    detail: '',
    occurredOn: '',
  };
  expect(
    decodeIntegrationErrors({ data: [{ id: 'e', attributes }, {}] }),
  ).toEqual([
    { id: 'e', ...texts, integration: 'vt', count: 3, status: 401, occurredOn },
    { ...empty, count: 1, status: null },
  ]);
  expect(decodeIntegrationErrors({})).toBe('`data` is not a list');
});

const error = (
  id: string,
  count: number,
  integration = 'vt',
): IntegrationError => {
  const texts = { code: '', title: 't', detail: '', occurredOn: '' };
  return { ...texts, id, integration, count, status: null };
};

const risen = (
  before: readonly IntegrationError[],
  after: readonly IntegrationError[],
) => risenErrors(before, after, new Set(['vt'])).map(({ id }) => id);

test('what is new or more frequent has risen', () => {
  const before = [error('a', 1), error('b', 4), error('c', 2)];
  const after = [error('a', 1), error('b', 5), error('d', 1), error('c', 1)];
  expect(risen(before, after)).toEqual(['b', 'd']);
});

test('errors of other integrations do not count; those of nobody may', () => {
  expect(risen([], [error('a', 1, 'other'), error('b', 1, '')])).toEqual(['b']);
});

test('words are whole up to 4,096 characters', () => {
  const textOf = (length: number) =>
    errorText([{ detail: 'x'.repeat(length) }]);
  expect(textOf(4_096)).toBe('x'.repeat(4_096));
  expect(textOf(4_097)).toBe(`${'x'.repeat(4_096)}…`);
});

test('only a body without errors of the API may be one of a gateway', () => {
  expect(decodeErrors({})).toEqual([]);
  expect(decodeErrors({ errors: [], message: 'no' })).toEqual([]);
  expect(decodeErrors({ message: 'no' })).toEqual([{ detail: 'no' }]);
});
