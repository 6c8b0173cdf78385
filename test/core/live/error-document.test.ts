import { expect, test } from 'vitest';
import { decodeErrors, errorText } from '../../../src/core/live/error-document.ts';

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
  [
    'a list in meta',
    { errors: [{ title, meta: [{ key: 'k', message: 'm' }] }] },
    [{ title }, { key: 'k', detail: 'm' }],
  ],
  ['texts for entries', { errors: ['it is wrong'] }, [{ detail: 'it is wrong' }]],
  ['a code alone', { errors: [{ code: 'E17' }] }, [{ title: 'E17' }]],
  ['a pointer alone', { errors: [{ source: { pointer: '/data/1' } }] }, [{ pointer: '/data/1' }]],
  ['a parameter', { errors: [{ detail: 'd', source: { parameter: 'url' } }] }, [{ detail: 'd', key: 'url' }]],
  ['what an integration checks', { errors: [{ key: 'url', message: 'm' }] }, [{ key: 'url', detail: 'm' }]],
  ['a list without a document', [{ key: 'url', message: 'm' }], [{ key: 'url', detail: 'm' }]],
  [
    'messages by key',
    { errors: { url: ['m', 'n'] } },
    [
      { key: 'url', detail: 'm' },
      { key: 'url', detail: 'n' },
    ],
  ],
  ['a message alone', { message: 'm' }, [{ detail: 'm' }]],
  ['an error alone', { error: { message: 'm' } }, [{ detail: 'm' }]],
  ['nothing of it', { data: [] }, []],
  ['no document', 'text', []],
  ['nothing', undefined, []],
])('errors come as %s', (_, body, expected) => {
  expect(decodeErrors(body)).toEqual(expected);
});

test('an entry that says only where still says that', () => {
  expect(errorText([{ pointer: '/data/1' }])).toContain('/data/1');
});
