import pMap from 'p-map';
import { withHiddenSecrets } from '../../core/live/hidden-secrets.ts';
import type { IsWanted } from '../../core/live/integration.ts';
import { eachOnce, lackingParts, type Part, type Wanted } from '../../core/live/sources.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { shownTraits, type Trait } from '../../core/model/trait.ts';
import type { Api } from './api.ts';
import { ExchangeError } from './exchange-error.ts';
import { exchangeError, isOfOne, readFrom, SOURCES, type Source } from './live-sources.ts';

/**
 * Reads what is live on one server. Finds once where each part of options is: in the list, in the detail of an integration,
 * or only in its options; reads the last two for wanted integrations alone.
 */
export class LiveReader {
  readonly #api: Api;
  readonly #isWanted: IsWanted;
  /** Where the parts were found that the list lacks. */
  readonly #found = new Map<Part | Trait, Source | 'nowhere'>();
  /** What the list shows of any integration. */
  #listed: ReadonlySet<Part | Trait> = new Set();
  /** Whether the list shows what no reading of one integration does. */
  #isListOnly = false;
  readonly #hidesSecrets: boolean;
  /** How many requests a reading of the whole list takes. */
  #pages = 1;

  /** `isWanted` tells which options of the list matter; of the others only those that may hold secrets are kept. */
  constructor(api: Api, isWanted: IsWanted, hidesSecrets = false) {
    this.#api = api;
    this.#hidesSecrets = hidesSecrets;
    this.#isWanted = isWanted;
  }

  /** All installed integrations, with what the list has of them. */
  async list(): Promise<readonly LiveIntegration[]> {
    const before = this.#api.reads;
    const listed = await this.#api.integrations(this.#isWanted);
    this.#pages = this.#api.reads - before;
    this.#listed = shownTraits(listed);
    return listed;
  }

  /** Whether the list came in several requests: an integration that moves from one page to another meanwhile is in none. */
  get isPaged(): boolean {
    return this.#pages > 1;
  }

