import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import {
  diagnosticDocuments,
  explain,
  hasErrors,
} from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { judge } from '../../core/plan/judge.ts';
import { lackingReferences } from '../../core/plan/notes.ts';
import {
  type IntegrationPlan,
  isOpen,
  isWriting,
  OUTCOMES,
  type Outcome,
  type Planned,
  RUN_ENDED,
  type ServerPlan,
  summaryOf,
  type WriteEnd,
} from '../../core/plan/plan.ts';
import { refusals } from '../../core/plan/refusals.ts';
import { unmetChoices, unmetEverywhere } from '../../core/plan/unmet.ts';
import { documentOf } from '../../core/report/document.ts';
import { withShownTexts } from '../../core/report/text/frame.ts';
import { printText } from '../../core/report/text/text.ts';
import { fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Api } from '../http/api.ts';
import type { Run } from '../run.ts';
import {
  named,
  type ServerResult,
  unworked,
  valuesOf,
} from '../servers/results.ts';
import {
  type Connected,
  eachAtOnce,
  reportReading,
  withServers,
} from '../servers/sessions.ts';
import { applyPlan } from './apply.ts';
import { type LivePlan, planLive } from './plan.ts';
import type { Preparation, Prepared } from './prepare.ts';

/** What is to be reconciled. */
export interface Reconciliation extends Preparation {
  /** Plans a server; from its configuration if absent. */
  readonly planOne?: PlanOne | undefined;
}

/** Plans one server in its session. */
type PlanOne = (run: Run, api: Api, server: Prepared) => Promise<LivePlan>;

/** The end of all phases of an apply. */
export interface Reconciled extends Consent {
  readonly results: readonly ServerResult<Planned>[];
  /** Choices of flags, and waivers, that name nothing; references that it lacks. */
  readonly unmet: readonly Diagnostic[];
}

/** Whether all servers may be written. */
interface Consent {
  readonly isGiven: boolean;
  /** Why it is not given; empty if only `unmet` has errors. */
  readonly objections: readonly Diagnostic[];
  /** Whether a person has seen the plans. */
  readonly isSeen: boolean;
}

/**
 * The result of planning a server, and the writing of that plan in the same
 * session.
 */
interface PlannedServer extends ServerResult<LivePlan> {
  readonly write: (plan: LivePlan) => Promise<ServerResult<Planned>>;
}

/**
 * Plans all servers side by side, decides for all whether to write, and writes
 * one after another.
 */
export function reconcile(
  run: Run,
  options: Options,
  preparation: Reconciliation,
): Promise<Reconciled> {
  const { servers, names, warnings, planOne = planLive } = preparation;
  const mode = mayConsent(run, options) ? 'write' : 'read';
  const session = { ...options, mode } as const;
  return withServers(run, session, servers, async (connected) => {
    const planned = await eachAtOnce(options, connected, (connection) =>
      planConnected(run, options, connection, planOne),
    );
    const plans = valuesOf(planned);
    const unmet = [
      ...unmetChoices(options, names, plans),
      ...unmetEverywhere(plans),
      ...lackingReferences(
        plans.map(({ plan }) => plan),
        preparation.isFleet,
      ),
    ];
    if (hasErrors(unmet)) return { results: planned, unmet, ...withheld([]) };
    const consent = await consentTo(run, options, planned, {
      ...preparation,
      warnings: [...warnings, ...unmet],
    });
    if (!consent.isGiven) return { results: planned, unmet, ...consent };
    const results = await writeInOrder(run, planned, options);
    return { results, unmet, ...consent };
  });
}

async function planConnected(
  run: Run,
  options: Options,
  { api, server, attempt }: Connected<Prepared>,
  planOne: PlanOne,
): Promise<PlannedServer> {
  const result = await attempt(async () => {
    const plan = await planOne(run, api, server);
    if (options.failFast && hasErrors(plan.diagnostics)) {
      fail(...plan.diagnostics);
    }
    return plan;
  });
  const hidden = result.value?.plan.summary.left.hidden ?? 0;
  const more = hidden === 0 ? '' : `, ${count(hidden, 'field')} hidden`;
  // What an apply writes is reported when it is written.
  if (!isWriting(run.command) || result.value === undefined) {
    reportReading(run, result, api.installed, more);
  }
  const write = (plan: LivePlan): Promise<ServerResult<Planned>> =>
    attempt(() => applyPlan(run, plan, options));
  return { ...result, write };
}

