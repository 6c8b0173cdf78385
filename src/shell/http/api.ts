import pMap from 'p-map';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { decodeIntegrationErrors } from '../../core/live/errors.ts';
import {
  decodeIntegrations,
  decodeOptionPage,
  decodeOptions,
  joinPages,
  type Page,
  type Reading,
} from '../../core/live/integration.ts';
import { isPathSafe } from '../../core/model/ids.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { Writer } from '../writer.ts';
import { badAnswer, ExchangeError, exchangeError } from './exchange.ts';
import type { Session } from './session.ts';

/** How many resources one request for a page asks for. */
const PAGE_SIZE = 100;

/** The documented calls of the service. Paths are built here, never taken from links. */
export class Api {
  readonly concurrency: number;
  /** The retries that the run has left on this server. */
  readonly retries: { left: number };
  /** How many requests have read, without those of the session. */
  reads = 0;
  /** Sends what is no reading: the PATCHes of a plan. */
  readonly session: Pick<Session, 'send' | 'ended'>;
  readonly #writer: Pick<Writer, 'progress'>;

  constructor(
    session: Pick<Session, 'send' | 'ended'>,
    writer: Pick<Writer, 'progress'>,
    { concurrency, retries }: Pick<Api, 'concurrency' | 'retries'>,
  ) {
    this.session = session;
    this.#writer = writer;
    this.concurrency = concurrency;
    this.retries = retries;
  }

  /** All installed integrations, in pages. */
  integrations(reading: Reading): Promise<readonly LiveIntegration[]> {
    const path = `/api/integrations?page[size]=${PAGE_SIZE}`;
    const progress = { done: 0 };
    const read = async (number?: number) => {
      const page = await this.#read(numbered(path, number), (body) =>
        decodeIntegrations(body, reading),
      );
      progress.done += 1;
      if (number !== undefined)
        this.#writer.progress(`Reading integrations: ${progress.done} pages`);
      return page;
    };
    return readList('integrations', read, this.concurrency);
  }

  /** One integration by its id, with what its detail has. */
  async integration(id: string, reading: Reading): Promise<LiveIntegration> {
    const path = `/api/integrations/${partOf(id)}`;
    const { items } = await this.#read(path, (body) =>
      decodeIntegrations(body, reading),
    );
    if (items[0]?.id === id) return items[0];
    throw badAnswer(`GET ${path}`, 'it is about another integration');
  }

  /** The options of one integration by its id; none if the service has no such address. */
  async options(id: string, reading: Reading) {
    const path = `/api/integration-options?filter[integration.id]=${partOf(id)}`;
    const read = (number?: number) =>
      this.#read(numbered(path, number), decodeOptionPage);
    const resources = await readList('options', read, this.concurrency).catch(
      (thrown: unknown) => {
        if (![400, 404, 405, 501].includes(exchangeError(thrown).status ?? 0))
          throw thrown;
        return [];
      },
    );
    const options = decodeOptions(id, resources, reading);
    if (typeof options === 'string') throw badAnswer(`GET ${path}`, options);
    return options;
  }

  /** The integration errors, as the service lists them. */
  errors(aborted?: AbortSignal) {
    return this.#read(
      '/api/integrations/errors',
      decodeIntegrationErrors,
      aborted,
    );
  }

  /** Reads a document. `decode` takes what is wanted, or says what is wrong. */
  async #read<T extends object>(
    path: string,
    decode: (body: unknown) => T | string,
    aborted?: AbortSignal,
  ) {
    this.reads += 1;
    const value = await this.session.send({
      method: 'GET',
      path,
      aborted,
      decode,
    });
    if (typeof value === 'object') return value;
    throw badAnswer(`GET ${path.replace(/\?.*$/, '')}`, value ?? 'it is empty');
  }
}

function numbered(path: string, number: number | undefined): string {
  return number === undefined ? path : `${path}&page[number]=${number}`;
}

/** An id as a part of an address. */
function partOf(id: string): string {
  if (isPathSafe(id)) return encodeURIComponent(id);
  throw new Error(`no path can hold ${id}`);
}

/** The most pages that are read of one list. */
const MOST_PAGES = 10_000;

/** Reads one page of a list; without a number the first, whose answer has the number to count from. */
type ReadPage<Item> = (number?: number) => Promise<Page<Item>>;

/** All items of a list. The first page tells the total, the rest is read side by side. An incomplete list is read again, then refused. */
async function readList<Item extends { readonly id: string }>(
  list: string,
  read: ReadPage<Item>,
  concurrency: number,
  isLast = false,
): Promise<readonly Item[]> {
  const first = await read();
  const { items, number = 1, total = 0 } = first;
  // A server may send fewer items than asked for.
  const length = Math.min(
    MOST_PAGES,
    Math.max(0, Math.ceil(total / Math.max(1, items.length)) - 1),
  );
  const rest = Array.from(
    { length: items.length === 0 ? 0 : length },
    (_, index) => number + 1 + index,
  );
  const joined = joinPages([
    first,
    ...(await pMap(rest, read, { concurrency })),
  ]);
  if (typeof joined !== 'string') return joined;
  if (!isLast) return readList(list, read, concurrency, true);
  throw new ExchangeError(
    'bad-answer',
    diagnostic('incomplete-read', { list, problem: joined }),
  );
}
