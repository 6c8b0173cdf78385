import pMap from 'p-map';
import { explain } from '../../core/findings/explain.ts';
import { errorText } from '../../core/live/errors.ts';
import { present } from '../../core/model/json.ts';
import { decideRetry } from '../../core/pacing/retry.ts';

import type {
  IntegrationPlan,
  ServerPlan,
  WriteEnd,
} from '../../core/plan/plan.ts';
import { recheck } from '../../core/plan/recheck.ts';
import { blamedPlace, encoderFor } from '../../core/plan/requests.ts';
import type { Api } from '../http/api.ts';
import {
  ExchangeError,
  exchangeError,
  type Request,
} from '../http/exchange.ts';
import type { Run } from '../run.ts';
import type { LivePlan } from './plan.ts';

const ACKNOWLEDGED: WriteEnd = { kind: 'acknowledged' };
const NOT_ATTEMPTED: WriteEnd = { kind: 'not-attempted' };

/**
 * Sends the requests of a plan, several integrations side by side, those that do not run last. Decides nothing: what is
 * sent is in the plan, with the integrations that are left alone. Returns the plan with all ends.
 */
export async function writePlan(
  run: Run,
  planned: LivePlan,
  failFast: boolean,
): Promise<ServerPlan> {
  const { plan, live, reader } = planned;
  run.interruption.startWriting();
  const open = plan.integrations.filter(
    ({ changes, end }) => changes.length > 0 && end === undefined,
  );
  const ends = new Map<string, WriteEnd>();
  const state = { done: 0, failed: false };
  const encode = encoderFor(live);
  const write = async (integration: IntegrationPlan) => {
    const isOver =
      run.interruption.stopping.aborted || (failFast && state.failed);
    const end = isOver
      ? NOT_ATTEMPTED
      : await writeOne(run, planned, integration, encode(integration));
    ends.set(integration.id, end);
    if (isOver) return;
    state.done += 1;
    state.failed ||= end.kind !== 'acknowledged';
    run.writer.progress(
      `Applying: ${state.done} of ${open.length} integrations`,
    );
  };
  for (const isLast of [false, true])
    await pMap(
      open.filter(({ blocked }) => blocked === isLast),
      write,
      { concurrency: reader.api.concurrency },
    );
  const integrations = plan.integrations.map((each) => ({
    ...each,
    ...present({ end: ends.get(each.id) }),
  }));
  return { ...plan, integrations };
}

/** The requests of one integration. */
type Requests = ReturnType<ReturnType<typeof encoderFor>>;

/** One of them, whether it finishes what another began, and how often it was sent. */
type Sending = Requests[number] & Required<Pick<Request, 'finishes' | 'tally'>>;

/** Sends the requests of one integration in their order; after a failure the next is not sent. */
async function writeOne(
  run: Run,
  planned: LivePlan,
  integration: IntegrationPlan,
  requests: Requests,
): Promise<WriteEnd> {
  for (const [index, request] of requests.entries()) {
    const part = { ...integration, changes: request.changes };
    const sending = { ...request, finishes: index > 0, tally: { made: 0 } };
    const written = await writeRequest(run, planned, part, sending);
    if (written.kind === 'acknowledged') continue;
    const isPartial = written.kind === 'refused' && index > 0;
    return isPartial ? { ...written, isPartial } : written;
  }
  return ACKNOWLEDGED;
}

/**
 * Sends one request until it is clear how it ended, at most three times. `part` is its integration with the changes that it
 * carries. It is sent again only if a reading shows that it did not take, and that nobody else wrote.
 */
async function writeRequest(
  run: Run,
  { reader }: LivePlan,
  part: IntegrationPlan,
  request: Sending,
): Promise<WriteEnd> {
  const { api } = reader;
  for (let wasUnclear = false; ; ) {
    const failed = await api.session
      .send(request)
      .then(() => undefined, exchangeError);
    if (failed === undefined) return ACKNOWLEDGED;
    const over = endOfAll(failed, api);
    if (over === undefined && failed.phase === 'refused')
      return refusal(failed, request, part.id);
    const end = endOf(failed, over, request, wasUnclear);
    if (over !== undefined) return end;
    const hasTaken = await hasTakenNow(reader, part);
    if (hasTaken === true) return ACKNOWLEDGED;
    if (
      hasTaken === undefined ||
      !(await mayResend(run, api, request.tally.made))
    )
      return end;
    wasUnclear = end.kind === 'unclear';
  }
}

/** Whether changes took; undefined if a reading cannot tell, or somebody else wrote. */
async function hasTakenNow(
  reader: LivePlan['reader'],
  part: IntegrationPlan,
): Promise<boolean | undefined> {
  const live = (await reader.again([part])).get(part.id);
  if (live === undefined || live instanceof ExchangeError) return undefined;
  const standings = recheck(part, live).map(({ standing }) => standing);
  if (standings.includes('other')) return undefined;
  return standings.every((standing) => standing === 'planned');
}

/** How a request ended that nobody refused; `over` says why no other one would leave either. */
function endOf(
  { phase, diagnostic: found }: ExchangeError,
  over: string | undefined,
  { finishes }: Sending,
  wasUnclear: boolean,
): WriteEnd {
  const detail = over ?? explain(found).message;
  if (wasUnclear || (over === undefined && phase !== 'not-sent'))
    return { kind: 'unclear', detail };
  // The second request of an integration was attempted with the first.
  return over !== undefined && !finishes
    ? NOT_ATTEMPTED
    : { kind: 'refused', detail };
}

/** Why a request never left, if no other one would leave either. */
function endOfAll(failed: ExchangeError, api: Api): string | undefined {
  const { phase, diagnostic: found } = failed;
  if (failed === api.session.ended) return explain(found).message;
  if (found.code === 'not-attempted') return 'it was interrupted';
  const isPause =
    phase === 'not-sent' &&
    found.code === 'timeout' &&
    found.facts.of === 'pause';
  return isPause ? explain(found).message : undefined;
}

/** Waits before a request is sent again. False if no attempt and no retry is left, or the run stops. */
async function mayResend(run: Run, api: Api, made: number): Promise<boolean> {
  const { stopping } = run.interruption;
  const attempt = {
    purpose: 'read',
    number: made,
    failed: { phase: 'no-answer' },
  } as const;
  const next = decideRetry({
    ...attempt,
    quota: api.retries.left,
    random: run.runtime.random(),
  });
  if (next.kind !== 'wait' || stopping.aborted) return false;
  api.retries.left -= 1;
  await run.runtime.sleep(next.milliseconds, stopping);
  return !stopping.aborted;
}

/** The refusal of a request, with each reason at the YAML place of the value that it is about. */
function refusal(
  { diagnostic: found, errors, status = 0 }: ExchangeError,
  { finishes, changes }: Sending,
  id: string,
): WriteEnd {
  const reasons = errors.flatMap((error) => {
    const text = errorText([error]);
    return text === undefined
      ? []
      : [{ text, ...present({ place: blamedPlace(error, { id, changes }) }) }];
  });
  return {
    kind: 'refused',
    detail: explain(found).message,
    reasons,
    ...(found.code === 'not-permitted' && !finishes ? { forbidden: true } : {}),
    ...(status >= 200 && status < 300 ? { accepted: true } : {}),
  };
}
