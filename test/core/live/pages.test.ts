import { describe, expect, test } from 'vitest';
import { decodeIntegrations } from '../../../src/core/live/integration.ts';
import { joinPages, type Page } from '../../../src/core/live/pages.ts';

const page = (ids: string, meta: Omit<Page, 'items'> = {}): Page => ({
  items: [...ids].map((id) => ({ id })),
  ...meta,
});

test.each([
  ['counts', { number: 0, size: 2, total: 5 }, { number: 0, total: 5 }],
  ['no counts', { number: -1, total: '5' }, { number: undefined, total: undefined }],
])('a page says of itself: %s', (_, meta, expected) => {
  expect(decodeIntegrations({ data: [], meta: { page: meta } })).toEqual({ items: [], ...expected });
});

describe('pages are a whole list', () => {
  test.each([
    ['with all of its total', [page('ab', { total: 3 }), page('c', { total: 3 })], 3],
    ['with an empty page at its end', [page('ab'), page('')], 2],
    ['with a total of none', [page('', { total: 0 })], 0],
  ])('%s', (_, pages, count) => {
    expect(joinPages(pages)).toHaveLength(count);
  });
  test.each([
    ['one is missing', [page('ab', { total: 3 }), page('', { total: 3 })], '2 came, but the total is 3'],
    [
      'one came twice',
      [page('ab', { total: 3 }), page('b', { total: 3 })],
      '1 of the listed ones came twice',
    ],
    [
      'the total moved',
      [page('ab', { total: 3 }), page('c', { total: 4 })],
      'the total changed between two pages',
    ],
    ['no page', [], 'it is empty, and says nothing of its pages'],
    ['an empty page that says nothing', [page('')], 'it is empty, and says nothing of its pages'],
    ['a page that may not be the last', [page('ab')], 'its last page was not given'],
  ])('but not if %s', (_, pages, problem) => {
    expect(joinPages(pages)).toBe(problem);
  });
});
