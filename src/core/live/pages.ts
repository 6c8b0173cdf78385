import type { PageMeta, Resource, ResourceDocument } from './resource.ts';

/** How many resources are asked for in one page. */
export const PAGE_SIZE = 100;

/** The pages that follow the first one, by number; or what the first one lacks. The service may count from 0 or from 1. */
export function remainingPages(first: ResourceDocument): readonly number[] | string {
  const { total } = first.page;
  if (total === undefined) return 'the first page does not tell the total';
  const size = pageSize(first);
  if (size === 0) return total === 0 ? [] : `the first page is empty, but the total is ${total}`;
  const start = first.page.number === 0 ? 0 : 1;
  const count = Math.ceil(total / size);
  return Array.from({ length: Math.max(0, count - 1) }, (_, index) => start + 1 + index);
}

/** All resources of all pages, or why they are not one complete list: a page short or repeated, a total that moved. */
export function joinPages(pages: readonly ResourceDocument[]): readonly Resource[] | string {
  const totals = new Set(pages.map(({ page }: { page: PageMeta }) => page.total));
  if (totals.size > 1) return 'the total changed between two pages';
  const [total] = totals;
  const resources = pages.flatMap(({ data }) => data);
  const distinct = new Set(resources.map(({ id }) => id)).size;
  if (distinct < resources.length)
    return `${resources.length - distinct} of the listed integrations came twice`;
  if (resources.length !== total) return `${resources.length} integrations came, but the total is ${total}`;
  return resources;
}

/** What a page really holds: a server may give fewer than asked for. */
function pageSize(first: ResourceDocument): number {
  const told = first.page.size ?? first.data.length;
  return first.data.length < (first.page.total ?? 0) ? Math.min(told, first.data.length) : told;
}
