import pMap from 'p-map';
import type { Reading } from '../../core/live/integration.ts';
import { completed, missingParts, wantedBy } from '../../core/live/sources.ts';
import { isPathSafe } from '../../core/model/ids.ts';
import { grouped } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { IntegrationPlan } from '../../core/plan/plan.ts';
import type { Api } from './api.ts';
import { ExchangeError, exchangeError } from './exchange.ts';

type Wanted = ReturnType<typeof wantedBy>;

/** What was read again, by id: an integration, or the error of its reading. */
type Reread = ReadonlyMap<string, LiveIntegration | ExchangeError>;

/** Where a server may keep what its list does not hold. */
type Source = (
  api: Api,
  id: string,
  reading: Reading,
) => Promise<Parameters<typeof completed>[1]>;
const DETAIL: Source = (api, id, reading) => api.integration(id, reading);
const OPTIONS: Source = (api, id, reading) => api.options(id, reading);

/** After so many integrations that it did not help a source is not asked any more. */
const MOST_UNHELPED = 3;

/** So many integrations that cannot be read, one after the other, mean a server that is gone. */
const MOST_FAILED = 8;

/**
 * Reads what is live on one server: from its list, and for wanted integrations that lack values from other sources. A source
 * that has never helped is not asked again.
 */
export class LiveReader {
  readonly api: Api;
  readonly #reading: Reading;
  readonly #helping = new Set<Source>();
  /** How often each source was asked in vain. */
  readonly #vain = new Map<Source, number>();
  /** How many wanted parts of an integration are found nowhere, by id. */
  readonly #missing = new Map<string, number>();
  /** How many requests a reading of the whole list takes. */
  #pages = 1;

  constructor(api: Api, reading: Reading) {
    this.api = api;
    this.#reading = reading;
  }

