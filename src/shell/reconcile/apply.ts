import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { explain } from '../../core/findings/explain.ts';
import { listed } from '../../core/findings/words.ts';
import { risenErrors } from '../../core/live/errors.ts';
import { grouped, present } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { backoff } from '../../core/pacing/retry.ts';
import { isUnsettled, judge } from '../../core/plan/judge.ts';
import { endSince } from '../../core/plan/narrow.ts';
import type {
  IntegrationPlan,
  Planned,
  ServerPlan,
} from '../../core/plan/plan.ts';
import type { Options } from '../flags.ts';
import type { Api } from '../http/api.ts';
import { ExchangeError, exchangeError } from '../http/exchange.ts';
import type { Run } from '../run.ts';
import type { LivePlan } from './plan.ts';
import { writePlan } from './write.ts';

/** The default of `--verify`. */
const VERIFY = 5;

/** Milliseconds after which a plan is read again before it is written: the server had time to move. */
const FRESH = 60_000;

/** Writes a plan, reads back what it touched, and judges each integration by it. */
export async function applyPlan(
  run: Run,
  planned: LivePlan,
  options: Options,
): Promise<Planned> {
  const { api } = planned.reader;
  const {
    yes,
    failFast = false,
    failOnErrors = false,
    verify = VERIFY,
  } = options;
  const isFresh = yes === true && run.runtime.now() - planned.readAt <= FRESH;
  const current = isFresh ? planned.plan : await readAgain(planned);
  const { integrations } = current;
  if (!integrations.some((each) => isOpen(each) || each.end !== undefined))
    return planned;
  const before = integrations.some(isOpen) ? await readErrors(run, api) : [];
  const written = await writePlan(run, { ...planned, plan: current }, failFast);
  const sent = written.integrations.filter(isSent);
  const { plan, diagnostics } = judge(
    written,
    await readBackOf(run, planned, sent, verify * 1000),
  );
  const risen =
    sent.length === 0
      ? []
      : await findRisen(run, api, before, sent, failOnErrors);
  return {
    plan: { ...plan, summary: { ...plan.summary, reads: api.reads } },
    // What was only likely is known now.
    diagnostics: [
      ...planned.diagnostics.filter(
        ({ code }) => code !== 'not-running' && code !== 'hides-secrets',
      ),
      ...diagnostics,
      ...risen,
    ],
  };
}

/** Whether anything of an integration is to be written. */
function isOpen({ changes, end }: IntegrationPlan): boolean {
  return changes.length > 0 && end === undefined;
}

/** A plan after a person has answered, or other servers have: the server may have moved meanwhile. */
async function readAgain({ plan, reader }: LivePlan): Promise<ServerPlan> {
  const open = plan.integrations.filter(isOpen);
  if (open.length === 0) return plan;
  const now = await reader.again(open);
  const integrations = plan.integrations.map((each) => {
    const live = now.get(each.id);
    if (live instanceof ExchangeError) throw live;
    return isOpen(each)
      ? { ...each, ...present({ end: endSince(plan, each, live) }) }
      : each;
  });
  return { ...plan, integrations };
}

/** Whether something may have reached the server. */
function isSent({ end }: IntegrationPlan): boolean {
  return (
    end?.kind === 'acknowledged' ||
    end?.kind === 'unclear' ||
    end?.kind === 'refused'
  );
}

/**
 * Reads back what was sent. As a server may show late what it has accepted, it reads again what does not show yet or could not
 * be read, for at most `left` milliseconds. A run that stops waits for nothing.
 */
async function readBackOf(
  run: Run,
  { reader }: LivePlan,
  sent: readonly IntegrationPlan[],
  left: number,
): Promise<ReadonlyMap<string, LiveIntegration | string>> {
  const { now, sleep } = run.runtime;
  const { stopping } = run.interruption;
  const read = new Map<string, LiveIntegration | string>();
  const isOver = () =>
    stopping.aborted || reader.api.session.ended !== undefined;
  let open = sent;
  let time = left;
  for (let readings = 0; open.length > 0; readings += 1) {
    const begun = now();
    const again = await reader.again(open);
    for (const { id } of open) read.delete(id);
    for (const [id, live] of again)
      read.set(
        id,
        live instanceof ExchangeError ? explain(live.diagnostic).message : live,
      );
    // A reading that failed may have hung: that was waiting too.
    if (open.some(({ id }) => typeof read.get(id) === 'string'))
      time -= now() - begun;
    // From the other end: if a server counted as gone, nothing behind the failed ones was tried.
    open = open
      .filter((each) => isUnsettled(each, read.get(each.id)))
      .toReversed();
    if (open.length === 0 || time <= 0 || isOver()) break;
    const pause = Math.min(time, backoff(readings, 1));
    time -= pause;
    run.writer.progress(
      `Reading back again: ${open.length} of ${sent.length} integrations`,
    );
    await sleep(pause, stopping);
    if (isOver()) break;
  }
  return read;
}

/** Milliseconds in which a reading of errors has to end: it must not hold up what is written. */
const TIME = 5_000;

/** Reads the integration errors, or why they cannot be read. */
function readErrors({ interruption: { aborted } }: Run, api: Api) {
  return api
    .errors(AbortSignal.any([aborted, AbortSignal.timeout(TIME)]))
    .catch(exchangeError);
}

/** Finds the errors of written integrations that are new or have risen since `before`, or why they could not be read. */
async function findRisen(
  run: Run,
  api: Api,
  before: Awaited<ReturnType<typeof readErrors>>,
  written: readonly IntegrationPlan[],
  isDecisive: boolean,
): Promise<Diagnostic[]> {
  const unread = ({ diagnostic: found }: ExchangeError) => {
    const { message: detail } = explain(found);
    return [
      diagnostic('integration-errors', {
        errors: [],
        total: 0,
        isDecisive,
        detail,
      }),
    ];
  };
  if (before instanceof ExchangeError) return unread(before);
  const after = run.interruption.stopping.aborted
    ? before
    : await readErrors(run, api);
  if (after instanceof ExchangeError) return unread(after);
  const names = new Map(written.map(({ id, name }) => [id, name]));
  const risen = risenErrors(before, after, new Set(names.keys()));
  if (risen.length === 0) return [];
  const words = ({ title, detail, code }: (typeof risen)[number]) =>
    [title, detail.replace(/\.$/, '')]
      .filter((text) => text !== '')
      .join(': ') || code;
  const errors = [...grouped(risen, words)].map(([text, all]) => {
    const of = all.map(
      ({ integration }) => names.get(integration) ?? 'an unnamed integration',
    );
    return `${listed([...new Set(of)], 10)}: ${text}`;
  });
  return [
    diagnostic('integration-errors', {
      errors,
      total: risen.length,
      isDecisive,
    }),
  ];
}
