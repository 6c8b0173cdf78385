import type { Resource, ResourceDocument } from './resource.ts';

/** How many resources one request for a page asks for. */
export const PAGE_SIZE = 100;

/** The most integrations that are read. */
const MOST = 1_000_000;

/** The numbers of the pages after the first, or what the first one lacks. The service may count from 0 or from 1. */
export function remainingPages(first: ResourceDocument): readonly number[] | string {
  const { total, number } = first.page;
  if (total === undefined) return 'the first page has no total';
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
  if (repeated > 0) return `${repeated} of the listed integrations came twice`;
  if (resources.length !== total) return `${resources.length} integrations came, but the total is ${total}`;
  return resources;
}
