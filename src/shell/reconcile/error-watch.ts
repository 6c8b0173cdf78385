import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { explain } from '../../core/findings/explain.ts';
import {
  decodeIntegrationError,
  type ErrorRise,
  type IntegrationError,
  risenErrors,
} from '../../core/live/integration-error.ts';
import type { IntegrationPlan } from '../../core/plan/plan.ts';
import type { Api } from '../http/api.ts';
import { findingOf } from '../http/exchange-error.ts';
import type { Run } from '../run.ts';

export interface ErrorWatchOptions {
  /** Seconds to wait for new errors after the changes. */
  readonly settle?: number | undefined;
  /** Whether a new or rising error makes the apply fail. */
  readonly failOnErrors?: boolean | undefined;
}

/** The integration errors at one moment, or why they could not be read. */
type Reading = readonly IntegrationError[] | { readonly unread: string };

/** Reads the integration errors before anything is written. Only --fail-on-errors makes it fail if it cannot. */
export async function readErrorsBefore(api: Api, options: ErrorWatchOptions): Promise<Reading> {
  if (options.failOnErrors === true) return readErrors(api);
  return readErrors(api).catch(unread);
}

/** The errors that are new or have risen at the integrations that were written to, since a reading before. */
export async function errorsSince(
  run: Run,
  api: Api,
  before: Reading,
  touched: readonly IntegrationPlan[],
  options: ErrorWatchOptions,
): Promise<readonly Diagnostic[]> {
  const { settle = 0, failOnErrors = false } = options;
  if (settle > 0 && touched.length > 0) {
    run.writer.progress(`Waiting ${settle} s for integration errors`);
    await run.runtime.sleep(settle * 1000, run.interruption.stopping);
  }
  const after = await readErrors(api).catch(unread);
  const gap = (detail: string) => [diagnostic(failOnErrors ? 'errors-unknown' : 'errors-unread', { detail })];
  if ('unread' in before) return gap(before.unread);
  if ('unread' in after) return gap(after.unread);
  const names = new Map(touched.map(({ id, name }) => [id, name]));
  const risen = risenErrors(before, after, new Set(names.keys()));
  const found = risen.map((rise) => rising(rise, names));
  return failOnErrors && found.length > 0
    ? [...found, diagnostic('errors-rose', { count: found.length })]
    : found;
}

function rising({ error, before }: ErrorRise, names: ReadonlyMap<string, string>): Diagnostic {
  const { integration, title, detail, count } = error;
  const words = [title, detail].filter((text) => text !== '').join(': ');
  return diagnostic('integration-error', {
    integration: names.get(integration) ?? 'An unnamed integration',
    detail: words === '' ? error.code : words,
    count,
    before,
  });
}

async function readErrors(api: Api): Promise<readonly IntegrationError[]> {
  return (await api.errors()).map(decodeIntegrationError);
}

function unread(thrown: unknown): Reading {
  return { unread: explain(findingOf(thrown)).message };
}
