import pMap from 'p-map';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import {
  completed,
  eachOnce,
  lackingParts,
  type Part,
  shownParts,
  type Wanted,
  withOptions,
} from '../../core/live/sources.ts';
import { asTold, showsPasswords } from '../../core/live/told.ts';
import { isPathSafe } from '../../core/model/ids.ts';
import type { LiveIntegration, LiveOption } from '../../core/model/live.ts';
import type { Api } from './api.ts';
import { ExchangeError } from './exchange-error.ts';

/** Where a server keeps what its list does not hold, in the order in which it is looked for. */
const SOURCES = ['detail', 'options'] as const;

type Source = (typeof SOURCES)[number];

/**
 * Reads what is live on one server. Finds once where each part of options is: in the list, in the detail of an integration,
 * or only in its options; reads the last two for wanted integrations alone.
 */
export class LiveReader {
  readonly #api: Api;
  /** Where the parts were found that the list lacks. */
  readonly #found = new Map<Part, Source | 'nowhere'>();
  /** What the list shows of any integration. */
  #listed: ReadonlySet<Part> = new Set();
  /** Whether the list shows what no reading of one integration does. */
  #isListOnly = false;
  /** Whether any password was seen to read back. */
  #showsPasswords = false;
  /** How many requests a reading of the whole list takes. */
  #pages = 1;

  constructor(api: Api) {
    this.#api = api;
  }

  /** All installed integrations, with what the list has of them. */
  async list(): Promise<readonly LiveIntegration[]> {
    const before = this.#api.reads;
    const listed = await this.#api.integrations();
    this.#pages = this.#api.reads - before;
    this.#listed = shownParts(listed);
    return listed;
  }

  /** Whether the list came in several requests: an integration that moves from one page to another meanwhile is in none. */
  get isPaged(): boolean {
    return this.#pages > 1;
  }

