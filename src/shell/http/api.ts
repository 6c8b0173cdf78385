import {
  type DecodedOptions,
  decodeIntegrations,
  decodeOptions,
  type IsWanted,
} from '../../core/live/integration.ts';
import { PAGE_SIZE, type Page } from '../../core/live/pages.ts';
import { decodeDocument, type Resource, type ResourceDocument } from '../../core/live/resource.ts';
import { unsafeId } from '../../core/live/sources.ts';
import { isPathSafe } from '../../core/model/ids.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { EncodedRequest } from '../../core/plan/requests.ts';
import { accepted, wholeJsonOf } from './answer.ts';
import { badAnswer, ExchangeError } from './exchange-error.ts';
import { type PagedList, readList } from './pages.ts';
import type { Session } from './session.ts';
import { type Answer, type Request, requestName } from './transport.ts';

interface ApiOptions {
  readonly session: Session;
  readonly concurrency: number;
  readonly retries: { left: number };
  readonly aborted: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** Where the service lists all integration errors. */
const ERRORS_PATH = '/api/integrations/errors';

/** A list to read: its address, and what is known of its pages. */
interface ListRequest<Item extends { readonly id: string }>
  extends Pick<PagedList<Item>, 'name' | 'expected'> {
  readonly path: string;
  readonly isAlwaysPaged?: boolean;
  /** Ends the reading. */
  readonly aborted?: AbortSignal | undefined;
  /** Takes what is wanted from a page as it arrives: the rest of the page is let go. */
  readonly decode: (page: ResourceDocument) => readonly Item[];
}

/** A request of a plan, whether it finishes what another began, and how often it was sent. */
export type Sending = EncodedRequest & Required<Pick<Request, 'finishes' | 'tally'>>;

/** The documented calls of the service. Paths are built here, never taken from links. */
export class Api {
  readonly concurrency: number;
  /** The retries that the run has left on this server. */
  readonly retries: { left: number };
  /** How many requests have read, without those of the session. */
  reads = 0;
  readonly #session: Session;
  readonly #aborted: AbortSignal;
  readonly #onProgress: (text: string) => void;

  constructor({ session, concurrency, retries, aborted, onProgress }: ApiOptions) {
    this.#session = session;
    this.concurrency = concurrency;
    this.retries = retries;
    this.#aborted = aborted;
    this.#onProgress = onProgress;
  }

  /** The error of each request that comes after the end of the login; undefined before. */
  get ended(): ExchangeError | undefined {
    return this.#session.ended;
  }

  /** All installed integrations, in pages; of options that are not wanted only the keys are kept. */
  integrations(isWanted: IsWanted): Promise<readonly LiveIntegration[]> {
    return this.#list({
      name: 'integrations',
      path: `/api/integrations?page[size]=${PAGE_SIZE}`,
      isAlwaysPaged: true,
      decode: (page) => decodeIntegrations(page, isWanted),
    });
  }

  /** One integration by its id, with all that its detail has. */
  async integration(id: string): Promise<LiveIntegration> {
    const path = `/api/integrations/${partOf(id)}`;
    const [found] = await this.#read(path, (document) => decodeIntegrations(document));
    if (found?.id === id) return found;
    throw badAnswer(`GET ${path}`, 'it is about another integration');
  }

  /** The options of one integration by its id, of which some may be known. */
  async options(id: string, known: number): Promise<DecodedOptions> {
    const path = `/api/integration-options?filter[integration.id]=${partOf(id)}`;
    const found = await this.#list({ name: 'options', path, expected: known, decode: ({ data }) => data });
    return decodeOptions(id, found);
  }

  /** The integration errors, as the service lists them. */
  errors(aborted?: AbortSignal): Promise<readonly Resource[]> {
    const decode = ({ data }: ResourceDocument) => data;
    return this.#list({ name: 'integration errors', path: ERRORS_PATH, aborted, decode });
  }

  /** Sends one PATCH, counting its attempts. Throws an ExchangeError that tells how far it came. */
  async patch(sending: Sending): Promise<void> {
    const { changes: _, ...request } = sending;
    accepted(request, await this.#session.send(request, this.#aborted));
  }

  /** All items of a list. The first request names no number: its answer tells from where the service counts. */
  async #list<Item extends { readonly id: string }>({
    path,
    isAlwaysPaged = false,
    aborted,
    decode,
    ...list
  }: ListRequest<Item>): Promise<readonly Item[]> {
    const progress = { done: 0 };
    const join = path.includes('?') ? '&' : '?';
    const read = async (number?: number): Promise<Page<Item>> => {
      const page = await this.#read(
        number === undefined ? path : `${path}${join}page[number]=${number}`,
        (document) => pageOf(document, decode(document)),
        aborted,
      );
      progress.done += 1;
      if (isAlwaysPaged && number !== undefined)
        this.#onProgress(`Reading integrations: ${progress.done} pages`);
      return page;
    };
    return readList({ ...list, isAlwaysPaged, read, concurrency: this.concurrency });
  }

  /** Sends a request to read; one that never left is not counted. */
  async #sent(request: Request, aborted: AbortSignal): Promise<Answer> {
    this.reads += 1;
    try {
      return await this.#session.send(request, aborted);
    } catch (thrown) {
      if (thrown instanceof ExchangeError && thrown.phase === 'not-sent') this.reads -= 1;
      throw thrown;
    }
  }

  async #read<T>(
    path: string,
    decode: (document: ResourceDocument) => T,
    aborted = this.#aborted,
  ): Promise<T> {
    const request: Request = { method: 'GET', path };
    const answer = await this.#sent(request, aborted);
    const document = decodeDocument(wholeJsonOf(request, answer));
    if (typeof document === 'string') throw badAnswer(requestName(request), document);
    answer.letGo();
    return decode(document);
  }
}

/** A page without what it was decoded from. */
function pageOf<Item extends { readonly id: string }>(
  { included: _, ...document }: ResourceDocument,
  data: readonly Item[],
): Page<Item> {
  return { ...document, data };
}

/** An id as a part of an address. Throws an ExchangeError where it would lead elsewhere. */
function partOf(id: string): string {
  if (isPathSafe(id)) return encodeURIComponent(id);
  throw new ExchangeError('not-sent', unsafeId(id));
}
