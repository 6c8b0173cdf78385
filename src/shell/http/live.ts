import pMap from 'p-map';
import type { DecodedOptions, Reading } from '../../core/live/integration.ts';
import {
  completed,
  missingParts,
  type Wanted,
  wantedBy,
} from '../../core/live/sources.ts';
import { isPathSafe } from '../../core/model/ids.ts';
import { byId } from '../../core/model/lists.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { IntegrationPlan } from '../../core/plan/plan.ts';
import { settingsOfChanges } from '../../core/plan/recheck.ts';
import type { Api } from './api.ts';
import { ExchangeError, exchangeError } from './exchange.ts';

/** An integration that was read, or the error of its reading. */
type Reread = LiveIntegration | ExchangeError;

/** Where a server may keep what its list does not hold. */
type Source = (
  api: Api,
  id: string,
  reading: Reading,
) => Promise<DecodedOptions>;

/** Takes the error of an integration that could not be read. */
type OnUnread = (id: string, error: ExchangeError) => void;

const DETAIL: Source = (api, id, reading) => api.integration(id, reading);
const OPTIONS: Source = (api, id, reading) => api.options(id, reading);

/**
 * A source that never helped, with so many integrations, is not asked again.
 */
const MOST_UNHELPED = 3;

/** So many integrations that cannot be read mean a server that is gone. */
const MOST_FAILED = 8;

/**
 * Reads what is live on one server: its list, and from other sources what the
 * list lacks of wanted integrations.
 */
export class LiveReader {
  readonly api: Api;
  readonly #reading: Reading;
  /** How often a source may be asked in vain; without end once it helped. */
  readonly #patience = new Map<Source, number>();
  /** Whether the list lacks what other sources have. */
  #isListPoor = false;

  constructor(api: Api, reading: Reading) {
    this.api = api;
    this.#reading = reading;
  }

  /** All installed integrations, with what the list has of them. */
  list(): Promise<readonly LiveIntegration[]> {
    return this.api.integrations(this.#reading);
  }

  /** All installed integrations with all options, if a path can hold the id. */
  async everything(): Promise<readonly LiveIntegration[]> {
    const listed = await this.list();
    return this.complete(
      listed,
      listed.map(({ id }) => wholeOf(id)),
    );
  }

  /**
   * Reads what the list lacks of wanted integrations, and returns all listed
   * ones. `onUnread` gets each that could not be read. Without it, or if the
   * server counts as gone, the error is thrown.
   */
  async complete(
    listed: readonly LiveIntegration[],
    wantedParts: readonly Wanted[],
    onUnread?: OnUnread,
  ): Promise<readonly LiveIntegration[]> {
    const live = byId(listed);
    const lacking = wantedParts.filter(
      (wanted) =>
        isPathSafe(wanted.id) && missingParts(wanted, live.get(wanted.id)) > 0,
    );
    const results = await this.#readEach(lacking, live);
    const failures: [string, ExchangeError][] = [];
    for (const [id, result] of results) {
      if (result instanceof ExchangeError) failures.push([id, result]);
      else live.set(id, result);
    }
    const isGone =
      failures.length >= MOST_FAILED && failures.length === lacking.length;
    for (const [id, error] of failures) {
      const isAlone = !isGone && isOfOneIntegration(error);
      if (onUnread === undefined || !isAlone) throw error;
      onUnread(id, error);
    }
    return [...live.values()];
  }

  /**
   * Reads the integrations of changes again, by id: from the list, or each
   * alone if the list lacks their values or cannot be read. An integration that
   * the server no longer has is missing.
   */
  async again(
    plans: readonly IntegrationPlan[],
  ): Promise<ReadonlyMap<string, Reread>> {
    const wantedParts = plans.map((plan) => {
      return wantedBy(plan.id, settingsOfChanges(plan));
    });
    let listFailure: ExchangeError | undefined;
    if (!this.#isListPoor) {
      try {
        return byId(await this.complete(await this.list(), wantedParts));
      } catch (thrown) {
        listFailure = exchangeError(thrown);
      }
    }
    const reread = await this.#readEach(wantedParts);
    for (const wanted of wantedParts) {
      const { id } = wanted;
      const result = reread.get(id);
      if (result instanceof ExchangeError) {
        if (result.status === 404) reread.delete(id);
      } else if (listFailure && missingParts(wanted, result) > 0) {
        // The list may have had the rest.
        reread.set(id, listFailure);
      }
    }
    return reread;
  }

  /**
   * Reads integrations, some at a time. Once so many in a row fail, the last
   * error stands for the rest.
   */
  async #readEach(
    wantedParts: readonly Wanted[],
    live: ReadonlyMap<string, LiveIntegration> = new Map(),
  ): Promise<Map<string, Reread>> {
    const results = new Map<string, Reread>();
    let failuresInRow = 0;
    let lastFailure: ExchangeError | undefined;
    const read = async (wanted: Wanted): Promise<void> => {
      const { id } = wanted;
      if (failuresInRow >= MOST_FAILED && lastFailure !== undefined) {
        results.set(id, lastFailure);
        return;
      }
      const result = await this.#read(wanted, live.get(id)).catch(
        exchangeError,
      );
      results.set(id, result);
      const hasFailed = result instanceof ExchangeError;
      if (hasFailed) lastFailure = result;
      const isThere = !hasFailed || result.status === 404;
      failuresInRow = isThere ? 0 : failuresInRow + 1;
    };
    // The first ones show which source helps.
    for (const wanted of wantedParts.slice(0, MOST_UNHELPED)) {
      await read(wanted);
    }
    const { concurrency } = this.api;
    await pMap(wantedParts.slice(MOST_UNHELPED), read, { concurrency });
    return results;
  }

  /**
   * Reads what is not known of an integration, from one source after the other.
   */
  async #read(
    wanted: Wanted,
    known: LiveIntegration | undefined,
  ): Promise<LiveIntegration> {
    const { id } = wanted;
    let live = known ?? (await this.api.integration(id, this.#reading));
    const sources = known === undefined ? [OPTIONS] : [DETAIL, OPTIONS];
    for (const source of sources) {
      const missing = missingParts(wanted, live);
      if (missing === 0) break;
      const patience = this.#patience.get(source) ?? MOST_UNHELPED;
      if (patience === 0) continue;
      live = completed(live, await source(this.api, id, this.#reading));
      const hasHelped = missingParts(wanted, live) < missing;
      this.#isListPoor ||= hasHelped;
      const left = hasHelped ? Number.POSITIVE_INFINITY : patience - 1;
      this.#patience.set(source, left);
    }
    return live;
  }
}

/** All of an integration. */
export function wholeOf(id: string): Wanted {
  return { id, keys: ['*'] };
}

/**
 * True if a failure may be that of one integration alone: the server answers,
 * and neither the login nor the run has ended.
 */
export function isOfOneIntegration(error: ExchangeError): boolean {
  if (error.phase === 'not-sent' || error.phase === 'held-back') return false;
  const { code, facts } = error.diagnostic;
  const isOver = code === 'timeout' && facts.of === 'run';
  return error.status !== 401 && !isOver;
}