  /** Integrations by their ids, as their details have them; undefined where the list takes fewer requests, or only it can tell. */
  async byId(ids: readonly string[]): Promise<readonly LiveIntegration[] | undefined> {
    if (ids.length >= this.#pages || !ids.every(isPathSafe)) return undefined;
    const read = (id: string) => this.#api.integration(id).catch(goneIs404);
    const found = await pMap(ids, read, { concurrency: this.#api.concurrency }).catch(untold);
    return found?.flatMap((integration) => integration ?? []);
  }

  /** The listed integrations with all that is wanted; what the list lacks is read for each wanted one on its own. */
  async complete(
    listed: readonly LiveIntegration[],
    wanted: readonly Wanted[],
  ): Promise<readonly LiveIntegration[]> {
    const byId = new Map(listed.map((integration) => [integration.id, integration]));
    const [first, ...rest] = eachOnce(wanted).flatMap((each) => {
      const live = byId.get(each.id);
      return live !== undefined && this.#missing(each, live, this.#listed).length > 0 ? [{ each, live }] : [];
    });
    if (first === undefined) return this.#told(listed);
    const complete = ({ each, live }: typeof first) => this.#complete(each, live, this.#listed);
    // The first one finds where the values are, before the others ask there side by side.
    const found = [await complete(first)];
    const others = await pMap(rest, complete, { concurrency: this.#api.concurrency });
    const done = new Map([...found, ...others].map((integration) => [integration.id, integration]));
    return this.#told(listed.map((integration) => done.get(integration.id) ?? integration));
  }

  /** All installed integrations with all their options. */
  async everything(): Promise<readonly LiveIntegration[]> {
    const listed = await this.list();
    // If the list has no option of any integration, one without known keys may still have some.
    const unknown = listed.some(({ options }) => options.size > 0) ? [] : ['*'];
    const wanted = listed.map(({ id, optionKeys }) => ({
      id,
      keys: optionKeys.size > 0 ? [...optionKeys] : unknown,
      autosubscribe: false,
    }));
    return this.complete(listed, wanted);
  }

  /**
   * The wanted integrations again, by pages or each on its own, whichever takes fewer requests; without missing ones. One that
   * is in none of several pages is read on its own before it is missing.
   */
  async again(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, LiveIntegration>> {
    const isFewer = wanted.length < this.#pages || [...this.#found.values()].includes('detail');
    const live = isFewer ? await this.#each(wanted) : await this.#all(wanted);
    const ids = new Set(live.map(({ id }) => id));
    const unseen = isFewer || !this.isPaged ? [] : wanted.filter(({ id }) => !ids.has(id));
    const all = [...live, ...(await this.#each(unseen))];
    return new Map(all.map((integration) => [integration.id, integration]));
  }

  /** One integration with all that is wanted of it. Throws an ExchangeError with 404 where it is gone. */
  async one(wanted: Wanted): Promise<LiveIntegration> {
    const [live] = await this.#each([wanted], (thrown) => {
      throw thrown;
    });
    if (live !== undefined) return live;
    // The list no longer has it.
    const request = `GET /api/integrations/${encodeURIComponent(wanted.id)}`;
    throw new ExchangeError('refused', diagnostic('http-status', { request, status: 404 }), 404);
  }

  async #all(wanted: readonly Wanted[]): Promise<readonly LiveIntegration[]> {
    return this.complete(await this.list(), wanted);
  }

  async #each(wanted: readonly Wanted[], onGone = goneIs404): Promise<readonly LiveIntegration[]> {
    const [first, ...rest] = wanted;
    if (first === undefined) return [];
    const read = (each: Wanted) => (this.#isListOnly ? undefined : this.#single(each).catch(onGone));
    const found = [await read(first), ...(await pMap(rest, read, { concurrency: this.#api.concurrency }))];
    if (!this.#isListOnly) return this.#told(found.flatMap((integration) => integration ?? []));
    const ids = new Set(wanted.map(({ id }) => id));
    return (await this.#all(wanted)).filter(({ id }) => ids.has(id));
  }

  /** One integration without the list. */
  async #single(wanted: Wanted): Promise<LiveIntegration> {
    const detail = await this.#api.integration(wanted.id);
    const live = await this.#complete(wanted, detail, shownParts([detail]), ['detail']);
    const [shown, lacking] = [shownParts([live]), lackingParts(wanted, live)];
    this.#isListOnly ||= [...this.#listed].some((part) => lacking.has(part) && !shown.has(part));
    return live;
  }

  /** What is wanted and not known, as far as it can be found; what a source shows of others it would show of this one. */
  #missing(wanted: Wanted, live: LiveIntegration, shown: ReadonlySet<Part>): Part[] {
    const isFindable = (part: Part) =>
      part === 'options' || (!shown.has(part) && this.#found.get(part) !== 'nowhere');
    return [...lackingParts(wanted, live)].filter(isFindable);
  }

  async #complete(
    wanted: Wanted,
    live: LiveIntegration,
    shown: ReadonlySet<Part>,
    tried: readonly Source[] = [],
  ): Promise<LiveIntegration> {
    const missing = this.#missing(wanted, live, shown);
    const known = missing.map((part) => (part === 'autosubscribe' ? 'detail' : this.#found.get(part)));
    const untried = SOURCES.filter((source) => !tried.includes(source));
    const next =
      untried.find((source) => known.includes(source)) ??
      (known.includes(undefined) ? untried[0] : undefined);
    if (next === undefined) {
      if (untried.length === 0) this.#giveUp(missing);
      return live;
    }
    const more = await readFrom[next](this.#api, live);
    this.#learn(next, live, more);
    return this.#complete(wanted, more, shown, [...tried, next]);
  }

  #learn(source: Source, before: LiveIntegration, after: LiveIntegration): void {
    const known = shownParts([before]);
    const gained = [...shownParts([after])].filter((part) => !known.has(part));
    if (after.options.size > before.options.size) gained.push('options');
    for (const part of gained) if (!this.#found.has(part)) this.#found.set(part, source);
  }

  /** What one integration shows nowhere is looked for no more; but values may be unset in this one alone. */
  #giveUp(missing: readonly Part[]): void {
    for (const part of missing)
      if ((part === 'secrets' || part === 'flags') && !this.#found.has(part))
        this.#found.set(part, 'nowhere');
  }

  #told(live: readonly LiveIntegration[]): readonly LiveIntegration[] {
    this.#showsPasswords ||= showsPasswords(live);
    return live.map((integration) => asTold(integration, this.#showsPasswords));
  }
}

/** An integration that was removed meanwhile is missing, not a failure; any other error is one. */
function goneIs404(thrown: unknown): undefined {
  if (!(thrown instanceof ExchangeError && thrown.status === 404)) throw thrown;
}

/** A service that answers otherwise to an id that it does not have does not tell whether it is there. */
function untold(thrown: unknown): undefined {
  const { status } = thrown instanceof ExchangeError ? thrown : {};
  if (status !== 403 && !UNKNOWN_ADDRESS.has(status ?? 0)) throw thrown;
}

/** How services answer to an address or a query that they do not have. */
const UNKNOWN_ADDRESS = new Set([400, 404, 405, 501]);

/** A service need not have the address of options; without it there are no more. */
function noOptions(thrown: unknown): ReadonlyMap<string, LiveOption> {
  if (thrown instanceof ExchangeError && UNKNOWN_ADDRESS.has(thrown.status ?? 0)) return new Map();
  throw thrown;
}

const readFrom: Record<Source, (api: Api, live: LiveIntegration) => Promise<LiveIntegration>> = {
  detail: async (api, live) => completed(live, await api.integration(live.id)),
  options: async (api, live) =>
    withOptions(live, await api.options(live.id, live.optionKeys.size).catch(noOptions)),
};
