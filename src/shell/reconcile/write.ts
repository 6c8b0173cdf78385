import pMap from 'p-map';
import { explain } from '../../core/findings/explain.ts';
import { errorText, type ServerError } from '../../core/live/errors.ts';
import type { Wanted } from '../../core/live/sources.ts';
import { present } from '../../core/model/json.ts';
import { backoff, MAX_ATTEMPTS } from '../../core/pacing/retry.ts';
import { compareAgain } from '../../core/plan/compare.ts';
import type { Reason, Written } from '../../core/plan/judge.ts';
import type { IntegrationPlan } from '../../core/plan/plan.ts';
import { blamedPlace, requestsOf, wireFormOf } from '../../core/plan/requests.ts';
import { unexpected } from '../failure.ts';
import type { Api, Sending } from '../http/api.ts';
import { ExchangeError } from '../http/exchange.ts';
import type { Run } from '../run.ts';
import type { LivePlan } from './planning.ts';

/**
 * Sends the requests of a plan, several integrations side by side, those that do not run last. Decides nothing: what is
 * sent is in the plan, and `verdicts` has the integrations that are left alone.
 */
export async function writePlan(
  run: Run,
  api: Api,
  planned: LivePlan,
  verdicts: LivePlan['verdicts'],
  failFast: boolean,
): Promise<ReadonlyMap<string, Written>> {
  run.interruption.startWriting();
  const all = planned.plan.integrations;
  const touched = all.filter(({ id, changes }) => changes.length > 0 || verdicts.has(id));
  const state = { done: 0, failed: false };
  const writing = { run, api, reader: planned.reader, form: wireFormOf(planned.live) };
  const write = async (integration: IntegrationPlan): Promise<[string, Written]> => {
    const verdict = verdicts.get(integration.id);
    if (verdict !== undefined) return [integration.id, verdict];
    if (run.interruption.stopping.aborted || (failFast && state.failed))
      return [integration.id, { kind: 'not-attempted' }];
    const written = await writeOne(writing, integration).catch((thrown) => defect(run, thrown));
    state.done += 1;
    state.failed ||= written.kind !== 'acknowledged';
    run.writer.progress(`Applying: ${state.done} of ${touched.length} integrations`);
    return [integration.id, written];
  };
  const writeAll = (integrations: readonly IntegrationPlan[]) =>
    pMap(integrations, write, { concurrency: api.concurrency });
  const running = await writeAll(touched.filter(({ blocked }) => !blocked));
  const stopped = await writeAll(touched.filter(({ blocked }) => blocked));
  return new Map([...running, ...stopped]);
}

/** Keeps a defect at one integration, so that the others are still reported. */
function defect(run: Run, thrown: unknown): Written {
  run.notices.push(unexpected(thrown));
  return { kind: 'unclear', detail: 'setpoint failed during the change' };
}

/** The fields of an integration that its changes touch. */
export function wantedOf({ id, changes }: IntegrationPlan): Wanted {
  const keys = changes.flatMap(({ setting }) => setting.option ?? []);
  return {
    id,
    keys: [...new Set(keys)],
    autosubscribe: changes.some(({ field }) => field === 'autosubscribe'),
  };
}

/** The parts of a run that write one server. */
interface Writing {
  readonly run: Run;
  readonly api: Api;
  readonly reader: LivePlan['reader'];
  readonly form: ReturnType<typeof wireFormOf>;
}

/** Sends the requests of one integration in their order; after a failure the next is not sent. */
async function writeOne(writing: Writing, integration: IntegrationPlan): Promise<Written> {
  for (const [index, request] of requestsOf(integration, writing.form).entries()) {
    const part = { ...integration, changes: request.changes };
    const sending = { ...request, finishes: index > 0, tally: { made: 0 } };
    const written = await writeRequest(writing, part, sending);
    if (written.kind !== 'acknowledged') return written;
  }
  return { kind: 'acknowledged' };
}

