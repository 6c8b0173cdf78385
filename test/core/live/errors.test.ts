import { describe, expect, test } from 'vitest';
import {
  decodeErrors,
  decodeIntegrationErrors,
  errorText,
  type IntegrationError,
  risenErrors,
} from '../../../src/core/live/errors.ts';

const title = 'Failed to update integration options';

test.each<[string, unknown, readonly object[]]>([
  [
    'a document',
    { errors: [{ title, detail: 'd', source: { pointer: '/p' } }] },
    [{ title, detail: 'd', pointer: '/p' }],
  ],
  ['several entries', { errors: [{ title: 'a' }, { title: 'b' }] }, [{ title: 'a' }, { title: 'b' }]],
  [
    'nested entries',
    { errors: [{ title, meta: { errors: [{ detail: 'inner' }] } }] },
    [{ title }, { detail: 'inner' }],
  ],
  ['a pointer alone', { errors: [{ source: { pointer: '/data/1' } }] }, [{ pointer: '/data/1' }]],
  ['what an integration checks', { errors: [{ key: 'url', message: 'm' }] }, [{ key: 'url', detail: 'm' }]],
  ['texts for entries', { errors: ['it is wrong'] }, [{}]],
  ['nothing of it', { data: [] }, []],
  ['nothing', undefined, []],
])('errors come as %s', (_, body, expected) => {
  expect(decodeErrors(body)).toEqual(expected);
});

test('an entry that says only where still says that', () => {
  expect(errorText([{ pointer: '/data/1' }])).toContain('/data/1');
});

const LONG = 'x'.repeat(15_000_000);

describe('error documents', () => {
  test('of very many entries the first are read, and their text is cut', () => {
    const errors = Array.from({ length: 200_000 }, (_, index) => ({ detail: `${index} is wrong` }));
    const decoded = decodeErrors({ errors });
    expect(decoded).toHaveLength(100);
    expect(errorText(decodeErrors({ errors: [{ detail: LONG }] }))?.length).toBeLessThan(5_000);
    expect(
      errorText(decodeErrors({ errors: errors.map(() => ({ detail: LONG.slice(0, 4_000) })) }))?.length,
    ).toBeLessThan(5_000);
  });
  test('nested without end are read to a depth', () => {
    const nest = (inner: unknown) => [{ title: 'x', meta: { errors: inner } }];
    const nested = Array.from({ length: 100_000 }).reduce<unknown>(nest, []);
    expect(decodeErrors({ errors: nested })).toHaveLength(5);
  });
});

test.each([1e308, -1, 0.5, '5'])('integration errors have counts that are numbers: %s is none', (count) => {
  const attributes = { 'error-count': count, status: count };
  const found = decodeIntegrationErrors({ data: [{ id: 'e', type: 'integration-errors', attributes }] });
  expect(found).toMatchObject([{ count: 1, status: null }]);
});

function error(id: string, count: number, integration = 'vt'): IntegrationError {
  return { id, integration, count, code: '', title: 't', detail: '', occurredOn: '', status: null };
}

const risen = (before: readonly IntegrationError[], after: readonly IntegrationError[]) =>
  risenErrors(before, after, new Set(['vt'])).map(({ id }) => id);

test('what is new or more frequent has risen', () => {
  const before = [error('a', 1), error('b', 4), error('c', 2)];
  const after = [error('a', 1), error('b', 5), error('d', 1), error('c', 1)];
  expect(risen(before, after)).toEqual(['b', 'd']);
});

test('a new error counts also where the server counts it as zero', () => {
  expect(risen([], [error('a', 0)])).toEqual(['a']);
});

test('errors of other integrations do not count; those of nobody may', () => {
  expect(risen([], [error('a', 1, 'other'), error('b', 1, '')])).toEqual(['b']);
});
