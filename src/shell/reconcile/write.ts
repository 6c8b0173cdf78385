import pMap from 'p-map';
import { explain } from '../../core/findings/explain.ts';
import { errorText } from '../../core/live/errors.ts';
import { waitAfter } from '../../core/pacing/retry.ts';
import { RUN_ENDED } from '../../core/plan/outcome.ts';
import {
  type Change,
  type IntegrationPlan,
  isOpen,
  type RefusalReason,
  type ServerPlan,
  type WriteEnd,
} from '../../core/plan/plan.ts';
import { provenStanding, recheck } from '../../core/plan/recheck.ts';
import { blamedPlace, type EncodedRequest } from '../../core/plan/requests.ts';
import type { Api } from '../http/api.ts';
import {
  type Attempts,
  ExchangeError,
  exchangeError,
} from '../http/exchange.ts';
import type { LiveReader } from '../http/live.ts';
import type { Run } from '../run.ts';
import type { LivePlan } from './plan.ts';

const ACKNOWLEDGED: WriteEnd = { kind: 'acknowledged' };

/**
 * Sends the requests of a plan, several integrations side by side, those that
 * do not run last. Decides nothing: integrations that have ended are left
 * alone. Returns the plan with all ends.
 */
export async function writePlan(
  run: Run,
  planned: LivePlan,
  failFast: boolean,
): Promise<ServerPlan> {
  const { plan, encode, reader } = planned;
  run.interruption.startWriting();
  const open = plan.integrations.filter(isOpen);
  const ends = new Map<string, WriteEnd>();
  let done = 0;
  let failed = 0;
  const write = async (integration: IntegrationPlan): Promise<void> => {
    const isOver = run.interruption.stopping.aborted;
    if (isOver || (failFast && failed > 0)) {
      const detail = isOver ? RUN_ENDED : 'something before it failed';
      ends.set(integration.id, { kind: 'not-attempted', detail });
      return;
    }
    const end = await writeIntegration(
      run,
      reader,
      integration,
      encode(integration),
    );
    ends.set(integration.id, end);
    done += 1;
    if (end.kind !== 'acknowledged') failed += 1;
    const words = failed === 0 ? '' : `, ${failed} failed`;
    run.progress.doing(
      `writing ${done} of ${open.length} integrations${words}`,
    );
  };
  const { concurrency } = reader.api;
  const running = open.filter(({ blocked }) => !blocked);
  const blocked = open.filter((integration) => integration.blocked);
  await pMap(running, write, { concurrency });
  await pMap(blocked, write, { concurrency });
  const integrations = plan.integrations.map((integration) => {
    return { ...integration, end: ends.get(integration.id) ?? integration.end };
  });
  return { ...plan, integrations };
}

/** A request of an integration on its way. */
interface Sending extends EncodedRequest {
  /**
   * The changes of earlier requests of its integration, which were accepted.
   */
  accepted: readonly Change[];
  tally: Attempts;
}

/**
 * Sends the requests of one integration in their order; after a failure the
 * next is not sent.
 */
async function writeIntegration(
  run: Run,
  reader: LiveReader,
  integration: IntegrationPlan,
  requests: readonly EncodedRequest[],
): Promise<WriteEnd> {
  const accepted: Change[] = [];
  for (const [at, request] of requests.entries()) {
    const part = { ...integration, changes: request.changes };
    const sending = { ...request, accepted, tally: { made: 0 } };
    const end = await writeRequest(run, reader, part, sending);
    if (end.kind === 'refused' || end.kind === 'unclear') {
      const rest = requests.slice(at + 1);
      return { ...end, unsent: rest.flatMap(({ changes }) => changes) };
    }
    if (end.kind !== 'acknowledged') return end;
    accepted.push(...request.changes);
  }
  return ACKNOWLEDGED;
}

/**
 * Sends one request until it is clear how it ended, at most three times: the
 * transport counts in its tally. `part` is its integration with the changes
 * that it carries. After an attempt that may have been carried out, the
 * integration is read: the request is sent again unless it took, or somebody
 * else wrote meanwhile.
 */