/**
 * Sends one request until it is clear how it ended, at most three times. `part` is its integration with the changes that it
 * carries. It is sent again only if a reading shows that it did not take, and that nobody else wrote.
 */
async function writeRequest(writing: Writing, part: IntegrationPlan, request: Sending): Promise<Written> {
  const { api, reader } = writing;
  let mayHaveActed = false;
  while (true) {
    const sent = await send(api, part.id, request);
    if (sent.kind === 'acknowledged' || sent.kind === 'refused') return sent;
    mayHaveActed ||= sent.kind === 'unclear';
    const end = mayHaveActed ? ({ kind: 'unclear', detail: sent.detail } as const) : neverLeft(sent, request);
    if (sent.kind === 'stopped') return end;
    const live = await reader.one(wantedOf(part));
    if (live === undefined) return end;
    const states = compareAgain(part, live).map(({ state }) => state);
    if (states.every((state) => state === 'planned')) return { kind: 'acknowledged' };
    if (states.includes('other') || !(await mayResend(writing, request.tally.made))) return end;
  }
}

/** How one attempt ended. It left this machine unless it is `unsent`, or `stopped`: then no other request would leave it either. */
type Sent =
  | Extract<Written, { kind: 'acknowledged' | 'refused' }>
  | { readonly kind: 'unclear' | 'unsent' | 'stopped'; readonly detail: string };

async function send(api: Api, id: string, request: Sending): Promise<Sent> {
  try {
    await api.patch(request);
    return { kind: 'acknowledged' };
  } catch (thrown) {
    if (!(thrown instanceof ExchangeError)) throw thrown;
    const { phase, diagnostic: found } = thrown;
    if (found.code === 'not-attempted') return { kind: 'stopped', detail: 'it was interrupted' };
    if (thrown === api.ended) return { kind: 'stopped', detail: LOGGED_OUT };
    if (phase === 'refused') return refused(thrown, request, id);
    const detail = explain(found).message;
    if (phase !== 'not-sent') return { kind: 'unclear', detail };
    const isPause = found.code === 'timeout' && found.facts.of === 'pause';
    return { kind: isPause ? 'stopped' : 'unsent', detail };
  }
}

const LOGGED_OUT = 'the login ended in between, and a new one was refused';

/** The end of a request that never left. The second of an integration was attempted with the first. */
function neverLeft(
  { kind, detail }: { readonly kind: string; readonly detail: string },
  request: Sending,
): Written {
  return kind === 'stopped' && !request.finishes ? { kind: 'not-attempted' } : { kind: 'refused', detail };
}

/** Waits before a request is sent again. False if no attempt and no retry is left, or the run stops. */
async function mayResend({ run, api }: Writing, made: number): Promise<boolean> {
  const { stopping } = run.interruption;
  if (made >= MAX_ATTEMPTS || api.retries.left <= 0 || stopping.aborted) return false;
  api.retries.left -= 1;
  await run.runtime.sleep(backoff(made, run.runtime.random()), stopping);
  return !stopping.aborted;
}

function refused(
  { diagnostic, errors, status = 0 }: ExchangeError,
  { finishes, changes }: Sending,
  id: string,
): Extract<Written, { kind: 'refused' }> {
  const isForbidden = diagnostic.code === 'not-permitted' && !finishes;
  return {
    kind: 'refused',
    detail: explain(diagnostic).message,
    reasons: errors.flatMap((error) => reasonOf(error, changes, id)),
    ...(isForbidden ? { forbidden: true } : {}),
    ...(status >= 200 && status < 300 ? { accepted: true } : {}),
  };
}

/** An entry of the server's error document, with the YAML place of the value that it is about. */
function reasonOf(error: ServerError, changes: Sending['changes'], id: string): Reason[] {
  const text = errorText([error]);
  return text === undefined ? [] : [{ text, ...present({ place: blamedPlace(error, { id, changes }) }) }];
}
