import pMap from 'p-map';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import {
  decodeIntegrationErrors,
  type IntegrationError,
} from '../../core/live/errors.ts';
import {
  type DecodedOptions,
  decodeIntegrations,
  decodeOptionPage,
  decodeOptions,
  joinPages,
  type Page,
  type Reading,
} from '../../core/live/integration.ts';
import { isPathSafe } from '../../core/model/ids.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import {
  badAnswer,
  ExchangeError,
  exchangeError,
  type Request,
  requestName,
} from './exchange.ts';

/** Sends requests with a login. */
interface RequestSender {
  send: <T>(request: Request<T>) => Promise<T | undefined>;
  /** Why nothing more is sent; undefined as long as it serves. */
  ended: ExchangeError | undefined;
}

interface ApiOptions {
  session: RequestSender;
  /** How many requests one call sends at a time. */
  concurrency: number;
  /** The retries that the run has left on this server. */
  retries: { left: number };
  /** A page of a list was read. */
  onPage: () => void;
}

/** How many resources one request for a page asks for. */
const PAGE_SIZE = 100;

/** The documented calls of the service. Paths never come from links. */
export class Api {
  /** Sends the PATCHes of a plan, which are no reading. */
  readonly session: RequestSender;
  readonly concurrency: number;
  readonly retries: { left: number };
  readonly #onPage: () => void;
  /** How many integrations the last list had. */
  installed = 0;
  /** How many requests have read, without those of the session. */
  reads = 0;

  constructor({ session, concurrency, retries, onPage }: ApiOptions) {
    this.session = session;
    this.concurrency = concurrency;
    this.retries = retries;
    this.#onPage = onPage;
  }

  /** All installed integrations, in pages. */
  async integrations(reading: Reading): Promise<readonly LiveIntegration[]> {
    const path = `/api/integrations?page[size]=${PAGE_SIZE}`;
    const decode = (body: unknown) => decodeIntegrations(body, reading);
    const read = async (number?: number) => {
      const page = await this.#read(numbered(path, number), decode);
      this.#onPage();
      return page;
    };
    const list = await readList('integrations', read, this.concurrency);
    this.installed = list.length;
    return list;
  }

  /** One integration by its id, with what its detail has. */
  async integration(id: string, reading: Reading): Promise<LiveIntegration> {
    const path = `/api/integrations/${encodeId(id)}`;
    const decode = (body: unknown) => decodeIntegrations(body, reading);
    const { items } = await this.#read(path, decode);
    const [integration] = items;
    if (integration?.id === id) return integration;
    throw badAnswer(`GET ${path}`, 'it is about another integration');
  }

  /** The options of an integration; none if the service has no such address. */
  async options(id: string, reading: Reading): Promise<DecodedOptions> {
    const path = `/api/integration-options?filter[integration.id]=${encodeId(id)}`;
    const read = (number?: number) =>
      this.#read(numbered(path, number), decodeOptionPage);
    const list = await readList('options', read, this.concurrency).catch(
      (thrown) => {
        const { status = 0 } = exchangeError(thrown);
        if (NO_SUCH_ADDRESS.has(status)) return [];
        throw thrown;
      },
    );
    const options = decodeOptions(id, list, reading);
    if (typeof options === 'string') throw badAnswer(`GET ${path}`, options);
    return options;
  }

  /** The integration errors, as the service lists them. */
  errors(aborted?: AbortSignal): Promise<readonly IntegrationError[]> {
    const path = '/api/integrations/errors';
    return this.#read(path, decodeIntegrationErrors, aborted);
  }

  /** Reads a document. `decode` takes what is wanted, or says what is wrong. */
  async #read<T extends object>(
    path: string,
    decode: (body: unknown) => T | string,
    aborted?: AbortSignal,
  ): Promise<T> {
    this.reads += 1;
    const request = { method: 'GET', path, aborted, decode } as const;
    const value = await this.session.send(request);
    if (typeof value === 'object') return value;
    throw badAnswer(requestName(request), value ?? 'it is empty');
  }
}

function numbered(path: string, number: number | undefined): string {
  return number === undefined ? path : `${path}&page[number]=${number}`;
}

/** An id as a part of an address. */
function encodeId(id: string): string {
  if (isPathSafe(id)) return encodeURIComponent(id);
  throw new Error(`no path can hold ${id}`);
}

/** How services answer at an address that they do not have. */
const NO_SUCH_ADDRESS = new Set([400, 404, 405, 501]);

/**
 * Reads one page of a list. The first is asked for without a number, and says
 * from which number the service counts.
 */
type ReadPage<Item> = (number?: number) => Promise<Page<Item>>;

interface Identified {
  id: string;
}

/** All items of a list. An incomplete list is read again, then refused. */
async function readList<Item extends Identified>(
  list: string,
  read: ReadPage<Item>,
  concurrency: number,
): Promise<readonly Item[]> {
  const items = await readPages(read, concurrency);
  if (typeof items !== 'string') return items;
  const itemsAgain = await readPages(read, concurrency);
  if (typeof itemsAgain !== 'string') return itemsAgain;
  throw new ExchangeError(
    'bad-answer',
    diagnostic('incomplete-read', { list, problem: itemsAgain }),
  );
}

/** The most pages that are read after the first of a list. */
const MOST_PAGES = 10_000;

/** The items of all pages, or why they are not one complete list. */
async function readPages<Item extends Identified>(
  read: ReadPage<Item>,
  concurrency: number,
): Promise<readonly Item[] | string> {
  const first = await read();
  const { items, number = 1, total = 0 } = first;
  // A server may send fewer items than asked for.
  const pages = items.length === 0 ? 0 : Math.ceil(total / items.length);
  const length = Math.min(MOST_PAGES, pages - 1);
  const numbers = Array.from({ length }, (_, index) => number + index + 1);
  const rest = await pMap(numbers, (next) => read(next), { concurrency });
  return joinPages([first, ...rest]);
}