async function writeRequest(
  run: Run,
  reader: LiveReader,
  part: IntegrationPlan,
  request: Sending,
): Promise<WriteEnd> {
  const { api } = reader;
  let wasUnclear = false;
  while (true) {
    const error = await send(api, request);
    if (error === undefined) return ACKNOWLEDGED;
    if (error.phase === 'held-back')
      return unsent(whyHeldBack(run, error), request, wasUnclear);
    const isRefused = error.phase === 'refused';
    // A refusal says nothing of an attempt before it that was unclear.
    const effect: Effect =
      isRefused && !wasUnclear ? 'not-taken' : await readEffect(reader, part);
    if (effect === 'taken') return ACKNOWLEDGED;
    const end = endOf(error, request, part.id, { wasUnclear, effect });
    if (isRefused || effect === 'unclear') return end;
    if (!(await waitToResend(run, api, request.tally))) return end;
    wasUnclear = end.kind === 'unclear';
  }
}

/** Sends a request; returns the error if it failed. */
async function send(
  api: Api,
  request: Sending,
): Promise<ExchangeError | undefined> {
  try {
    await api.session.send({
      ...request,
      finishes: request.accepted.length > 0,
    });
    return undefined;
  } catch (thrown) {
    return exchangeError(thrown);
  }
}

/** Why nothing leaves any more. */
function whyHeldBack(
  { interruption }: Run,
  { diagnostic }: ExchangeError,
): string {
  const isOver = interruption.stopping.aborted;
  return isOver ? RUN_ENDED : explain(diagnostic).message;
}

/**
 * Ends a request that never left this time. After an earlier one of its
 * integration, the integration was attempted.
 */
function unsent(
  detail: string,
  { accepted }: Sending,
  wasUnclear: boolean,
): WriteEnd {
  if (wasUnclear) return { kind: 'unclear', detail, accepted };
  if (accepted.length === 0) return { kind: 'not-attempted', detail };
  return { kind: 'refused', detail, accepted };
}

/** A failed attempt, after those before it. */
interface Failed {
  wasUnclear: boolean;
  effect: Effect;
}

/** Ends a request that was refused, or that nobody answered. */
function endOf(
  error: ExchangeError,
  request: Sending,
  id: string,
  { wasUnclear, effect }: Failed,
): WriteEnd {
  const { phase, diagnostic } = error;
  if (phase === 'refused' && effect === 'not-taken') {
    return refusal(error, request, id);
  }
  const { message: detail } = explain(diagnostic);
  const { accepted } = request;
  const isUnclear = wasUnclear || phase !== 'not-sent';
  return { kind: isUnclear ? 'unclear' : 'refused', detail, accepted };
}

/**
 * What a request did, by a reading: `open` if that shows a part of it, or hides
 * a secret; `unclear` if it failed, or somebody else wrote.
 */
type Effect = 'taken' | 'not-taken' | 'open' | 'unclear';

/** Reads what became of the changes of a request that nobody answered. */
async function readEffect(
  reader: LiveReader,
  part: IntegrationPlan,
): Promise<Effect> {
  const reread = await reader.again([part]);
  const live = reread.get(part.id);
  if (live === undefined || live instanceof ExchangeError) return 'unclear';
  const standings = recheck(part, live).map(provenStanding);
  if (standings.includes('other')) return 'unclear';
  if (standings.every((standing) => standing === 'planned')) return 'taken';
  const isUnmoved = standings.every((standing) => standing === 'unmoved');
  return isUnmoved ? 'not-taken' : 'open';
}

/**
 * Waits before a request is sent again. False if no attempt and no retry is
 * left, or the run stops.
 */
async function waitToResend(
  run: Run,
  api: Api,
  attempts: Attempts,
): Promise<boolean> {
  const { stopping } = run.interruption;
  const wait = waitAfter({
    number: attempts.made,
    quota: api.retries.left,
    random: run.runtime.random(),
  });
  if (wait === undefined || stopping.aborted) return false;
  // biome-ignore lint/style/noParameterAssign: all requests to a server share its retries
  api.retries.left -= 1;
  await run.runtime.sleep(wait, stopping);
  return !stopping.aborted;
}

/**
 * Ends a request that the server refused, with each reason at the YAML place of
 * the value that it is about.
 */
function refusal(
  { diagnostic, errors, status = 0 }: ExchangeError,
  { accepted, changes }: Sending,
  id: string,
): WriteEnd {
  const reasons: RefusalReason[] = [];
  for (const error of errors) {
    const text = errorText([error]);
    const place = blamedPlace(error, { id, changes });
    if (text !== undefined) reasons.push({ text, place });
  }
  const isDenied = diagnostic.code === 'not-permitted';
  return {
    kind: 'refused',
    detail: explain(diagnostic).message,
    accepted,
    mayBePart: status >= 200 && status < 300,
    reasons,
    forbidden: isDenied && accepted.length === 0,
  };
}
