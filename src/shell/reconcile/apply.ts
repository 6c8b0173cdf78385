import { explain } from '../../core/findings/explain.ts';
import type { Wanted } from '../../core/live/sources.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { backoff } from '../../core/pacing/retry.ts';
import { movedSince } from '../../core/plan/compare.ts';
import { type Applied, isUnsettled, judge, type ReadBack, type Written } from '../../core/plan/judge.ts';
import { hasChanges, type IntegrationPlan, type ServerPlan } from '../../core/plan/plan.ts';
import { unexpected } from '../failure.ts';
import type { Api } from '../http/api.ts';
import { ExchangeError } from '../http/exchange.ts';
import type { Run } from '../run.ts';
import { newErrors, readErrors } from './error-watch.ts';
import type { LivePlan } from './planning.ts';
import { openPart } from './reviewed.ts';
import { wantedOf, writePlan } from './write.ts';

/** How an apply goes on. */
export interface WriteOptions {
  /** Whether no person was asked. */
  readonly yes?: boolean | undefined;
  /** Seconds in which what was written has to show. */
  readonly verify?: number | undefined;
  readonly failFast?: boolean | undefined;
  /** Whether a new or rising integration error makes the apply fail. */
  readonly failOnErrors?: boolean | undefined;
}

/** The default of `--verify`. */
const VERIFY = 5;

/** Milliseconds after which a plan is read again before it is written: the server had time to move. */
const FRESH = 60_000;

/**
 * Writes a plan, reads back what it touched, and judges each integration by it. `readAt` is when the reading for the plan
 * began.
 */
export async function applyPlan(
  run: Run,
  api: Api,
  planned: LivePlan,
  options: WriteOptions & { readonly readAt: number },
): Promise<Applied> {
  if (!hasChanges(planned.plan) && planned.verdicts.size === 0) return planned;
  const open = openPart(planned);
  const touched = open.integrations.filter(({ changes }) => changes.length > 0).map(wantedOf);
  const isFresh = options.yes === true && run.runtime.now() - options.readAt <= FRESH;
  const verdicts = isFresh ? planned.verdicts : await verdictsNow(planned, open, touched);
  const isWriting = touched.some(({ id }) => !verdicts.has(id));
  const before = isWriting ? await readErrors(run, api) : [];
  const written = await writePlan(run, api, planned, verdicts, options.failFast ?? false);
  const sent = planned.plan.integrations.filter(({ id }) => isSent(written.get(id)));
  const left = (options.verify ?? VERIFY) * 1000;
  const readBack = await readBackOf(run, planned, written, sent, left).catch((thrown) =>
    defect(run, sent, thrown),
  );
  const applied = judge(planned.plan, written, readBack);
  const after = sent.length === 0 || run.interruption.stopping.aborted ? before : await readErrors(run, api);
  return {
    plan: { ...applied.plan, summary: { ...applied.plan.summary, reads: api.reads } },
    // What was only likely is known now.
    diagnostics: [
      ...planned.diagnostics.filter(({ code }) => code !== 'not-running' && code !== 'hides-secrets'),
      ...applied.diagnostics,
      ...newErrors(before, after, sent, options.failOnErrors === true),
    ],
  };
}

/** The verdicts after a person has answered, or other servers have: the server may have moved meanwhile. */
async function verdictsNow(
  { reader, verdicts }: LivePlan,
  open: ServerPlan,
  touched: readonly Wanted[],
): Promise<LivePlan['verdicts']> {
  if (touched.length === 0) return verdicts;
  const now = new Map(
    [...(await reader.again(touched))].map(([id, live]) => {
      if (live instanceof ExchangeError) throw live;
      return [id, live];
    }),
  );
  const stale = open.integrations.flatMap((each): [string, Written][] => {
    const moved = movedSince(open, each, now.get(each.id));
    return moved.length === 0 ? [] : [[each.id, { kind: 'stale', moved }]];
  });
  return new Map([...verdicts, ...stale]);
}

/**
 * Reads back what was sent. As a server may show late what it has accepted, it reads again what does not show yet or could not
 * be read, for at most `left` milliseconds. A run that stops waits for nothing.
 */
async function readBackOf(
  run: Run,
  planned: LivePlan,
  written: ReadonlyMap<string, Written>,
  sent: readonly IntegrationPlan[],
  left: number,
): Promise<ReadBack> {
  const { now, sleep } = run.runtime;
  const { stopping } = run.interruption;
  const read = new Map<string, LiveIntegration | string>();
  let open = sent;
  let time = left;
  for (let readings = 0; ; readings += 1) {
    const begun = now();
    const again = await readOnce(planned, open);
    for (const { id } of open) read.delete(id);
    for (const [id, live] of again) read.set(id, live);
    // A reading that failed may have hung: that was waiting too.
    if (open.some(({ id }) => typeof read.get(id) === 'string')) time -= now() - begun;
    // From the other end: if a server counted as gone, nothing behind the failed ones was tried.
    open = open.filter((each) => isUnsettled(each, written.get(each.id), read.get(each.id))).toReversed();
    if (open.length === 0 || time <= 0 || stopping.aborted) return read;
    const pause = Math.min(time, backoff(readings, 1));
    time -= pause;
    run.writer.progress(`Reading back again: ${open.length} of ${sent.length} integrations`);
    await sleep(pause, stopping);
    if (stopping.aborted) return read;
  }
}

/** Reads integrations again, each with the reason if that failed. */
async function readOnce({ reader }: LivePlan, open: readonly IntegrationPlan[]): Promise<ReadBack> {
  const read = [...(await reader.again(open.map(wantedOf)))];
  const reason = ({ diagnostic }: ExchangeError) => explain(diagnostic).message;
  return new Map(read.map(([id, live]) => [id, live instanceof ExchangeError ? reason(live) : live]));
}

/** Keeps a defect at what was read back, so that all that was sent is still reported. */
function defect(run: Run, sent: readonly IntegrationPlan[], thrown: unknown): ReadBack {
  run.notices.push(unexpected(thrown));
  return new Map(sent.map(({ id }) => [id, 'setpoint failed while it read']));
}

/** Whether something may have reached the server. */
function isSent(written: Written | undefined): boolean {
  return written?.kind === 'acknowledged' || written?.kind === 'unclear' || written?.kind === 'refused';
}
