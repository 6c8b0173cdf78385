import type { DecodedOptions } from '../../core/live/integration.ts';
import { completed, withOptions } from '../../core/live/sources.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { Api } from './api.ts';
import { ExchangeError } from './exchange-error.ts';

/** Where a server keeps what its list does not hold, in the order in which it is looked for. */
export const SOURCES = ['detail', 'options'] as const;

export type Source = (typeof SOURCES)[number];

/** Whether a failure may be that of one integration alone: the server answers, and neither the login nor the run has ended. */
export function isOfOne(thrown: unknown): thrown is ExchangeError {
  if (!(thrown instanceof ExchangeError) || thrown.phase === 'not-sent' || thrown.status === 401)
    return false;
  return thrown.diagnostic.code !== 'run-deadline' && thrown.diagnostic.code !== 'login-failed';
}

/** Takes the error of an exchange as a result; any other is thrown on. */
export function exchangeError(thrown: unknown): ExchangeError {
  if (thrown instanceof ExchangeError) return thrown;
  throw thrown;
}

/** How services answer to an address or a query that they do not have. */
const UNKNOWN_ADDRESS = new Set([400, 404, 405, 501]);

/** A service need not have the address of options; without it there are no more. */
function noOptions(thrown: unknown): DecodedOptions {
  if (thrown instanceof ExchangeError && UNKNOWN_ADDRESS.has(thrown.status ?? 0))
    return { options: new Map(), optionKeys: new Set(), traits: new Set() };
  throw thrown;
}

/** Reads what a source has of an integration, and completes it. */
export const readFrom: Record<Source, (api: Api, live: LiveIntegration) => Promise<LiveIntegration>> = {
  detail: async (api, live) => completed(live, await api.integration(live.id)),
  options: async (api, live) =>
    withOptions(live, await api.options(live.id, live.optionKeys.size).catch(noOptions)),
};
