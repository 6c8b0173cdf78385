import { countOf, type Fields, present, recordOf } from '../model/json.ts';
import { hide } from '../model/secret.ts';

/** A page of a list, with what it says of itself. */
export interface Page<Item = { readonly id: string }> {
  readonly items: readonly Item[];
  readonly number?: number | undefined;
  /** How many items all pages have together. */
  readonly total?: number | undefined;
}

/** The most pages that are read of one list. */
export const MOST_PAGES = 10_000;

/** A page with what its document says of it. */
export function pageOf<Item>(document: Fields, items: readonly Item[]): Page<Item> {
  const { number, total } = recordOf(recordOf(document['meta'])['page']);
  return { items, number: countOf(number), total: countOf(total) };
}

/** The numbers of the pages after the first, by its total. A server may send fewer items than asked for. */
export function remainingPages({ items, number = 1, total = 0 }: Page): readonly number[] {
  if (items.length === 0) return [];
  const length = Math.max(0, Math.ceil(total / items.length) - 1);
  return Array.from({ length: Math.min(MOST_PAGES, length) }, (_, index) => number + 1 + index);
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

/**
 * Decodes the result of a login or refresh, or nothing. The API document leaves open where it has the expiration time, which is in
 * seconds since the Unix epoch.
 */
export function decodeLogin(body: unknown) {
  const document = recordOf(body);
  const data = recordOf(document['data']);
  const { token } = data;
  if (typeof token !== 'string' || token === '') return undefined;
  const times = [data, document, recordOf(document['meta'])].map((place) =>
    countOf(place['expiration_time']),
  );
  const expiresAt = times.find((time) => time !== undefined);
  return { token: hide(token), ...present({ expiresAt }) };
}

/** The most objects and lists that are taken in one answer: more would cost more than they tell. */
const MOST_OBJECTS = 400_000;

/** Why a JSON text is too large to be parsed; brackets inside of its texts count too. */
export function sizeProblem(json: string): string | undefined {
  const state = { left: MOST_OBJECTS };
  for (const mark of ['{', '['])
    for (let at = json.indexOf(mark); at >= 0 && state.left >= 0; at = json.indexOf(mark, at + 1))
      state.left -= 1;
  return state.left < 0 ? `it holds more than ${MOST_OBJECTS} objects` : undefined;
}
