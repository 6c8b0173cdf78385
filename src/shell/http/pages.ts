import pMap from 'p-map';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { isPaged, isSamePage, joinPages, mayGoOn, type Page, remainingPages } from '../../core/live/pages.ts';
import { ExchangeError } from './exchange-error.ts';

/** How often a list is read before it is refused as incomplete. */
const LIST_ATTEMPTS = 2;

/** The most pages that are read where no total says how many there are. */
const MOST_PAGES = 10_000;

/** Reads one page of a list; without a number the first, whose answer tells where the service begins to count. */
type ReadPage<Item extends Identified> = (number?: number) => Promise<Page<Item>>;

interface Identified {
  readonly id: string;
}

/** A list that may have several pages. */
export interface PagedList<Item extends Identified> {
  /** What it lists. */
  readonly name: string;
  readonly read: ReadPage<Item>;
  readonly concurrency: number;
  /** True where the document says that the list is paged; else it is where its first answer shows that. */
  readonly isAlwaysPaged: boolean;
  /** How many resources are known to be in it, so that fewer mean more pages. */
  readonly expected?: number;
}

/**
 * All items of a list. Its pages are read side by side where the first tells the total, else one after the other until one is
 * empty. A list that is not complete is read again, then refused.
 */
export async function readList<Item extends Identified>(list: PagedList<Item>): Promise<readonly Item[]> {
  const problems: string[] = [];
  while (problems.length < LIST_ATTEMPTS) {
    // Where no page has a number, every other attempt takes the service to count from 0.
    const pages = await readPages(list, problems.length % 2 === 0 ? 1 : 0);
    const [only, ...others] = typeof pages === 'string' ? [] : pages;
    if (only !== undefined && others.length === 0 && !list.isAlwaysPaged) return only.data;
    const joined = typeof pages === 'string' ? pages : joinPages(pages);
    if (typeof joined !== 'string') return joined;
    problems.push(joined);
  }
  const problem = problems.at(-1) ?? '';
  throw new ExchangeError('bad-answer', diagnostic('incomplete-read', { list: list.name, problem }));
}

async function readPages<Item extends Identified>(
  list: PagedList<Item>,
  base: number,
): Promise<readonly Page<Item>[] | string> {
  const first = await list.read();
  if (!list.isAlwaysPaged && !isPaged(first, list.expected)) return [first];
  const { total, number, size } = first.page;
  // Whoever answers so may not be the service: no list is not an empty list.
  if (first.data.length === 0 && [total, number, size].every((each) => each === undefined))
    return 'it is empty, and says nothing of its pages';
  if (total === undefined) return readOn(list, first);
  const rest = remainingPages(first, base);
  if (typeof rest === 'string') return rest;
  const others = await pMap(rest, list.read, { concurrency: list.concurrency });
  return [first, ...others];
}

/** Reads page after page. Where the first has no number, page 1 shows whether it is the first or the second. */
async function readOn<Item extends Identified>(
  list: PagedList<Item>,
  first: Page<Item>,
): Promise<readonly Page<Item>[] | string> {
  const pages = [first];
  const { number: base } = first.page;
  const second = base === undefined && (await isFirst(list, first, 1)) ? 2 : (base ?? 0) + 1;
  for (let next = second; mayGoOn(pages.at(-1) ?? first); next += 1) {
    if (pages.length >= MOST_PAGES) return `it has more than ${MOST_PAGES} pages`;
    const page = await list.read(next).catch((thrown) => noSuchPage(thrown, list));
    if (page === undefined) return pages;
    // A list that need not be paged does not know page numbers.
    if (isSamePage(page, first)) return list.isAlwaysPaged ? 'a page came twice' : [first];
    pages.push(page);
  }
  return pages;
}

async function isFirst<Item extends Identified>(
  list: PagedList<Item>,
  first: Page<Item>,
  number: number,
): Promise<boolean> {
  const page = await list.read(number).catch((thrown) => noSuchPage(thrown, list));
  return page !== undefined && isSamePage(page, first);
}

/** A page after the last need not exist, and a list that need not be paged may take no page number. */
function noSuchPage(thrown: unknown, { isAlwaysPaged }: { readonly isAlwaysPaged: boolean }): undefined {
  const status = thrown instanceof ExchangeError ? thrown.status : undefined;
  if (status !== 404 && (status !== 400 || isAlwaysPaged)) throw thrown;
}
