import pMap from 'p-map';
import type { DecodedOptions, Reading } from '../../core/live/integration.ts';
import { completed, missingParts, type Wanted } from '../../core/live/sources.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { Api } from './api.ts';
import { ExchangeError } from './exchange-error.ts';

/** Where a server may keep what its list does not hold, in the order in which it is looked for. */
const SOURCES = ['detail', 'options'] as const;

type Source = (typeof SOURCES)[number];

/** After so many integrations without help no source is asked any more. */
const MOST_UNHELPED = 3;

/** So many integrations that cannot be read, one after the other, mean a server that is gone. */
export const MOST_FAILED = 8;

/** Finds out where a server keeps values: a source that never helped is not asked again. */
export class Sources {
  readonly #api: Api;
  readonly #reading: Reading;
  readonly #helping = new Set<Source>();
  readonly #useless = new Set<Source>();

  constructor(api: Api, reading: Reading) {
    this.#api = api;
    this.#reading = reading;
  }

  /** Whether the detail has what the list lacks. */
  get needsDetail(): boolean {
    return this.#helping.has('detail');
  }

  /** Completes the wanted integrations: one after the other until a source helps, then side by side. */
  async complete(
    live: Map<string, LiveIntegration>,
    wanted: readonly Wanted[],
    onError: (id: string, error: ExchangeError) => void,
  ): Promise<void> {
    const left = wanted.filter((each) => missingParts(each, live.get(each.id)) > 0);
    const state = { failed: 0, unhelped: 0 };
    const ask = async (each: Wanted) => {
      try {
        const read = await this.#completed(each, live.get(each.id), SOURCES);
        if (read.live !== undefined) live.set(each.id, read.live);
        if (read.helped.length === 0) state.unhelped += 1;
        return read;
      } catch (thrown) {
        state.failed += 1;
        const isGone = state.failed >= MOST_FAILED && this.#helping.size === 0;
        if (isGone || !isOfOne(thrown)) throw thrown;
        onError(each.id, thrown);
        return undefined;
      }
    };
    for (const each of left.splice(0)) {
      if (this.#isKnown || state.unhelped >= MOST_UNHELPED) left.push(each);
      else this.#learn(await ask(each));
    }
    if (this.#helping.size > 0) await pMap(left, ask, { concurrency: this.#api.concurrency });
    else if (state.unhelped > 0) for (const source of SOURCES) this.#useless.add(source);
  }

  /** One integration without the list. */
  async single(wanted: Wanted): Promise<LiveIntegration> {
    const detail = await this.#api.integration(wanted.id, this.#reading);
    return (await this.#completed(wanted, detail, ['options'])).live ?? detail;
  }

  get #isKnown(): boolean {
    return this.#helping.size + this.#useless.size > 0;
  }

  /** A source that did not help where another did never helps. */
  #learn({ helped, idle }: Pick<Completed, 'helped' | 'idle'> = { helped: [], idle: [] }): void {
    if (helped.length === 0) return;
    for (const source of helped) this.#helping.add(source);
    for (const source of idle) this.#useless.add(source);
  }

  /** An integration completed by one source after the other, as long as something is missing. */
  async #completed(
    wanted: Wanted,
    live: LiveIntegration | undefined,
    sources: readonly Source[],
  ): Promise<Completed> {
    const [source, ...others] = sources.filter((each) => !this.#useless.has(each));
    const missing = missingParts(wanted, live);
    if (source === undefined || live === undefined || missing === 0) return { live, helped: [], idle: [] };
    const more = completed(live, await READ[source](this.#api, live.id, this.#reading));
    const isHelp = missingParts(wanted, more) < missing;
    const { helped, idle, ...rest } = await this.#completed(wanted, more, others);
    if (isHelp) return { ...rest, helped: [source, ...helped], idle };
    return { ...rest, helped, idle: [source, ...idle] };
  }
}

/** An integration, and which of the sources that were asked had what was missing. */
interface Completed {
  readonly live: LiveIntegration | undefined;
  readonly helped: readonly Source[];
  readonly idle: readonly Source[];
}

/** Reads what a source has of an integration. */
const READ: Record<Source, (api: Api, id: string, reading: Reading) => Promise<DecodedOptions>> = {
  detail: (api, id, reading) => api.integration(id, reading),
  options: (api, id, reading) => api.options(id, reading).catch(noOptions),
};

/** How services answer to an address or a query that they do not have. */
const UNKNOWN_ADDRESS = new Set([400, 404, 405, 501]);

/** A service need not have the address of options. */
function noOptions(thrown: unknown): DecodedOptions {
  if (thrown instanceof ExchangeError && UNKNOWN_ADDRESS.has(thrown.status ?? 0))
    return { options: new Map(), optionKeys: new Set() };
  throw thrown;
}

/** Whether a failure may be that of one integration alone: the server answers, and neither the login nor the run has ended. */
function isOfOne(thrown: unknown): thrown is ExchangeError {
  if (!(thrown instanceof ExchangeError) || thrown.phase === 'not-sent' || thrown.status === 401)
    return false;
  const { code, facts } = thrown.diagnostic;
  return !(code === 'timeout' && facts.of === 'run') && code !== 'login-refused';
}
