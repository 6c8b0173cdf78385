import pMap from 'p-map';
import type { DecodedOptions, Reading } from '../../core/live/integration.ts';
import {
  completed,
  missingParts,
  type Wanted,
  wantedBy,
} from '../../core/live/sources.ts';
import { isPathSafe } from '../../core/model/ids.ts';
import { grouped } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { IntegrationPlan } from '../../core/plan/plan.ts';
import { settingsOfChanges } from '../../core/plan/recheck.ts';
import type { Api } from './api.ts';
import { ExchangeError, exchangeError } from './exchange.ts';

/** An integration that was read again, or the error of its reading. */
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

/** A source that did not help with so many integrations is not asked again. */
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
    const readsBefore = this.api.reads;
    const integrations = await this.api.integrations(this.#reading);
    this.#pages = this.api.reads - readsBefore;
    return integrations;
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
    const readable = merged(wantedParts).filter(
      ({ id }) => live.has(id) && isPathSafe(id),
    );
    const lacking = readable.filter(
      (wanted) => missingParts(wanted, live.get(wanted.id)) > 0,
    );
    await this.#completeAll(lacking, live, onUnread);
    for (const wanted of readable) {
      this.#missing.set(wanted.id, missingParts(wanted, live.get(wanted.id)));
    }
    return [...live.values()];
  }

  /** Completes the lacking ones of the live integrations. */
  async #completeAll(
    lacking: readonly Wanted[],
    live: Map<string, LiveIntegration>,
    onUnread: OnUnread | undefined,
  ): Promise<void> {
    let failures = 0;
    const complete = async (wanted: Wanted) => {
      const { id } = wanted;
      try {
        const known = live.get(id);
        if (known === undefined) return;
        live.set(id, await this.#completed(wanted, known, [DETAIL, OPTIONS]));
      } catch (thrown) {
        failures += 1;
        const isGone = failures >= MOST_FAILED && this.#helping.size === 0;
        if (onUnread === undefined || isGone) throw thrown;
        if (!isOfOneIntegration(thrown)) throw thrown;
        onUnread(id, thrown);
      }
    };
    // The first ones show which source helps.
    const first = lacking.slice(0, MOST_UNHELPED);
    const rest = lacking.slice(MOST_UNHELPED);
    for (const wanted of first) await complete(wanted);
    await pMap(rest, complete, { concurrency: this.api.concurrency });
  }

  /** All installed integrations with all options, if a path can hold the id. */
  async everything(): Promise<readonly LiveIntegration[]> {
    const listed = await this.list();
    const wantedParts = listed.map(({ id }) => {
      return { id, keys: ['*'], autosubscribe: false };
    });
    return this.complete(listed, wantedParts);
  }

  /**
   * Reads the integrations of changes again, by id: by pages or each alone,
   * whichever takes fewer requests. An integration that the server no longer
   * has is missing.
   */
  async again(
    plans: readonly IntegrationPlan[],
  ): Promise<ReadonlyMap<string, Reread>> {
    const wantedParts = plans.map((plan) => {
      return wantedBy(plan.id, settingsOfChanges(plan));
    });
    const isFewer =
      wantedParts.length < this.#pages || this.#helping.has(DETAIL);
    return isFewer
      ? this.#aloneFirst(wantedParts)
      : this.#listFirst(wantedParts);
  }

  /**
   * Reads each alone. Falls back on the list if a reading lacks what the list
   * has; if that fails too, the other readings stay.
   */
  async #aloneFirst(
    wantedParts: readonly Wanted[],
  ): Promise<ReadonlyMap<string, Reread>> {
    const alone = await this.#eachAlone(wantedParts);
    const poor = wantedParts.filter((wanted) =>
      this.#isPoor(wanted, alone.get(wanted.id)),
    );
    if (poor.length === 0) return alone;
    const listed = await this.#fromList(wantedParts);
    if (!(listed instanceof ExchangeError)) {
      return this.#withUnseen(listed, wantedParts);
    }
    const reread = new Map(alone);
    for (const { id } of poor) reread.set(id, listed);
    return reread;
  }

  /** Reads the list. Falls back on each alone if the list cannot be read. */
  async #listFirst(
    wantedParts: readonly Wanted[],
  ): Promise<ReadonlyMap<string, Reread>> {
    const listed = await this.#fromList(wantedParts);
    if (listed instanceof ExchangeError) return this.#eachAlone(wantedParts);
    return this.#withUnseen(listed, wantedParts);
  }

  /** Each without the list. The rest is not tried once the server is gone. */
  async #eachAlone(
    wantedParts: readonly Wanted[],
  ): Promise<ReadonlyMap<string, Reread>> {
    // Those in a row: a reading that succeeds ends it.
    const failures: ExchangeError[] = [];
    const read = async (wanted: Wanted): Promise<Reread | undefined> => {
      if (failures.length >= MOST_FAILED) return failures.at(-1);
      const live = await this.#alone(wanted).catch(exchangeError);
      if (!(live instanceof ExchangeError)) {
        failures.length = 0;
        return live;
      }
      if (live.status === 404) return undefined;
      failures.push(live);
      return live;
    };
    const { concurrency } = this.api;
    const results = await pMap(wantedParts, read, { concurrency });
    const reread = new Map<string, Reread>();
    for (const [index, { id }] of wantedParts.entries()) {
      const live = results[index];
      if (live !== undefined) reread.set(id, live);
    }
    return reread;
  }

  /** One integration without the list. */
  async #alone(wanted: Wanted): Promise<LiveIntegration> {
    const detail = await this.api.integration(wanted.id, this.#reading);
    return this.#completed(wanted, detail, [OPTIONS]);
  }

  /** True if a reading of an integration alone lacks what the list has. */
  #isPoor(wanted: Wanted, live: Reread | undefined): boolean {
    if (live instanceof ExchangeError) return false;
    const missing = this.#missing.get(wanted.id) ?? 0;
    return missingParts(wanted, live) > missing;
  }

  async #fromList(
    wantedParts: readonly Wanted[],
  ): Promise<ReadonlyMap<string, LiveIntegration> | ExchangeError> {
    try {
      const listed = await this.list();
      return byId(await this.complete(listed, wantedParts));
    } catch (thrown) {
      return exchangeError(thrown);
    }
  }

  /** Adds those that moved between pages meanwhile, and were on none. */
  async #withUnseen(
    listed: ReadonlyMap<string, LiveIntegration>,
    wantedParts: readonly Wanted[],
  ): Promise<ReadonlyMap<string, Reread>> {
    if (this.#pages <= 1) return listed;
    const unseen = wantedParts.filter(({ id }) => !listed.has(id));
    const alone = await this.#eachAlone(unseen);
    return new Map<string, Reread>([...listed, ...alone]);
  }

  /** Completes an integration by one source after the other. */
  async #completed(
    wanted: Wanted,
    known: LiveIntegration,
    sources: readonly Source[],
  ): Promise<LiveIntegration> {
    let live = known;
    for (const source of sources) {
      const missing = missingParts(wanted, live);
      if (missing === 0) break;
      if (this.#isVain(source)) continue;
      const vain = this.#vain.get(source) ?? 0;
      live = completed(live, await source(this.api, wanted.id, this.#reading));
      if (missingParts(wanted, live) < missing) this.#helping.add(source);
      else this.#vain.set(source, vain + 1);
    }
    return live;
  }

  /** True for a source that did not help while another one did, or thrice. */
  #isVain(source: Source): boolean {
    if (this.#helping.has(source)) return false;
    const most = this.#helping.size > 0 ? 1 : MOST_UNHELPED;
    return (this.#vain.get(source) ?? 0) >= most;
  }
}

function byId(
  integrations: readonly LiveIntegration[],
): Map<string, LiveIntegration> {
  return new Map(
    integrations.map((integration) => [integration.id, integration]),
  );
}

/** Merges the wanted parts of each integration. */
function merged(wantedParts: readonly Wanted[]): readonly Wanted[] {
  const integrations: Wanted[] = [];
  for (const [id, parts] of grouped(wantedParts, ({ id }) => id)) {
    const keys = parts.flatMap((part) => part.keys);
    const autosubscribe = parts.some((part) => part.autosubscribe);
    integrations.push({ id, keys, autosubscribe });
  }
  return integrations;
}

/**
 * True if a failure may be that of one integration alone: the server answers,
 * and neither the login nor the run has ended.
 */
function isOfOneIntegration(thrown: unknown): thrown is ExchangeError {
  if (!(thrown instanceof ExchangeError)) return false;
  if (thrown.phase === 'not-sent' || thrown.status === 401) return false;
  const { code, facts } = thrown.diagnostic;
  if (code === 'timeout' && facts.of === 'run') return false;
  return code !== 'login-refused';
}
