import { countOf, type Fields, listOf, recordOf } from '../model/json.ts';

/** A page of a list, with what it says of itself. */
export interface Page<Item = { readonly id: string }> {
  readonly items: readonly Item[];
  readonly number?: number | undefined;
  /** How many items all pages have together. */
  readonly total?: number | undefined;
}

/** A page with what its document says of it. */
export function pageOf<Item>(document: Fields, items: readonly Item[]): Page<Item> {
  const { number, total } = recordOf(recordOf(document['meta'])['page']);
  return { items, number: countOf(number), total: countOf(total) };
}

/** Decodes a page of options as they came. One that says nothing of pages is all there is. */
export function decodeOptionPage(body: unknown): Page<Fields & { readonly id: string }> {
  const document = recordOf(body);
  const resources = listOf(document['data']).map(recordOf);
  const page = pageOf(
    document,
    resources.map((each) => ({ ...each, id: String(each['id']) })),
  );
  return page.number === undefined ? { ...page, total: page.total ?? resources.length } : page;
}

/** All items of all pages, or why they are not one complete list. Without a total its last page is an empty one. */
export function joinPages<Item extends { readonly id: string }>(
  pages: readonly Page<Item>[],
): readonly Item[] | string {
  const [total, ...others] = new Set(pages.map((page) => page.total));
  const items = pages.flatMap((page) => page.items);
  const repeated = items.length - new Set(items.map(({ id }) => id)).size;
  if (others.length > 0) return 'the total changed between two pages';
  if (repeated > 0) return `${repeated} of the listed ones came twice`;
  if (total !== undefined)
    return items.length === total ? items : `${items.length} came, but the total is ${total}`;
  if (items.length === 0) return 'it is empty, and says nothing of its pages';
  return pages.at(-1)?.items.length === 0 ? items : 'its last page was not given';
}
