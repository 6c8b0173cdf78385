import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import { explain } from '../../core/findings/explain.ts';
import { errorText, type ServerError } from '../../core/live/error-document.ts';
import type { Wanted } from '../../core/live/sources.ts';
import { present } from '../../core/model/present.ts';
import { backoff, MAX_ATTEMPTS } from '../../core/pacing/retry.ts';
import { blamedPlace } from '../../core/plan/blame.ts';
import { statesOf } from '../../core/plan/field-state.ts';
import type { Verdict } from '../../core/plan/narrow.ts';
import type { IntegrationPlan } from '../../core/plan/plan.ts';
import { encodeRequest, requestsOf } from '../../core/plan/requests.ts';
import { otherForm, type WireForm } from '../../core/plan/wire-form.ts';
import type { Reason, Written } from '../../core/plan/written.ts';
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
  const forms = { current: planned.form };
  const write = async (integration: IntegrationPlan): Promise<[string, Written]> => {
    const verdict = verdicts.get(integration.id);
    if (isLeftAlone(verdict)) return [integration.id, verdict];
    if (run.interruption.stopping.aborted || (failFast && state.failed))
      return [integration.id, { kind: 'not-attempted' }];
    const written = await writeOne(run, api, planned, integration, forms).catch((thrown) =>
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
  const keys = changes.flatMap((change) => (change.field === 'autosubscribe' ? [] : [change.option]));
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
  forms: Forms,
): Promise<Written> {
  const sender = new Sender(api, integration.id, forms);
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
  const states = statesOf(part, live).map(({ state }) => state);
  if (states.every((state) => state === 'after')) return { kind: 'acknowledged' };
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

/** The form that the server takes, as far as it is known; all integrations learn from the first that is refused for it. */
interface Forms {
  current: WireForm;
}

/** Sends the requests of one integration and knows whether any of them has left this machine. */
class Sender {
  readonly api: Api;
  readonly #id: string;
  readonly #forms: Forms;
  #hasSent = false;
  #isStopped = false;

  constructor(api: Api, id: string, forms: Forms) {
    this.api = api;
    this.#id = id;
    this.#forms = forms;
  }

  /** Sends a request; where its form is refused, which writes nothing, once more in each other form that the refusal names. */
  async send(request: Unencoded, tried: readonly WireForm[] = [this.#forms.current]): Promise<Written> {
    const form = tried.at(-1) ?? this.#forms.current;
    const ended = await this.#attempt({ ...request, ...encodeRequest(this.#id, request, form) });
    if (!(ended instanceof ExchangeError)) {
      if (ended.kind === 'acknowledged' && tried.length > 1) this.#forms.current = form;
      return ended;
    }
    const { status = 0, errors } = ended;
    const other = otherForm(form, { status, errors }, request.changes);
    const isNew = other !== undefined && !tried.some((each) => isDeepStrictEqual(each, other));
    const again = isNew ? await this.send({ ...request, tally: { made: 0 } }, [...tried, other]) : undefined;
    return again?.kind === 'acknowledged' || again?.kind === 'unclear'
      ? again
      : this.#refused(ended, request);
  }

  /** How a request ended; the error of a refusal as it is. */
  async #attempt(request: Sending): Promise<Written | ExchangeError> {
    try {
      await this.api.patch(request);
      this.#hasSent = true;
      return { kind: 'acknowledged' };
    } catch (thrown) {
      const found = findingOf(thrown);
      if (found.code === 'not-attempted' || thrown === this.api.ended) return { kind: 'not-attempted' };
      const phase = thrown instanceof ExchangeError ? thrown.phase : 'no-answer';
      this.#hasSent ||= phase !== 'not-sent';
      this.#isStopped = phase === 'not-sent' && found.code === 'asked-to-wait';
      const isRefused = thrown instanceof ExchangeError && phase === 'refused';
      return isRefused ? thrown : { kind: 'unclear', detail: explain(found).message };
    }
  }

  #refused({ diagnostic, errors, status = 0 }: ExchangeError, request: Unencoded): Written {
    const reasons = errors.flatMap((error) => reasonOf(error, request, this.#id));
    const isForbidden = diagnostic.code === 'not-permitted' && !request.finishes;
    const isAccepted = status >= 200 && status < 300;
    // 429 says by itself why.
    const isUnexplained = reasons.length === 0 && diagnostic.code === 'http-status' && status !== 429;
    const { message: detail } = explain(diagnostic);
    return {
      kind: 'refused',
      detail,
      reasons,
      ...(isForbidden ? { forbidden: true } : {}),
      ...(isAccepted ? { accepted: true } : {}),
      ...present({ unexplained: isUnexplained ? status : undefined }),
    };
  }

  /** If no request has left, nothing is unclear: the server asked to wait, or could not be reached. */
  judge(written: Written): Written {
    if (written.kind !== 'unclear' || this.#hasSent) return written;
    return this.#isStopped ? { kind: 'not-attempted' } : { kind: 'refused', detail: written.detail };
  }
}

/** An entry of the server's error document, with the YAML place of the value that it is about. */
function reasonOf(error: ServerError, { changes }: Unencoded, id: string): Reason[] {
  const text = errorText([error]);
  const place = blamedPlace(error, { id, changes });
  if (text === undefined) return [];
  return [place === undefined ? { text } : { text, place }];
}
