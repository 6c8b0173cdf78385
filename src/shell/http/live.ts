import pMap from 'p-map';
import type { Reading } from '../../core/live/integration.ts';
import { eachOnce, missingParts, type Wanted } from '../../core/live/sources.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { Api } from './api.ts';
import { ExchangeError, exchangeError } from './exchange-error.ts';
import { MOST_FAILED, Sources } from './sources.ts';

/** What was read again, by id: an integration, or the error of its reading. */
type Reread = ReadonlyMap<string, LiveIntegration | ExchangeError>;

/** Reads what is live on one server: from its list, and for wanted integrations that lack values from other sources. */
export class LiveReader {
  readonly #api: Api;
  readonly #reading: Reading;
  readonly #sources: Sources;
  /** How many wanted parts of an integration are found nowhere, by id. */
  readonly #missing = new Map<string, number>();
  /** How many requests a reading of the whole list takes. */
  #pages = 1;

  constructor(api: Api, reading: Reading) {
    this.#api = api;
    this.#reading = reading;
    this.#sources = new Sources(api, reading);
  }

  /** All installed integrations, with what the list has of them. */
  async list(): Promise<readonly LiveIntegration[]> {
    const before = this.#api.reads;
    const listed = await this.#api.integrations(this.#reading);
    this.#pages = this.#api.reads - before;
    return listed;
  }

  /** Whether the list came in several requests: an integration that moves from one page to another meanwhile is in none. */
  get isPaged(): boolean {
    return this.#pages > 1;
  }

  /**
   * The listed integrations; what is wanted and the list lacks is read for each on its own. `onUnread` gets each that could
   * not be read; without it, or if so many fail that the server counts as gone, the error is thrown.
   */
  async complete(
    listed: readonly LiveIntegration[],
    wanted: readonly Wanted[],
    onUnread?: (id: string, error: ExchangeError) => void,
  ): Promise<readonly LiveIntegration[]> {
    const live = byId(listed);
    const asked = eachOnce(wanted).filter(({ id }) => live.has(id));
    await this.#sources.complete(live, asked, (id, error) => {
      if (onUnread === undefined) throw error;
      onUnread(id, error);
    });
    for (const each of asked) this.#missing.set(each.id, missingParts(each, live.get(each.id)));
    return [...live.values()];
  }

  /** All installed integrations with all their options; those with other ids as the list has them. */
  async everything(isAsked: (id: string) => boolean = () => true): Promise<readonly LiveIntegration[]> {
    const listed = await this.list();
    const asked = listed.filter(({ id }) => isAsked(id));
    return this.complete(
      listed,
      asked.map(({ id }) => ({ id, keys: ['*'], autosubscribe: false })),
    );
  }

  /**
   * The wanted integrations again, by pages or each on its own, whichever takes fewer requests; the other way if that fails
   * or shows less. One that the server no longer has is missing, one that cannot be read has its error.
   */
  async again(wanted: readonly Wanted[]): Promise<Reread> {
    const isFewer = wanted.length < this.#pages || this.#sources.needsDetail;
    const single = isFewer ? await this.#each(wanted) : undefined;
    if (single !== undefined && !wanted.some((each) => this.#isPoorer(each, single.get(each.id))))
      return single;
    const all = await this.list()
      .then((listed) => this.complete(listed, wanted))
      .then(byId, exchangeError);
    if (all instanceof ExchangeError)
      return single === undefined ? this.#each(wanted) : new Map(wanted.map(({ id }) => [id, all]));
    const unseen = this.isPaged ? wanted.filter(({ id }) => !all.has(id)) : [];
    return new Map([...all, ...(await this.#each(unseen))]);
  }

  /** One integration with all that is wanted of it; undefined if it is gone or cannot be read. */
  async one(wanted: Wanted): Promise<LiveIntegration | undefined> {
    const read = (await this.#each([wanted])).get(wanted.id);
    return read instanceof ExchangeError || this.#isPoorer(wanted, read) ? undefined : read;
  }

  /** Whether a reading of one integration lacks what the list has. */
  #isPoorer(wanted: Wanted, read: LiveIntegration | ExchangeError | undefined): boolean {
    if (read instanceof ExchangeError) return false;
    return missingParts(wanted, read) > (this.#missing.get(wanted.id) ?? 0);
  }

  /** Each on its own; the rest is not tried once so many have failed in a row that the server counts as gone. */
  async #each(wanted: readonly Wanted[]): Promise<Reread> {
    const failures: ExchangeError[] = [];
    const read = async (each: Wanted): Promise<[string, LiveIntegration | ExchangeError][]> => {
      const last = failures.length < MOST_FAILED ? undefined : failures.at(-1);
      const live = last ?? (await this.#sources.single(each).catch(exchangeError));
      if (!(live instanceof ExchangeError)) failures.length = 0;
      else if (live.status === 404) return [];
      else failures.push(live);
      return [[each.id, live]];
    };
    return new Map((await pMap(wanted, read, { concurrency: this.#api.concurrency })).flat());
  }
}

function byId(live: readonly LiveIntegration[]): Map<string, LiveIntegration> {
  return new Map(live.map((integration) => [integration.id, integration]));
}
