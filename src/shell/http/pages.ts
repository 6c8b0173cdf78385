import pMap from 'p-map';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { joinPages, MOST_PAGES, type Page, remainingPages } from '../../core/live/pages.ts';
import { ExchangeError } from './exchange.ts';

/** A list that may have several pages. */
interface PagedList<Item extends { readonly id: string }> {
  /** What it lists. */
  readonly name: string;
  /** Reads one page; without a number the first, whose answer has the number to count from. */
  readonly read: (number?: number) => Promise<Page<Item>>;
  readonly concurrency: number;
  /** Whether a document that says nothing of pages is not taken for the whole list. */
  readonly isPaged: boolean;
}

/** All items of a list. One that is not complete is read again, then refused. */
export async function readList<Item extends { readonly id: string }>(
  list: PagedList<Item>,
  isLast = false,
): Promise<readonly Item[]> {
  const joined = joinPages(await readPages(list));
  if (typeof joined !== 'string') return joined;
  if (!isLast) return readList(list, true);
  throw new ExchangeError('bad-answer', diagnostic('incomplete-read', { list: list.name, problem: joined }));
}

/** Reads the pages side by side if the first tells the total, else one after the other until one brings nothing. */
async function readPages<Item extends { readonly id: string }>({
  read,
  concurrency,
  isPaged,
}: PagedList<Item>): Promise<readonly Page<Item>[]> {
  const first = await read();
  const { items, number, total } = first;
  if (total !== undefined) return [first, ...(await pMap(remainingPages(first), read, { concurrency }))];
  // Without a number nobody knows whether the next page is number 1 or 2.
  if (number === undefined) return [isPaged ? first : { items, total: items.length }];
  const pages = [first];
  while (mayGoOn(pages)) pages.push(await read(number + pages.length).catch(noSuchPage));
  return pages;
}

/** Whether another page may follow: the last one is neither empty nor the first page again. */
function mayGoOn([first, ...others]: readonly Page[]): boolean {
  const last = others.at(-1)?.items;
  const isOver = last !== undefined && (last.length === 0 || last[0]?.id === first?.items[0]?.id);
  return !isOver && others.length < MOST_PAGES;
}

/** A page after the last need not exist. */
function noSuchPage(thrown: unknown): Page<never> {
  if (thrown instanceof ExchangeError && thrown.status === 404) return { items: [] };
  throw thrown;
}
