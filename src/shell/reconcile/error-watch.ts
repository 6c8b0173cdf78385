import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { explain } from '../../core/findings/explain.ts';
import { listed } from '../../core/findings/words.ts';
import { type ErrorRise, risenErrors } from '../../core/live/integration-error.ts';
import { grouped, present } from '../../core/model/json.ts';
import type { IntegrationPlan } from '../../core/plan/plan.ts';
import type { Api } from '../http/api.ts';
import { findingOf } from '../http/exchange-error.ts';
import type { Run } from '../run.ts';

/** Milliseconds in which a reading has to end: it must not hold up what is written. */
const TIME = 5_000;

/**
 * Reads the integration errors before a change. What it returns reads them after it, and finds those of written integrations
 * that are new or have risen, or why they could not be read.
 */
export async function watchErrors(run: Run, api: Api) {
  const read = async () => {
    const { aborted } = run.interruption;
    const reading = api.errors(AbortSignal.any([aborted, AbortSignal.timeout(TIME)]));
    return reading.then(
      (errors) => ({ errors }),
      (thrown: unknown) => ({ errors: [], unread: explain(findingOf(thrown)).message }),
    );
  };
  const before: Reading = await read();
  return async (written: readonly IntegrationPlan[], isDecisive: boolean): Promise<Diagnostic[]> => {
    if (written.length === 0) return [];
    const after: Reading = run.interruption.stopping.aborted ? before : await read();
    const detail = before.unread ?? after.unread;
    const names = new Map(written.map(({ id, name }) => [id, name]));
    const risen = detail === undefined ? risenErrors(before.errors, after.errors, new Set(names.keys())) : [];
    if (detail === undefined && risen.length === 0) return [];
    const errors = [...grouped(risen, errorText)].map(([text, all]) => {
      const of = all.map(({ error }) => names.get(error.integration) ?? 'an unnamed integration');
      return `${listed([...new Set(of)], 10)}: ${text}`;
    });
    const facts = { errors, total: risen.length, isDecisive, ...present({ detail }) };
    return [diagnostic('integration-errors', facts)];
  };
}

/** The integration errors at one moment, or why they could not be read. */
interface Reading {
  readonly errors: Parameters<typeof risenErrors>[0];
  readonly unread?: string;
}

function errorText({ error, before }: ErrorRise): string {
  const { title, detail, code, count } = error;
  const words = [title, detail.replace(/\.$/, '')].filter((text) => text !== '').join(': ') || code;
  return before === 0 ? words : `${words} (rose from ${before} to ${count})`;
}
