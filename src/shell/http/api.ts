import pMap from 'p-map';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { decodeIntegrations, decodeOptions } from '../../core/live/integration.ts';
import { joinPages, PAGE_SIZE, remainingPages } from '../../core/live/pages.ts';
import { decodeDocument, type ResourceDocument } from '../../core/live/resource.ts';
import type { LiveIntegration, LiveOption } from '../../core/model/live.ts';
import type { EncodedRequest } from '../../core/plan/requests.ts';
import { acknowledged, jsonOf } from './answer.ts';
import { badAnswer, ExchangeError } from './exchange-error.ts';
import type { Session } from './session.ts';
import { type Answer, type Request, requestName } from './transport.ts';

/** How often a list is read before it is refused as incomplete. */
const LIST_ATTEMPTS = 3;

interface ApiOptions {
  readonly session: Session;
  readonly concurrency: number;
  readonly aborted: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** A request of a plan, whether it finishes what another began, and how often it was sent. */
export type Sending = EncodedRequest & Required<Pick<Request, 'finishes' | 'tally'>>;

/** The documented calls of the service. Paths are built here, never taken from links. */
export class Api {
  readonly concurrency: number;
  /** How many requests have read, without those of the session. */
  reads = 0;
  readonly #session: Session;
  readonly #aborted: AbortSignal;
  readonly #onProgress: (text: string) => void;

  constructor({ session, concurrency, aborted, onProgress }: ApiOptions) {
    this.#session = session;
    this.concurrency = concurrency;
    this.#aborted = aborted;
    this.#onProgress = onProgress;
  }

  /** All installed integrations, in pages read side by side. A list that is not complete is read again, then refused. */
  async integrations(): Promise<readonly LiveIntegration[]> {
    let problem = '';
    for (let attempt = 1; attempt <= LIST_ATTEMPTS; attempt += 1) {
      const pages = await this.#pages();
      const joined = typeof pages === 'string' ? pages : joinPages(pages);
      if (typeof pages !== 'string' && typeof joined !== 'string') return pages.flatMap(decodeIntegrations);
      if (typeof joined === 'string') problem = joined;
    }
    throw new ExchangeError('bad-answer', diagnostic('incomplete-read', { problem }));
  }

  /** One integration by its id. */
  async integration(id: string): Promise<LiveIntegration> {
    const path = `/api/integrations/${encodeURIComponent(id)}`;
    const [found] = decodeIntegrations(await this.#read(path));
    if (found?.id === id) return found;
    throw badAnswer(`GET ${path}`, 'it is about another integration');
  }

  /** The options of one integration by its id. */
  async options(id: string): Promise<ReadonlyMap<string, LiveOption>> {
    const path = `/api/integration-options?filter[integration.id]=${encodeURIComponent(id)}`;
    return decodeOptions(id, (await this.#read(path)).data);
  }

  /** The integration errors, as the service lists them. */
  async errors(): Promise<ResourceDocument> {
    return this.#read('/api/integrations/errors');
  }

  /** Sends one PATCH, counting its attempts. Throws an ExchangeError that tells how far it came. */
  async patch(sending: Sending): Promise<void> {
    const { changes: _, ...request } = sending;
    acknowledged(request, await this.#session.send(request, this.#aborted));
  }

  async #pages(): Promise<readonly ResourceDocument[] | string> {
    // The first request names no number: its answer tells whether the service counts from 0 or from 1.
    const first = await this.#read(`/api/integrations?page[size]=${PAGE_SIZE}`);
    const rest = remainingPages(first);
    if (typeof rest === 'string') return rest;
    const progress = { done: 1 };
    const others = await pMap(
      rest,
      async (number) => {
        const page = await this.#read(`/api/integrations?page[size]=${PAGE_SIZE}&page[number]=${number}`);
        progress.done += 1;
        this.#onProgress(`Reading integrations: ${progress.done} of ${rest.length + 1} pages`);
        return page;
      },
      { concurrency: this.concurrency },
    );
    return [first, ...others];
  }

  /** Sends a request to read; one that never left is not counted. */
  async #sent(request: Request): Promise<Answer> {
    this.reads += 1;
    try {
      return await this.#session.send(request, this.#aborted);
    } catch (thrown) {
      if (thrown instanceof ExchangeError && thrown.phase === 'not-sent') this.reads -= 1;
      throw thrown;
    }
  }

  async #read(path: string): Promise<ResourceDocument> {
    const request: Request = { method: 'GET', path };
    const document = decodeDocument(jsonOf(request, await this.#sent(request)));
    if (typeof document !== 'string') return document;
    throw badAnswer(requestName(request), document);
  }
}