  /** All installed integrations, with what the list has of them. */
  async list(): Promise<readonly LiveIntegration[]> {
    const before = this.api.reads;
    const listed = await this.api.integrations(this.#reading);
    this.#pages = this.api.reads - before;
    return listed;
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
    const asked = eachOnce(wanted).filter(
      ({ id }) => live.has(id) && isPathSafe(id),
    );
    const lacking = asked.filter(
      (each) => missingParts(each, live.get(each.id)) > 0,
    );
    const state = { failed: 0 };
    const ask = async (each: Wanted) => {
      try {
        const known = live.get(each.id);
        if (known !== undefined)
          live.set(
            each.id,
            await this.#completed(each, known, [DETAIL, OPTIONS]),
          );
      } catch (thrown) {
        state.failed += 1;
        const isGone = state.failed >= MOST_FAILED && this.#helping.size === 0;
        if (onUnread === undefined || isGone || !isOfOne(thrown)) throw thrown;
        onUnread(each.id, thrown);
      }
    };
    // The first ones show which source helps.
    for (const each of lacking.slice(0, MOST_UNHELPED)) await ask(each);
    await pMap(lacking.slice(MOST_UNHELPED), ask, {
      concurrency: this.api.concurrency,
    });
    for (const each of asked)
      this.#missing.set(each.id, missingParts(each, live.get(each.id)));
    return [...live.values()];
  }

  /** All installed integrations with all their options; those whose ids no path can hold as the list has them. */
  async everything(): Promise<readonly LiveIntegration[]> {
    const listed = await this.list();
    return this.complete(
      listed,
      listed.map(({ id }) => ({ id, keys: ['*'], autosubscribe: false })),
    );
  }

  /**
   * What changes touch again, by pages or each on its own, whichever takes fewer requests; the other way if that fails
   * or shows less. One that the server no longer has is missing, one that cannot be read has its error.
   */
  async again(
    plans: readonly Pick<IntegrationPlan, 'id' | 'changes'>[],
  ): Promise<Reread> {
    const wanted = plans.map(({ id, changes }) =>
      wantedBy({ id, settings: changes.map((each) => each.setting) }),
    );
    const isFewer = wanted.length < this.#pages || this.#helping.has(DETAIL);
    const single = isFewer ? await this.#each(wanted) : undefined;
    if (
      single !== undefined &&
      !wanted.some((each) => this.#isPoorer(each, single.get(each.id)))
    )
      return single;
    const all = await this.list()
      .then((listed) => this.complete(listed, wanted))
      .then(byId, exchangeError);
    if (all instanceof ExchangeError)
      return single === undefined
        ? this.#each(wanted)
        : new Map(wanted.map(({ id }) => [id, all]));
    // One that moved from one page to another meanwhile is on none.
    const unseen =
      this.#pages > 1 ? wanted.filter(({ id }) => !all.has(id)) : [];
    return new Map([...all, ...(await this.#each(unseen))]);
  }

  /** Whether a reading of one integration lacks what the list has. */
  #isPoorer(
    wanted: Wanted,
    read: LiveIntegration | ExchangeError | undefined,
  ): boolean {
    if (read instanceof ExchangeError) return false;
    return missingParts(wanted, read) > (this.#missing.get(wanted.id) ?? 0);
  }

  /** Each on its own; the rest is not tried once so many have failed in a row that the server counts as gone. */
  async #each(wanted: readonly Wanted[]): Promise<Reread> {
    const failures: ExchangeError[] = [];
    const read = async (
      each: Wanted,
    ): Promise<[string, LiveIntegration | ExchangeError][]> => {
      const last = failures.length < MOST_FAILED ? undefined : failures.at(-1);
      const live = last ?? (await this.#single(each).catch(exchangeError));
      if (!(live instanceof ExchangeError)) failures.length = 0;
      else if (live.status === 404) return [];
      else failures.push(live);
      return [[each.id, live]];
    };
    return new Map(
      (await pMap(wanted, read, { concurrency: this.api.concurrency })).flat(),
    );
  }

  /** One integration without the list. */
  async #single(wanted: Wanted): Promise<LiveIntegration> {
    const detail = await this.api.integration(wanted.id, this.#reading);
    return this.#completed(wanted, detail, [OPTIONS]);
  }

  /** Completes an integration by one source after the other, as long as something is missing. */
  async #completed(
    wanted: Wanted,
    listed: LiveIntegration,
    sources: readonly Source[],
  ) {
    let live = listed;
    for (const source of sources) {
      const missing = missingParts(wanted, live);
      const vain = this.#vain.get(source) ?? 0;
      // One that did not help while another one did never helps.
      const isVain =
        vain >= (this.#helping.size > 0 ? 1 : MOST_UNHELPED) &&
        !this.#helping.has(source);
      if (missing === 0 || isVain) continue;
      live = completed(live, await source(this.api, wanted.id, this.#reading));
      if (missingParts(wanted, live) < missing) this.#helping.add(source);
      else this.#vain.set(source, vain + 1);
    }
    return live;
  }
}

function byId(live: readonly LiveIntegration[]): Map<string, LiveIntegration> {
  return new Map(live.map((integration) => [integration.id, integration]));
}

/** Whether a failure may be that of one integration alone: the server answers, and neither the login nor the run has ended. */
function isOfOne(thrown: unknown): thrown is ExchangeError {
  if (
    !(thrown instanceof ExchangeError) ||
    thrown.phase === 'not-sent' ||
    thrown.status === 401
  )
    return false;
  const { code, facts } = thrown.diagnostic;
  return (
    !(code === 'timeout' && facts.of === 'run') && code !== 'login-refused'
  );
}

/** Merges what is wanted of one integration by several. */
function eachOnce(wanted: readonly Wanted[]): readonly Wanted[] {
  return [...grouped(wanted, ({ id }) => id)].map(([id, all]) => ({
    id,
    keys: all.flatMap(({ keys }) => keys),
    autosubscribe: all.some(({ autosubscribe }) => autosubscribe),
  }));
}