  /**
   * The listed integrations with all that is wanted; what the list lacks is read for each wanted one on its own. `onUnread`
   * gets each that could not be read; without it, or where no reading succeeds, the first of these errors is thrown.
   */
  async complete(
    listed: readonly LiveIntegration[],
    wanted: readonly Wanted[],
    onUnread?: (id: string, error: ExchangeError) => void,
  ): Promise<readonly LiveIntegration[]> {
    this.#listed = shownTraits(listed);
    const known = byId(listed);
    const lacking = eachOnce(wanted).flatMap((each) => {
      const live = known.get(each.id);
      return live !== undefined && this.#missing(each, live, this.#listed).length > 0 ? [{ each, live }] : [];
    });
    const state = { hasRead: false, unread: 0 };
    const complete = async ({ each, live }: (typeof lacking)[number]) => {
      const read = await this.#complete(each, live, this.#listed).catch((thrown: unknown) => {
        state.unread += 1;
        const isGone = !state.hasRead && state.unread >= MOST_FAILED;
        if (onUnread === undefined || isGone || !isOfOne(thrown)) throw thrown;
        onUnread(live.id, thrown);
      });
      state.hasRead ||= read !== undefined;
      return read ?? live;
    };
    // The first ones find where the values are, before the others ask there side by side.
    const found: LiveIntegration[] = [];
    for (const each of lacking) {
      if (state.hasRead) break;
      found.push(await complete(each));
    }
    const rest = lacking.slice(found.length);
    const others = await pMap(rest, complete, { concurrency: this.#api.concurrency });
    const done = byId([...found, ...others]);
    return this.#told(listed.map((integration) => done.get(integration.id) ?? integration));
  }

  /** All installed integrations with all their options; those with other ids as the list has them. */
  async everything(isAsked: (id: string) => boolean = () => true): Promise<readonly LiveIntegration[]> {
    const listed = await this.list();
    // If the list has no option of any integration, one without known keys may still have some.
    const unknown = listed.some(({ traits }) => traits.has('options')) ? [] : ['*'];
    const wanted = listed.map(({ id, optionKeys }) => ({
      id,
      keys: optionKeys.size > 0 ? [...optionKeys] : unknown,
      autosubscribe: false,
    }));
    return this.complete(
      listed,
      wanted.filter(({ id }) => isAsked(id)),
    );
  }

  /**
   * The wanted integrations again, by pages or each on its own, whichever takes fewer requests; each on its own where pages
   * fail, or where none of several has it. One that the server no longer has is missing, one that cannot be read has its error.
   */
  async again(wanted: readonly Wanted[]): Promise<Reread> {
    const isFewer = wanted.length < this.#pages || [...this.#found.values()].includes('detail');
    const all = isFewer ? undefined : await this.#all(wanted).catch(exchangeError);
    if (all === undefined) return this.#each(wanted);
    if (!(all instanceof ExchangeError)) {
      const found = byId(all);
      const unseen = this.isPaged ? wanted.filter(({ id }) => !found.has(id)) : [];
      return new Map([...found, ...(await this.#each(unseen))]);
    }
    // A server that does not answer its list is tried with one integration, and no further.
    const isSilent = all.phase === 'no-answer' || all.phase === 'not-sent';
    return this.#each(wanted, isSilent ? MOST_FAILED - 1 : 0);
  }

  /** One integration with all that is wanted of it; undefined where it is gone or cannot be read. */
  async one(wanted: Wanted): Promise<LiveIntegration | undefined> {
    const read = (await this.#each([wanted])).get(wanted.id);
    return read instanceof ExchangeError ? undefined : read;
  }

  async #all(wanted: readonly Wanted[]): Promise<readonly LiveIntegration[]> {
    return this.complete(await this.list(), wanted);
  }

  /** Each on its own; the rest is not tried once so many have failed in a row that the server counts as gone. */
  async #each(wanted: readonly Wanted[], failedBefore = 0): Promise<Reread> {
    const [first, ...others] = wanted;
    if (first === undefined) return new Map();
    const state: { inARow: number; last?: ExchangeError } = { inARow: failedBefore };
    const read = async (each: Wanted): Promise<[string, LiveIntegration | ExchangeError][]> => {
      if (this.#isListOnly) return [];
      if (state.last !== undefined && state.inARow >= MOST_FAILED) return [[each.id, state.last]];
      const live = await this.#single(each).catch(exchangeError);
      const isGone = live instanceof ExchangeError && live.status === 404;
      const hasFailed = live instanceof ExchangeError && !isGone;
      state.inARow = hasFailed ? state.inARow + 1 : 0;
      if (hasFailed) state.last = live;
      return isGone ? [] : [[each.id, live]];
    };
    const all = [
      ...(await read(first)),
      ...(await pMap(others, read, { concurrency: this.#api.concurrency })).flat(),
    ];
    if (this.#isListOnly) return this.#listedOnly(wanted);
    const told = this.#told(all.flatMap(([, live]) => (live instanceof ExchangeError ? [] : live)));
    return new Map([...all, ...byId(told)]);
  }

  /** From the list alone, which is read whole or not at all. */
  async #listedOnly(wanted: readonly Wanted[]): Promise<Reread> {
    const all = await this.#all(wanted).catch(exchangeError);
    return all instanceof ExchangeError ? new Map(wanted.map(({ id }) => [id, all])) : byId(all);
  }

  /** One integration without the list. */
  async #single(wanted: Wanted): Promise<LiveIntegration> {
    const detail = await this.#api.integration(wanted.id);
    const live = await this.#complete(wanted, detail, shownTraits([detail]), ['detail']);
    const shown: ReadonlySet<Part | Trait> = live.traits;
    const lacking = [...lackingParts(wanted, live)];
    this.#isListOnly ||= lacking.some((part) => this.#listed.has(part) && !shown.has(part));
    return live;
  }

  /** What is wanted and not known, as far as it can be found; what a source shows of others it would show of this one. */
  #missing(wanted: Wanted, live: LiveIntegration, shown: ReadonlySet<Part | Trait>): Part[] {
    const isFindable = (part: Part) =>
      part === 'options' || (!shown.has(part) && this.#found.get(part) !== 'nowhere');
    return [...lackingParts(wanted, live)].filter(isFindable);
  }

  async #complete(
    wanted: Wanted,
    live: LiveIntegration,
    shown: ReadonlySet<Part | Trait>,
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
    const gained = [...after.traits].filter((trait) => !before.traits.has(trait));
    if (after.options.size > before.options.size) gained.push('options');
    for (const trait of gained) if (!this.#found.has(trait)) this.#found.set(trait, source);
  }

  /** What one integration shows nowhere is looked for no more; but values may be unset in this one alone. */
  #giveUp(missing: readonly Part[]): void {
    for (const part of missing)
      if ((part === 'secrets' || part === 'flags') && !this.#found.has(part))
        this.#found.set(part, 'nowhere');
  }

  #told(live: readonly LiveIntegration[]): readonly LiveIntegration[] {
    return this.#hidesSecrets ? live.map(withHiddenSecrets) : live;
  }
}

/** So many integrations that cannot be read, one after the other, mean a server that is gone. */
const MOST_FAILED = 8;

/** What was read again, by id: an integration, or the error of its reading. */
type Reread = ReadonlyMap<string, LiveIntegration | ExchangeError>;

function byId(live: readonly LiveIntegration[]): ReadonlyMap<string, LiveIntegration> {
  return new Map(live.map((integration) => [integration.id, integration]));
}
