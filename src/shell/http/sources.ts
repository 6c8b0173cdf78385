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
    const lacking = wanted.filter((each) => missingParts(each, live.get(each.id)) > 0);
    const left: Wanted[] = [];
    const state = { failed: 0, unhelped: 0 };
    const ask = async (each: Wanted) => {
      try {
        if (!(await this.#ask(each, live, SOURCES))) state.unhelped += 1;
      } catch (thrown) {
        state.failed += 1;
        const isGone = state.failed >= MOST_FAILED && this.#helping.size === 0;
        if (isGone || !isOfOne(thrown)) throw thrown;
        onError(each.id, thrown);
      }
    };
    for (const each of lacking) {
      if (this.#helping.size > 0 || state.unhelped >= MOST_UNHELPED) left.push(each);
      else await ask(each);
    }
    if (this.#helping.size > 0) await pMap(left, ask, { concurrency: this.#api.concurrency });
    else if (state.unhelped > 0) for (const source of SOURCES) this.#useless.add(source);
  }

  /** One integration without the list. */
  async single(wanted: Wanted): Promise<LiveIntegration> {
    const detail = await this.#api.integration(wanted.id, this.#reading);
    const live = new Map([[wanted.id, detail]]);
    await this.#ask(wanted, live, ['options']);
    return live.get(wanted.id) ?? detail;
  }

  /** Completes an integration by one source after the other, as long as something is missing; returns whether any helped. */
  async #ask(
    wanted: Wanted,
    live: Map<string, LiveIntegration>,
    sources: readonly Source[],
  ): Promise<boolean> {
    const helped: Source[] = [];
    const idle: Source[] = [];
    for (const source of sources) {
      const known = live.get(wanted.id);
      const missing = missingParts(wanted, known);
      if (known === undefined || missing === 0 || this.#useless.has(source)) continue;
      const more = completed(known, await READ[source](this.#api, wanted.id, this.#reading));
      live.set(wanted.id, more);
      (missingParts(wanted, more) < missing ? helped : idle).push(source);
    }
    // A source that did not help while another one did never helps.
    if (helped.length > 0 && this.#helping.size === 0) for (const source of idle) this.#useless.add(source);
    for (const source of helped) this.#helping.add(source);
    return helped.length > 0;
  }
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
