import pMap from 'p-map';
import { withOptions } from '../../core/live/integration.ts';
import { sortedKeys } from '../../core/model/ids.ts';
import type { LiveIntegration, LiveOption } from '../../core/model/live.ts';
import type { Api } from './api.ts';
import { ExchangeError } from './exchange-error.ts';

/** The fields of one integration to read. */
export interface Wanted {
  readonly id: string;
  /** Keys of the options whose values or permissions matter. */
  readonly keys: readonly string[];
  readonly autosubscribe: boolean;
}

/** Where a server keeps the values of options that its list does not hold. */
type Source = 'detail' | 'options';

/**
 * Reads what is live on one server. Finds once where the values of options are: in the list, in the detail of an
 * integration, or only in its options; reads the last two for wanted integrations alone.
 */
export class LiveReader {
  readonly #api: Api;
  /** Where values were found that the list lacks; undefined until one was missed there. */
  #source: Source | undefined;
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
    return listed;
  }

  /** The listed integrations with all that is wanted; what the list lacks is read for each wanted one on its own. */
  async complete(
    listed: readonly LiveIntegration[],
    wanted: readonly Wanted[],
  ): Promise<readonly LiveIntegration[]> {
    const byId = new Map(listed.map((integration) => [integration.id, integration]));
    const wanting = wanted.flatMap((each) => {
      const live = byId.get(each.id);
      return live !== undefined && lacks(each, live) ? [{ each, live }] : [];
    });
    const [first, ...rest] = wanting;
    if (first === undefined) return listed;
    // The first one finds where the values are, before the others ask there side by side.
    const found = [await this.#complete(first.each, first.live)];
    const others = await pMap(rest, ({ each, live }) => this.#complete(each, live), {
      concurrency: this.#api.concurrency,
    });
    const completed = new Map([...found, ...others].map((integration) => [integration.id, integration]));
    return listed.map((integration) => completed.get(integration.id) ?? integration);
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

  /** The wanted integrations again, by pages or each on its own, whichever takes fewer requests; without missing ones. */
  async again(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, LiveIntegration>> {
    const isFewer = wanted.length < this.#pages || this.#source === 'detail';
    const live = isFewer ? await this.#each(wanted) : await this.#all(wanted);
    return new Map(live.map((integration) => [integration.id, integration]));
  }

  /** One integration with all that is wanted of it. */
  async one(wanted: Wanted): Promise<LiveIntegration> {
    return this.#complete(wanted, await this.#api.integration(wanted.id));
  }

  async #all(wanted: readonly Wanted[]): Promise<readonly LiveIntegration[]> {
    return this.complete(await this.list(), wanted);
  }

  async #each(wanted: readonly Wanted[]): Promise<readonly LiveIntegration[]> {
    const read = await pMap(wanted, (each) => this.one(each).catch(goneIs404), {
      concurrency: this.#api.concurrency,
    });
    return read.flatMap((integration) => integration ?? []);
  }

  async #complete(wanted: Wanted, live: LiveIntegration): Promise<LiveIntegration> {
    if (!lacks(wanted, live)) return live;
    if (this.#source !== undefined) return readFrom[this.#source](this.#api, wanted, live);
    const detailed = await readFrom.detail(this.#api, wanted, live);
    if (wanted.keys.length === 0) return detailed;
    if (detailed.options.size > live.options.size) {
      this.#source = 'detail';
      return detailed;
    }
    const integration = await readFrom.options(this.#api, wanted, detailed);
    if (integration.options.size > 0) this.#source = 'options';
    return integration;
  }
}

/** An integration that was removed meanwhile is missing, not a failure; any other error is one. */
function goneIs404(thrown: unknown): undefined {
  if (!(thrown instanceof ExchangeError && thrown.status === 404)) throw thrown;
}

/** A service need not have this address; without it there are no more options. */
function noOptionsIs404(thrown: unknown): ReadonlyMap<string, LiveOption> {
  if (thrown instanceof ExchangeError && thrown.status === 404) return new Map();
  throw thrown;
}

/** Whether a wanted field is not known yet. */
function lacks(wanted: Wanted, live: LiveIntegration): boolean {
  return (wanted.autosubscribe && live.autosubscribe === undefined) || lacksOptions(wanted, live);
}

/** An option that is missing beside others, and not linked either, does not exist: no reading finds it. */
function lacksOptions({ keys }: Wanted, live: LiveIntegration): boolean {
  return keys.some((key) => !live.options.has(key) && (live.options.size === 0 || live.optionKeys.has(key)));
}

const readFrom: Record<
  Source,
  (api: Api, wanted: Wanted, live: LiveIntegration) => Promise<LiveIntegration>
> = {
  detail: async (api, _, live) => mergeDetail(live, await api.integration(live.id)),
  options: async (api, wanted, live) => {
    const needsDetail = wanted.autosubscribe && live.autosubscribe === undefined;
    const base = needsDetail ? await readFrom.detail(api, wanted, live) : live;
    return lacksOptions(wanted, base)
      ? withOptions(base, await api.options(live.id).catch(noOptionsIs404))
      : base;
  },
};

/** What the list has, completed by the detail. */
function mergeDetail(live: LiveIntegration, detail: LiveIntegration): LiveIntegration {
  const options = new Map([...live.options, ...detail.options]);
  const optionKeys = sortedKeys(live.optionKeys, detail.optionKeys);
  return { ...live, ...detail, options, optionKeys };
}
