import type { ResourceDocument } from './resource.ts';

/** A page of a list: its items, as soon as they are decoded, and what it says of itself. */
export interface Page<Item extends { readonly id: string }>
  extends Pick<ResourceDocument, 'page' | 'hasNext'> {
  readonly data: readonly Item[];
}

type AnyPage = Page<{ readonly id: string }>;

/** How many resources one request for a page asks for. */
export const PAGE_SIZE = 100;

/** The most resources that one list is read with. */
const MOST = 1_000_000;

/**
 * The numbers of the pages after the first, by its total, or what is wrong with that. `base` is the number of the first
 * page where it does not tell: the service may count from 0 or from 1.
 */
export function remainingPages(first: AnyPage, base = 1): readonly number[] | string {
  const { total = first.data.length, number = base } = first.page;
  if (total > MOST) return `the total is ${total}, and at most ${MOST} are read`;
  const size = pageSize(first, total);
  if (size === 0) return total === 0 ? [] : `the first page is empty, but the total is ${total}`;
  const second = number === 0 ? 1 : 2;
  const length = Math.max(0, Math.ceil(total / size) - 1);
  return Array.from({ length }, (_, index) => second + index);
}

/** The size of a page as it is: a server may send fewer than asked for. */
function pageSize({ data, page }: AnyPage, total: number): number {
  const { size = data.length } = page;
  return data.length < total ? Math.min(size, data.length) : size;
}

/** All items of all pages, or why they are not one complete list: a page short or repeated, a total that moved. */
export function joinPages<Item extends { readonly id: string }>(
  pages: readonly Page<Item>[],
): readonly Item[] | string {
  const [total, ...others] = new Set(pages.map(({ page }) => page.total));
  if (others.length > 0) return 'the total changed between two pages';
  const items = pages.flatMap(({ data }) => data);
  const repeated = items.length - new Set(items.map(({ id }) => id)).size;
  if (repeated > 0) return `${repeated} of the listed ones came twice`;
  if (items.length !== (total ?? items.length)) return `${items.length} came, but the total is ${total}`;
  return items;
}

/**
 * All items of pages that others have read, in any order where the pages have numbers, or why they are not one complete list.
 * Without a total the last page must be the last as far as pages tell.
 */
export function wholeList<Item extends { readonly id: string }>(
  pages: readonly Page<Item>[],
): readonly Item[] | string {
  const numbers = pages.flatMap(({ page }) => page.number ?? []).sort((a, b) => a - b);
  const isNumbered = numbers.length === pages.length;
  const last = isNumbered ? pages.find(({ page }) => page.number === numbers.at(-1)) : pages.at(-1);
  if (last === undefined) return 'none of its pages was given';
  if (pages.every(isSilent)) return 'it is empty, and says nothing of its pages';
  if (last.page.total === undefined) {
    const [base = 0] = numbers;
    if (isNumbered && (base > 1 || numbers.some((number, index) => number !== base + index)))
      return 'its pages are not numbered in a row from 0 or 1';
    if (mayGoOn(last) && !isShort(last)) return 'its last page was not given';
  }
  return joinPages(pages);
}

/** Whether a page is empty and does not tell that the list is: whoever answers so may not be the service. */
function isSilent({ data, page }: AnyPage): boolean {
  return data.length === 0 && Object.values(page).length === 0;
}

/** Whether a page has room for more resources, and does not say that more follow. */
function isShort({ data, page: { size = PAGE_SIZE }, hasNext }: AnyPage): boolean {
  return hasNext !== true && data.length < size;
}

/** Whether two pages hold the same resources. */
export function isSamePage(one: AnyPage, other: AnyPage): boolean {
  return JSON.stringify(one.data.map(({ id }) => id)) === JSON.stringify(other.data.map(({ id }) => id));
}

/** Whether a list without a total may go on after a page: only an empty page or the server's word ends it. */
export function mayGoOn({ data, hasNext }: AnyPage): boolean {
  return data.length > 0 && hasNext !== false;
}

/** Whether a document that need not be paged is the first of several pages. `expected` is how many resources are known. */
export function isPaged({ data, page, hasNext }: AnyPage, expected = 0): boolean {
  if (page.total !== undefined) return page.total > data.length;
  const isFull = page.size !== undefined && data.length >= page.size;
  return data.length > 0 && hasNext !== false && (hasNext === true || isFull || data.length < expected);
}
