import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { explain } from '../../core/findings/explain.ts';
import { listed } from '../../core/findings/words.ts';
import { type IntegrationError, risenErrors } from '../../core/live/errors.ts';
import { grouped } from '../../core/model/lists.ts';
import { backoff } from '../../core/pacing/retry.ts';
import { isUnsettled, judge, type ReadBack } from '../../core/plan/judge.ts';
import {
  type IntegrationPlan,
  isAttempted,
  isOpen,
  type Planned,
} from '../../core/plan/plan.ts';
import { endSince, recheck } from '../../core/plan/recheck.ts';
import type { Api } from '../http/api.ts';
import { ExchangeError, exchangeError } from '../http/exchange.ts';
import { isOfOneIntegration, type LiveReader } from '../http/live.ts';
import type { Run } from '../run.ts';
import type { LivePlan } from './plan.ts';
import { writePlan } from './write.ts';

/** The default of `--verify`. */
const VERIFY = 5;

/**
 * Milliseconds after which a plan is read again before it is written: the
 * server had time to move.
 */
const FRESH = 60_000;

/**
 * Writes a plan, reads back what it touched, and judges each integration by it.
 */
export async function applyPlan(run: Run, planned: LivePlan): Promise<Planned> {
  const { plan: shown, reader } = planned;
  const isEmpty = shown.integrations.every(
    ({ changes, end }) => changes.length === 0 && end === undefined,
  );
  if (isEmpty) return planned;
  const { yes, failFast = false, verify = VERIFY } = run.options;
  const isFresh = yes === true && run.runtime.now() - planned.readAt <= FRESH;
  const { plan: current, diagnostics: unread } = isFresh
    ? { plan: shown, diagnostics: [] }
    : await readAgain(planned);
  const hasOpen = current.integrations.some(isOpen);
  const before = hasOpen ? await readErrors(run, reader.api) : { errors: [] };
  const written = await writePlan(run, { ...planned, plan: current }, failFast);
  const sent = written.integrations.filter(({ end }) => isAttempted(end));
  run.progress.doing('reading back');
  const reread = await readBack(run, reader, sent, verify * 1000);
  const { plan, diagnostics } = judge(written, reread);
  const risen = await findRisen(run, reader.api, before, sent);
  const { reads } = reader.api;
  return {
    plan: { ...plan, summary: { ...plan.summary, reads } },
    diagnostics: [
      // What was only likely before the apply is known after it.
      ...planned.diagnostics.filter(
        ({ code }) => code !== 'not-running' && code !== 'hides-secrets',
      ),
      ...unread,
      ...diagnostics,
      ...risen,
    ],
  };
}

/**
 * Reads a plan again after a person has answered, or other servers have: the
 * server may have moved meanwhile.
 */
async function readAgain({ plan, reader }: LivePlan): Promise<Planned> {
  const open = plan.integrations.filter(isOpen);
  if (open.length === 0) return { plan, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const reread = await reader.again(open);
  const isGone = open.every(({ id }) => {
    return reread.get(id) instanceof ExchangeError;
  });
  const integrations = plan.integrations.map((integration) => {
    if (!isOpen(integration)) return integration;
    const live = reread.get(integration.id);
    if (!(live instanceof ExchangeError)) {
      return { ...integration, end: endSince(plan, integration, live) };
    }
    if (isGone || !isOfOneIntegration(live)) throw live;
    diagnostics.push(live.diagnostic);
    const detail = explain(live.diagnostic).message;
    return { ...integration, end: { kind: 'not-attempted', detail } as const };
  });
  return { plan: { ...plan, integrations }, diagnostics };
}

/**
 * Reads back what was sent. As a server may show late what it has accepted, it
 * reads again what does not show yet or could not be read, for at most `most`
 * milliseconds. A run that stops waits for nothing.
 */
async function readBack(
  run: Run,
  reader: LiveReader,
  sent: readonly IntegrationPlan[],
  most: number,
): Promise<ReadonlyMap<string, ReadBack>> {
  const { now, sleep } = run.runtime;
  const { stopping } = run.interruption;
  const isOver = (): boolean =>
    stopping.aborted || reader.api.session.ended !== undefined;
  const readings = new Map<string, ReadBack>();
  let open = sent;
  let left = most;
  for (let times = 0; open.length > 0; times += 1) {
    const begun = now();
    const reread = await reader.again(open);
    for (const integration of open) {
      const live = reread.get(integration.id);
      const reading =
        live instanceof ExchangeError
          ? explain(live.diagnostic).message
          : recheck(integration, live);
      readings.set(integration.id, reading);
    }
    const isFailed = open.some(
      ({ id }) => typeof readings.get(id) === 'string',
    );
    // A reading that failed may have hung: that was waiting too.
    if (isFailed) left -= now() - begun;
    // From the other end: if a server counted as gone, nothing behind the
    // failed ones was tried.
    open = open
      .filter((integration) =>
        isUnsettled(integration, readings.get(integration.id)),
      )
      .toReversed();
    if (open.length === 0 || left <= 0 || isOver()) break;
    // The longest pause of its round: the server needs the time.
    const pause = Math.min(left, backoff(times, 1));
    left -= pause;
    run.progress.doing(
      `reading back ${open.length} of ${sent.length} integrations again`,
    );
    await sleep(pause, stopping);
    if (isOver()) break;
  }
  return readings;
}

/**
 * Milliseconds in which a reading of errors has to end: it must not hold up
 * what is written.
 */
const ERRORS_TIMEOUT = 5_000;

/** The errors of all integrations. */
interface ErrorsRead {
  errors: readonly IntegrationError[];
  /** Why they could not be read. */
  problem?: string | undefined;
}

async function readErrors(run: Run, api: Api): Promise<ErrorsRead> {
  const { aborted } = run.interruption;
  const timeout = AbortSignal.timeout(ERRORS_TIMEOUT);
  try {
    return { errors: await api.errors(AbortSignal.any([aborted, timeout])) };
  } catch (thrown) {
    const problem = explain(exchangeError(thrown).diagnostic).message;
    return { errors: [], problem };
  }
}

/**
 * Finds the errors of written integrations that are new or have risen, or why
 * they could not be read.
 */
async function findRisen(
  run: Run,
  api: Api,
  before: ErrorsRead,
  sent: readonly IntegrationPlan[],
): Promise<readonly Diagnostic[]> {
  if (sent.length === 0) return [];
  const isOver = run.interruption.stopping.aborted;
  const mayRead = !isOver && before.problem === undefined;
  const after = mayRead ? await readErrors(run, api) : before;
  const names = new Map(sent.map(({ id, name }) => [id, name]));
  const risen = risenErrors(before.errors, after.errors, new Set(names.keys()));
  const { problem: detail } = after;
  if (risen.length === 0 && detail === undefined) return [];
  const errors: string[] = [];
  for (const [text, alike] of grouped(risen, wordsOf)) {
    const raising = new Set<string>();
    for (const { integration } of alike) {
      raising.add(names.get(integration) ?? 'an unnamed integration');
    }
    errors.push(`${listed([...raising], 10)}: ${text}`);
  }
  const { failOnErrors: isDecisive = false } = run.options;
  const facts = { errors, total: risen.length, isDecisive, detail };
  return [diagnostic('integration-errors', facts)];
}

function wordsOf({ title, detail, code }: IntegrationError): string {
  const sentence = detail.replace(/\.$/, '');
  const words = [title, sentence].filter((text) => text !== '');
  return words.join(': ') || code;
}
