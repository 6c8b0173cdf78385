import type { Resource, ResourceDocument } from './resource.ts';

/** How many resources one request for a page asks for. */
export const PAGE_SIZE = 100;

/** The most resources that one list is read with. */
const MOST = 1_000_000;

/**
 * The numbers of the pages after the first, by its total, or what is wrong with that. `base` is the number of the first
 * page where it does not tell: the service may count from 0 or from 1.
 */
export function remainingPages(first: ResourceDocument, base = 1): readonly number[] | string {
  const { total = first.data.length, number = base } = first.page;
  if (total > MOST) return `the total is ${total}, and at most ${MOST} are read`;
  const size = pageSize(first, total);
  if (size === 0) return total === 0 ? [] : `the first page is empty, but the total is ${total}`;
  const second = number === 0 ? 1 : 2;
  const length = Math.max(0, Math.ceil(total / size) - 1);
  return Array.from({ length }, (_, index) => second + index);
}

/** The size of a page as it is: a server may send fewer than asked for. */
function pageSize({ data, page }: ResourceDocument, total: number): number {
  const { size = data.length } = page;
  return data.length < total ? Math.min(size, data.length) : size;
}

/** All resources of all pages, or why they are not one complete list: a page short or repeated, a total that moved. */
export function joinPages(pages: readonly ResourceDocument[]): readonly Resource[] | string {
  const [total, ...others] = new Set(pages.map(({ page }) => page.total));
  if (others.length > 0) return 'the total changed between two pages';
  const resources = pages.flatMap(({ data }) => data);
  const repeated = resources.length - new Set(resources.map(({ id }) => id)).size;
  if (repeated > 0) return `${repeated} of the listed ones came twice`;
  if (resources.length !== (total ?? resources.length))
    return `${resources.length} came, but the total is ${total}`;
  return resources;
}

/** Whether two pages hold the same resources. */
export function isSamePage(one: ResourceDocument, other: ResourceDocument): boolean {
  return JSON.stringify(one.data.map(({ id }) => id)) === JSON.stringify(other.data.map(({ id }) => id));
}

/** Whether a list without a total may go on after a page: only an empty page or the server's word ends it. */
export function mayGoOn({ data, hasNext }: ResourceDocument): boolean {
  return data.length > 0 && hasNext !== false;
}

/** Whether a document that need not be paged is the first of several pages. `expected` is how many resources are known. */
export function isPaged({ data, page, hasNext }: ResourceDocument, expected = 0): boolean {
  if (page.total !== undefined) return page.total > data.length;
  const isFull = page.size !== undefined && data.length >= page.size;
  return data.length > 0 && hasNext !== false && (hasNext === true || isFull || data.length < expected);
}