const PROCEED: Consent = {
  isGiven: true,
  objections: [],
  isSeen: false,
};

function withheld(objections: readonly Diagnostic[]): Consent {
  return { isGiven: false, objections, isSeen: false };
}

/** Whether a flag agrees to the writing, or a person can. */
function mayConsent({ runtime }: Run, { yes }: Options): boolean {
  return yes === true || runtime.canAsk;
}

/**
 * Finds whether all servers may be written. A person is asked last; if nobody
 * can be asked, the log shows the plans.
 */
async function consentTo(
  run: Run,
  options: Options,
  planned: readonly PlannedServer[],
  preparation: Preparation,
): Promise<Consent> {
  const plans = valuesOf(planned).map(openPart);
  const changing = plans.filter(({ summary }) => summary.changes > 0);
  // Nothing to send, but ended integrations still need an outcome.
  if (changing.length === 0) return PROCEED;
  const unplanned = unworked(planned);
  if (unplanned.length > 0 && options.keepGoing !== true) {
    const facts = { integrations: [], unplanned };
    return withheld([diagnostic('not-attempted', facts)]);
  }
  const refused = refusals(plans, preparation.isFleet);
  if (refused.length > 0) return withheld(refused);
  if (options.yes === true) return PROCEED;
  preview(run, plans, [
    ...preparation.warnings,
    ...run.notices,
    ...planned.flatMap(findingsBefore),
  ]);
  if (!mayConsent(run, options)) {
    const unasked = diagnostic('not-confirmed', { isAsked: false });
    return { ...withheld([unasked]), isSeen: true };
  }
  const names = inOrder(changing.map(({ name }) => name));
  const isUndo = run.command === 'undo';
  const words = isUndo ? 'Change this back on' : 'Apply these changes to';
  const { stopping } = run.interruption;
  const isAgreed = await run.writer.confirm(`${words} ${names}?`, stopping);
  const denied = diagnostic('not-confirmed', { isAsked: true });
  return { ...(isAgreed ? PROCEED : withheld([denied])), isSeen: true };
}

/** Servers in the order of their writing; of many the first. */
function inOrder(names: readonly string[]): string {
  const [first = ''] = names;
  const isFew = names.length <= 3;
  return isFew
    ? names.join(', then ')
    : `${count(names.length, 'server')}, ${first} first`;
}

/** Returns the plan without the changes of integrations that are left alone. */
function openPart({ plan }: LivePlan): ServerPlan {
  const integrations = plan.integrations.map((integration) =>
    isOpen(integration) ? integration : { ...integration, changes: [] },
  );
  const summary = summaryOf(integrations, plan.summary);
  return { ...plan, integrations, summary };
}

/**
 * Returns the findings of a plan, with those of integrations that are left
 * alone.
 */
function findingsBefore({
  server,
  value,
}: PlannedServer): readonly Diagnostic[] {
  if (value === undefined) return [];
  const judged = judge(value.plan, new Map());
  return named(server, [...value.diagnostics, ...judged.diagnostics]);
}

/** Shows the plans before they are written, with all findings before their total. */
function preview(
  run: Run,
  plans: readonly ServerPlan[],
  findings: readonly Diagnostic[],
): void {
  const { writer } = run;
  const command = run.command === 'undo' ? 'undo' : 'plan';
  const document = documentOf({ command, servers: plans });
  const masked = writer.mask.data(document);
  const view = { ...writer.view('stderr'), isPreview: true };
  const sources = withShownTexts(run.sources, findings);
  printText(masked, view, {
    print: (text) => writer.preview(text),
    printFindings: (isBeforeTotal) =>
      writer.findings(diagnosticDocuments(findings), sources, isBeforeTotal),
  });
}

/**
 * Writes one server after another. After a failure the rest is not attempted,
 * unless `--keep-going`.
 */
