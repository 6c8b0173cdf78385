import { describe, expect, test } from 'vitest';
import { type Page, wholeList } from '../../../src/core/live/pages.ts';

type Said = Partial<Omit<Page<{ readonly id: string }>, 'data'>>;

/** A page of so many resources, the first with this id. */
function pageOf(from: number, count: number, said: Said = {}): Page<{ readonly id: string }> {
  const data = Array.from({ length: count }, (_, index) => ({ id: String(from + index) }));
  return { data, page: {}, ...said };
}

const numbered = (number: number, count: number) => pageOf(number * 3, count, { page: { number, size: 3 } });

describe('a list that was read elsewhere', () => {
  test.each([
    ['fewer resources than fit on its one page', [pageOf(0, 99)]],
    ['a page that is shorter than its own size', [pageOf(0, 4, { page: { size: 5 } })]],
    ['an empty page at its end', [pageOf(0, 100), pageOf(100, 0)]],
    ['a full page that says that none follows', [pageOf(0, 100, { hasNext: false })]],
    ['all of its total', [pageOf(0, 100, { page: { total: 100 }, hasNext: true })]],
    ['a total of none', [pageOf(0, 0, { page: { total: 0 } })]],
    ['numbered pages in any order', [numbered(3, 1), numbered(1, 3), numbered(2, 3)]],
    ['pages from number 0', [numbered(0, 3), numbered(1, 0)]],
  ])('is whole with %s', (_, pages) => {
    expect(wholeList(pages)).toEqual(pages.flatMap(({ data }) => data));
  });
  test.each([
    ['no page', [], 'none of its pages was given'],
    ['an empty page that says nothing', [pageOf(0, 0)], 'it is empty, and says nothing of its pages'],
    [
      'an empty page that says that none follows',
      [pageOf(0, 0, { hasNext: false })],
      'it is empty, and says nothing of its pages',
    ],
    ['a full page', [pageOf(0, 100)], 'its last page was not given'],
    ['a page of its own size', [pageOf(0, 5, { page: { size: 5 } })], 'its last page was not given'],
    ['a page that leads on', [pageOf(0, 5, { hasNext: true })], 'its last page was not given'],
    ['a full page of the highest number', [numbered(2, 3), numbered(1, 2)], 'its last page was not given'],
    ['a page left out', [numbered(1, 3), numbered(3, 1)], 'its pages are not numbered in a row from 0 or 1'],
    ['no first page', [numbered(2, 1)], 'its pages are not numbered in a row from 0 or 1'],
    ['fewer than its total', [pageOf(0, 2, { page: { total: 3 } })], '2 came, but the total is 3'],
    ['one page twice', [pageOf(0, 2), pageOf(0, 2)], '2 of the listed ones came twice'],
  ])('is not whole with %s', (_, pages, problem) => {
    expect(wholeList(pages)).toBe(problem);
  });
});
