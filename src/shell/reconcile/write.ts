import pMap from 'p-map';
import { explain } from '../../core/findings/explain.ts';
import { errorText, type ServerError } from '../../core/live/error-document.ts';
import type { Wanted } from '../../core/live/sources.ts';
import { backoff, MAX_ATTEMPTS } from '../../core/pacing/retry.ts';
import type { Reason, Written } from '../../core/plan/attempts.ts';
import { blamedPlace } from '../../core/plan/blame.ts';
import { compareAgain } from '../../core/plan/compare.ts';
import type { Verdict } from '../../core/plan/narrow.ts';
import type { IntegrationPlan } from '../../core/plan/plan.ts';
import { encodeRequest, requestsOf, type WireForm, wireFormOf } from '../../core/plan/requests.ts';
import { unexpected } from '../failure.ts';
import type { Api, Sending } from '../http/api.ts';
import { ExchangeError, findingOf } from '../http/exchange-error.ts';
import type { Run } from '../run.ts';
import type { LivePlan } from './planning.ts';
import { isLeftAlone } from './reviewed.ts';

/**
 * Sends the requests of a plan, several integrations side by side, those that do not run last. Decides nothing: what is
 * sent is in the plan, and `verdicts` has the integrations that are left alone.
 */
export async function writePlan(
  run: Run,
  api: Api,
  planned: LivePlan,
  verdicts: ReadonlyMap<string, Verdict>,
  failFast: boolean,
): Promise<ReadonlyMap<string, Written>> {
  run.interruption.startWriting();
  const all = planned.plan.integrations;
  const touched = all.filter(({ id, changes }) => changes.length > 0 || verdicts.has(id));
  const state = { done: 0, failed: false };
  const form = wireFormOf(planned.live);
  const write = async (integration: IntegrationPlan): Promise<[string, Written]> => {
    const verdict = verdicts.get(integration.id);
    if (isLeftAlone(verdict)) return [integration.id, verdict];
    if (run.interruption.stopping.aborted || (failFast && state.failed))
      return [integration.id, { kind: 'not-attempted' }];
    const written = await writeOne(run, api, planned, integration, form).catch((thrown) =>
      defect(run, thrown),
    );
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

/** Why a second request of an integration was not sent. */
const INTERRUPTED = 'it was interrupted';
const LOGGED_OUT = 'the login ended in between, and a new one was refused';

/** Sends the requests of one integration in their order; after a failure the next is not sent. */
async function writeOne(
  run: Run,
  api: Api,
  planned: LivePlan,
  integration: IntegrationPlan,
  form: WireForm,
): Promise<Written> {
  const sender = new Sender(api, integration.id, form);
  for (const [index, request] of requestsOf(integration).entries()) {
    const part = { ...integration, changes: request.changes };
    const sending = { ...request, finishes: index > 0, tally: { made: 0 } };
    const written = await writeRequest(run, sender, planned, part, sending);
    // Its first request was sent, so it was attempted.
    if (written.kind === 'not-attempted' && index > 0)
      return { kind: 'refused', detail: run.interruption.stopping.aborted ? INTERRUPTED : LOGGED_OUT };
    if (written.kind !== 'acknowledged') return sender.judge(written);
  }
  return { kind: 'acknowledged' };
}

/**
 * Sends one request. After an unclear end it reads the integration: what took counts, what did not is sent again. `part` is
 * the integration with only the changes that the request carries.
 */
async function writeRequest(
  run: Run,
  sender: Sender,
  planned: LivePlan,
  part: IntegrationPlan,
  request: Unencoded,
): Promise<Written> {
  const { api } = sender;
  const { tally } = request;
  const written = await sender.send(request);
  if (written.kind !== 'unclear') return written;
  const live = await planned.reader.one(wantedOf(part));
  if (live === undefined) return written;
  const states = compareAgain(part, live).map(({ state }) => state);
  if (states.every((state) => state === 'planned')) return { kind: 'acknowledged' };
  // Another writer came in between: their value is not ours to overwrite.
  if (states.includes('other')) return written;
  if (tally.made >= MAX_ATTEMPTS || api.retries.left <= 0 || run.interruption.stopping.aborted)
    return written;
  api.retries.left -= 1;
  await run.runtime.sleep(backoff(tally.made, run.runtime.random()), run.interruption.stopping);
  if (run.interruption.stopping.aborted) return written;
  return writeRequest(run, sender, planned, part, { ...request, finishes: true });
}

/** A request before it has the form that the server takes. */
type Unencoded = Omit<Sending, 'body'>;

/** Sends the requests of one integration and knows whether any of them has left this machine. */
class Sender {
  readonly api: Api;
  readonly #id: string;
  readonly #form: WireForm;
  #hasSent = false;
  #isStopped = false;

  constructor(api: Api, id: string, form: WireForm) {
    this.api = api;
    this.#id = id;
    this.#form = form;
  }

  /** Sends a request; how it ended. */
  async send(request: Unencoded): Promise<Written> {
    try {
      await this.api.patch({ ...request, ...encodeRequest(this.#id, request, this.#form) });
      this.#hasSent = true;
      return { kind: 'acknowledged' };
    } catch (thrown) {
      const found = findingOf(thrown);
      if (found.code === 'not-attempted' || thrown === this.api.ended) return { kind: 'not-attempted' };
      const phase = thrown instanceof ExchangeError ? thrown.phase : 'no-answer';
      this.#hasSent ||= phase !== 'not-sent';
      this.#isStopped = phase === 'not-sent' && found.code === 'timeout' && found.facts.of === 'pause';
      return thrown instanceof ExchangeError && phase === 'refused'
        ? refused(thrown, request, this.#id)
        : { kind: 'unclear', detail: explain(found).message };
    }
  }

  /** If no request has left, nothing is unclear: the server asked to wait, or could not be reached. */
  judge(written: Written): Written {
    if (written.kind !== 'unclear' || this.#hasSent) return written;
    return this.#isStopped ? { kind: 'not-attempted' } : { kind: 'refused', detail: written.detail };
  }
}

function refused({ diagnostic, errors, status = 0 }: ExchangeError, request: Unencoded, id: string): Written {
  const isForbidden = diagnostic.code === 'not-permitted' && !request.finishes;
  return {
    kind: 'refused',
    detail: explain(diagnostic).message,
    reasons: errors.flatMap((error) => reasonOf(error, request, id)),
    ...(isForbidden ? { forbidden: true } : {}),
    ...(status >= 200 && status < 300 ? { accepted: true } : {}),
  };
}

/** An entry of the server's error document, with the YAML place of the value that it is about. */
function reasonOf(error: ServerError, { changes }: Unencoded, id: string): Reason[] {
  const text = errorText([error]);
  const place = blamedPlace(error, { id, changes });
  if (text === undefined) return [];
  return [place === undefined ? { text } : { text, place }];
}
