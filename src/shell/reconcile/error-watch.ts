import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { explain } from '../../core/findings/explain.ts';
import {
  decodeIntegrationError,
  type ErrorRise,
  type IntegrationError,
  risenErrors,
} from '../../core/live/integration-error.ts';
import type { IntegrationPlan } from '../../core/plan/plan.ts';
import { type Api, ERRORS_PATH } from '../http/api.ts';
import { findingOf } from '../http/exchange-error.ts';
import type { Run } from '../run.ts';

export interface ErrorWatchOptions {
  /** Seconds to wait for new errors after the changes. */
  readonly settle?: number | undefined;
  /** Whether a new or rising error makes the apply fail. */
  readonly failOnErrors?: boolean | undefined;
  /** Seconds that a request may take. */
  readonly timeout?: number | undefined;
}

/** Seconds in which a reading has to end that decides nothing: it must not hold up what is written. */
const MOST_SECONDS = 5;

/** Seconds that the writing waits for a reading that began before it. */
const GRACE = 0.5;

/** The integration errors at one moment, or why they could not be read. */
type Reading = readonly IntegrationError[] | { readonly unread: Diagnostic };

/** Reads the integration errors of one server beside what else is done there. */
export interface ErrorWatch {
  /** Begins to read the errors before the changes. */
  readonly begin: () => void;
  /** These errors, as far as they are there in a moment: then the writing begins. Where they decide, it waits for them. */
  readonly before: () => Promise<Reading>;
  /** Reads them again, and finds those of the integrations that were written to which are new or have risen. */
  readonly risen: (touched: readonly IntegrationPlan[]) => Promise<readonly Diagnostic[]>;
}

/** Does some work with a watch over the integration errors, and gives up what is read of them when the work has ended. */
export async function watchingErrors<T>(
  run: Run,
  api: Api,
  options: ErrorWatchOptions,
  work: (watch: ErrorWatch) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const ends = AbortSignal.any([ended.signal, run.interruption.aborted]);
  const read = () => readErrors(api, ends, options);
  const made: { before?: Promise<Reading> } = {};
  const begun = () => {
    made.before ??= read();
    return made.before;
  };
  const before = () => {
    const reading = begun();
    if (options.failOnErrors !== true) made.before = Promise.race([reading, timeLimit(GRACE).late]);
    return made.before ?? reading;
  };
  const risen = async (touched: readonly IntegrationPlan[]) =>
    judged(run, await begun(), read, touched, options);
  try {
    return await work({ begin: begun, before, risen });
  } finally {
    ended.abort();
  }
}

/** Compares the errors before with a new reading. What could not be read before is not read again: it would say nothing. */
async function judged(
  run: Run,
  before: Reading,
  read: () => Promise<Reading>,
  touched: readonly IntegrationPlan[],
  { settle = 0, failOnErrors = false }: ErrorWatchOptions,
): Promise<readonly Diagnostic[]> {
  const gap = (unread: Diagnostic) => [
    diagnostic(failOnErrors ? 'errors-unknown' : 'errors-unread', { detail: explain(unread).message }),
  ];
  if ('unread' in before) return gap(before.unread);
  if (settle > 0) {
    run.writer.progress(`Waiting ${settle} s for integration errors`);
    await run.runtime.sleep(settle * 1000, run.interruption.stopping);
  }
  const after = await read();
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

/** Reads the errors within a short time; where they decide about the apply, within that of any request. */
async function readErrors(
  api: Api,
  ended: AbortSignal,
  { failOnErrors, timeout = MOST_SECONDS }: ErrorWatchOptions,
): Promise<Reading> {
  const reading = (ends: AbortSignal) =>
    api.errors(ends).then(
      (all): Reading => all.map(decodeIntegrationError),
      (thrown): Reading => ({ unread: findingOf(thrown) }),
    );
  if (failOnErrors === true) return reading(ended);
  const seconds = Math.min(timeout, MOST_SECONDS);
  const { limit, late } = timeLimit(seconds);
  return Promise.race([late, reading(AbortSignal.any([ended, limit]))]);
}

/** A limit of some seconds, and what is known of errors that were not read by then. */
function timeLimit(seconds: number) {
  const limit = AbortSignal.timeout(Math.ceil(seconds * 1000));
  const unread = diagnostic('timeout', { of: 'request', request: `GET ${ERRORS_PATH}`, seconds });
  const late = new Promise<Reading>((resolve) => {
    limit.addEventListener('abort', () => resolve({ unread }), { once: true });
  });
  return { limit, late };
}
