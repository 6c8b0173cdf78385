import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { explain } from '../../core/findings/explain.ts';
import { listed } from '../../core/findings/words.ts';
import { type IntegrationError, risenErrors } from '../../core/live/errors.ts';
import { grouped, present } from '../../core/model/json.ts';
import type { IntegrationPlan } from '../../core/plan/plan.ts';
import type { Api } from '../http/api.ts';
import { exchangeError } from '../http/exchange.ts';
import type { Run } from '../run.ts';

/** Milliseconds in which a reading has to end. */
const TIME = 5_000;

/** The integration errors at one moment, or why they could not be read. */
type Reading = readonly IntegrationError[] | { readonly unread: Diagnostic };

/** Reads the integration errors within a short time: they must not hold up what is written. */
export function readErrors(run: Run, api: Api): Promise<Reading> {
  return api
    .errors(AbortSignal.any([run.interruption.aborted, AbortSignal.timeout(TIME)]))
    .catch((thrown: unknown) => ({ unread: exchangeError(thrown).diagnostic }));
}

/** The finding for errors of written integrations that are new or have risen, or that could not be read. */
export function newErrors(
  before: Reading,
  after: Reading,
  written: readonly IntegrationPlan[],
  isDecisive: boolean,
): Diagnostic[] {
  if (written.length === 0) return [];
  const unread = 'unread' in before ? before.unread : 'unread' in after ? after.unread : undefined;
  const names = new Map(written.map(({ id, name }) => [id, name]));
  const risen =
    'unread' in before || 'unread' in after ? [] : risenErrors(before, after, new Set(names.keys()));
  if (unread === undefined && risen.length === 0) return [];
  const errors = [...grouped(risen, errorText)].map(([text, all]) => {
    const of = all.map(({ error }) => names.get(error.integration) ?? 'an unnamed integration');
    return `${listed([...new Set(of)], 10)}: ${text}`;
  });
  const detail = unread && explain(unread).message;
  const facts = { errors, total: risen.length, isDecisive, ...present({ detail }) };
  return [diagnostic('integration-errors', facts)];
}

function errorText({ error, before }: ReturnType<typeof risenErrors>[number]): string {
  const { title, detail, code, count } = error;
  const words = [title, detail.replace(/\.$/, '')].filter((text) => text !== '').join(': ') || code;
  const rose = before === 0 ? '' : ` (rose from ${before} to ${count})`;
  return `${words}${rose}`;
}
