import { explain } from '../../core/findings/explain.ts';
import type { Wanted } from '../../core/live/sources.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { Verdict } from '../../core/plan/compare.ts';
import { type Applied, judge } from '../../core/plan/judge.ts';
import { movedSince } from '../../core/plan/moved.ts';
import { hasChanges, type ServerPlan } from '../../core/plan/plan.ts';
import type { Written } from '../../core/plan/written.ts';
import { unexpected } from '../failure.ts';
import type { Api } from '../http/api.ts';
import { ExchangeError } from '../http/exchange-error.ts';
import type { Run } from '../run.ts';
import type { ErrorWatch, ErrorWatchOptions } from './error-watch.ts';
import type { LivePlan } from './planning.ts';
import { isLeftAlone, openPart } from './reviewed.ts';
import { wantedOf, writePlan } from './write.ts';

/** How an apply goes on. */
export interface WriteOptions extends ErrorWatchOptions {
  /** Whether no person was asked, so that the server had no time to move. */
  readonly yes?: boolean | undefined;
  readonly failFast?: boolean | undefined;
}

/** Writes a plan, reads back what it touched, and judges each integration by it. */
export async function applyPlan(
  run: Run,
  api: Api,
  planned: LivePlan,
  options: WriteOptions,
  watch: ErrorWatch,
): Promise<Applied> {
  if (!hasChanges(planned.plan) && planned.verdicts.size === 0) return planned;
  const open = openPart(planned);
  const touched = open.integrations.filter(({ changes }) => changes.length > 0).map(wantedOf);
  const reading = watch.before();
  const verdicts = options.yes === true ? planned.verdicts : await verdictsNow(planned, open, touched);
  const writes = touched.some(({ id }) => !isLeftAlone(verdicts.get(id)));
  const errors = writes ? await reading : [];
  if (options.failOnErrors === true && 'unread' in errors)
    throw new ExchangeError('no-answer', errors.unread);
  const written = await writePlan(run, api, planned, verdicts, options.failFast ?? false);
  const readBack = writes ? await readBackOf(run, planned, touched) : new Map();
  const applied = judge(planned.plan, written, readBack);
  const sent = planned.plan.integrations.filter(({ id }) => isSent(written.get(id)));
  const risen = sent.length === 0 ? [] : await watch.risen(sent);
  const summary = { ...applied.plan.summary, reads: api.reads + api.readsBeside };
  return {
    plan: { ...applied.plan, summary },
    // What an integration that does not run was likely to do is known now.
    diagnostics: [
      ...planned.diagnostics.filter(({ code }) => code !== 'not-running'),
      ...applied.diagnostics,
      ...risen,
    ],
  };
}

/** The verdicts after a person has answered: the server may have moved meanwhile. */
async function verdictsNow(
  { reader, verdicts }: LivePlan,
  open: ServerPlan,
  touched: readonly Wanted[],
): Promise<LivePlan['verdicts']> {
  if (touched.length === 0) return verdicts;
  const moved = movedSince(open, await reader.again(touched));
  const stale = [...moved].map(([id, fields]): [string, Verdict] => [id, { kind: 'stale', moved: fields }]);
  return new Map([...verdicts, ...stale]);
}

/** Reads what was touched again; the reason if that failed. */
async function readBackOf(
  run: Run,
  { reader }: LivePlan,
  touched: readonly Wanted[],
): Promise<ReadonlyMap<string, LiveIntegration> | string> {
  try {
    return await reader.again(touched);
  } catch (thrown) {
    if (thrown instanceof ExchangeError) return explain(thrown.diagnostic).message;
    run.notices.push(unexpected(thrown));
    return 'setpoint failed while it read';
  }
}

/** Whether something may have reached the server. */
function isSent(written: Written | undefined): boolean {
  return written?.kind === 'acknowledged' || written?.kind === 'unclear' || written?.kind === 'refused';
}