async function writeInOrder(
  run: Run,
  servers: readonly PlannedServer[],
  options: Options,
): Promise<readonly ServerResult<Planned>[]> {
  const results: ServerResult<Planned>[] = [];
  for (const { write, ...planned } of servers) {
    const { server, value: plan } = planned;
    if (plan === undefined) {
      results.push(planned);
      continue;
    }
    const isOver = run.interruption.stopping.aborted;
    const isHeldBack = options.keepGoing !== true && results.some(hasFailed);
    if (isOver || isHeldBack) {
      const detail = isOver ? RUN_ENDED : 'a server before it failed';
      results.push({ ...planned, value: notTried(plan, detail) });
      continue;
    }
    run.progress.write(server.name);
    const { value, diagnostics } = await write(plan);
    const [error] = diagnostics;
    const detail = error === undefined ? RUN_ENDED : explain(error).message;
    const written = value === undefined ? notTried(plan, detail) : value;
    const result = { server, value: { ...plan, ...written }, diagnostics };
    reportWriting(run, result);
    results.push(result);
  }
  const isBegun = plansIn(results).some(({ outcome }) => outcome !== undefined);
  return isBegun ? results.map(withErrors) : results;
}

/** Says how the writing of a server ended, by the words of its outcomes. */
function reportWriting(
  { progress, interruption }: Run,
  { server, value }: ServerResult<Planned>,
): void {
  const integrations = value?.plan.integrations ?? [];
  const changed = integrations.filter(({ changes }) => changes.length > 0);
  const outcomes = changed.flatMap(({ changes }) =>
    changes.flatMap(({ outcome }) => outcome ?? []),
  );
  if (outcomes.length === 0) return;
  const written = outcomes.filter((each) => OUTCOMES[each] === 'applied');
  const sent = outcomes.filter((each) => each === 'sent');
  const isWell = written.length === outcomes.length;
  const all = count(outcomes.length, 'change');
  const integrationsText = count(changed.length, 'integration');
  const parts = isWell
    ? [integrationsText, `${all} written`]
    : [`${written.length} of ${all} written`];
  const kinds = new Set(outcomes);
  kinds.delete('verified');
  // What is only sent is a part of what is written.
  if (kinds.delete('sent')) parts.push(`${sent.length} of them only sent`);
  for (const kind of kinds) {
    const number = outcomes.filter((each) => each === kind).length;
    parts.push(`${number} ${kind.replace('-', ' ')}`);
  }
  const isStopped = interruption.signal !== undefined;
  const lead = isStopped ? 'stopped by a signal: ' : '';
  const text = `${lead}${parts.join(', ')}`;
  progress.ended(server.name, text, isWell ? 'add' : 'error');
}

/**
 * Ends a plan that is not written; `detail` says why. An integration that has
 * ended already, such as a stale one, keeps its end.
 */
function notTried(planned: LivePlan, detail: string): LivePlan {
  const end: WriteEnd = { kind: 'not-attempted', detail };
  const integrations = planned.plan.integrations.map((integration) =>
    isOpen(integration) ? { ...integration, end } : integration,
  );
  const judged = judge({ ...planned.plan, integrations }, new Map());
  const diagnostics = [...planned.diagnostics, ...judged.diagnostics];
  return { ...planned, plan: judged.plan, diagnostics };
}

/** The outcomes of integrations that keep the servers after theirs from being attempted. */
const STOPPING: ReadonlySet<Outcome | undefined> = new Set([
  'failed',
  'unknown',
  'not-converged',
] as const);

function hasFailed(result: ServerResult<Planned>): boolean {
  if (result.diagnostics.length > 0) return true;
  return plansIn([result]).some(({ outcome }) => STOPPING.has(outcome));
}

function plansIn(results: readonly ServerResult<Planned>[]): IntegrationPlan[] {
  return valuesOf(results).flatMap(({ plan }) => [...plan.integrations]);
}

/**
 * Gives integrations that errors left out of a plan their outcome, once
 * anything else was attempted. Their errors are reported already.
 */
function withErrors(result: ServerResult<Planned>): ServerResult<Planned> {
  const { value } = result;
  if (value === undefined) return result;
  const reason = 'an error keeps it from being planned';
  const integrations = value.plan.integrations.map((integration) =>
    integration.unplanned === true
      ? { ...integration, outcome: 'not-attempted' as const, reason }
      : integration,
  );
  const plan = { ...value.plan, integrations };
  return { ...result, value: { ...value, plan } };
}
