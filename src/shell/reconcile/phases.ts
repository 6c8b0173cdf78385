import {
  type Diagnostic,
  diagnostic,
  type Reached,
} from '../../core/findings/diagnostic.ts';
import {
  diagnosticDocuments,
  explain,
  hasErrors,
} from '../../core/findings/explain.ts';
import { count } from '../../core/findings/words.ts';
import { judge } from '../../core/plan/judge.ts';
import { lackingReferences } from '../../core/plan/notes.ts';
import {
  hasWritten,
  type IntegrationPlan,
  isNothingPlanned,
  isOpen,
  OUTCOMES,
  type Outcome,
  type Planned,
  RUN_ENDED,
  type ServerPlan,
  summaryOf,
  type WriteEnd,
} from '../../core/plan/plan.ts';
import { refusals } from '../../core/plan/refusals.ts';
import { stillDeclared } from '../../core/plan/undo.ts';
import { unmetChoices, unmetWaivers } from '../../core/plan/unmet.ts';
import { documentOf } from '../../core/report/document.ts';
import { withShownTexts } from '../../core/report/text/frame.ts';
import { printText } from '../../core/report/text/text.ts';
import { fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { ChangesReport, CommandResult, Run } from '../run.ts';
import {
  findingsOn,
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
import { readLive } from './live.ts';
import { type LivePlan, planOf } from './plan.ts';
import type { Preparation, Prepared } from './prepare.ts';
import { planUndone } from './undo.ts';

/** Whether all servers may be written. */
interface Consent {
  /** Why they may not; undefined if they may. */
  readonly objections?: readonly Diagnostic[] | undefined;
  /** Whether a person has seen the plans. */
  readonly isSeen: boolean;
}

/** How all servers ended. */
interface Ended extends Consent {
  readonly results: readonly ServerResult<Planned>[];
  /** Choices of flags, and waivers, that name nothing; references that it lacks. */
  readonly unmet: readonly Diagnostic[];
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
export async function reconcile(
  run: Run,
  options: Options,
  preparation: Preparation,
): Promise<CommandResult> {
  const { servers, isFleet, names, warnings } = preparation;
  const mode = mayConsent(run, options) ? 'write' : 'read';
  const session = { ...options, mode } as const;
  const work = async (
    connected: readonly Connected<Prepared>[],
  ): Promise<Ended> => {
    const planned = await eachAtOnce(options, connected, (connection) =>
      planConnected(run, options, connection),
    );
    const values = valuesOf(planned);
    const plans = values.map(({ plan }) => plan);
    const unmet = [
      ...unmetChoices(options, names, values),
      ...unmetWaivers(values),
      ...lackingReferences(plans, isFleet),
    ];
    const consent = hasErrors(unmet)
      ? withheld()
      : await consentTo(run, options, planned, {
          ...preparation,
          warnings: [...warnings, ...unmet],
        });
    const results =
      consent.objections === undefined
        ? await writeInOrder(run, planned, options)
        : planned;
    return { results, unmet, ...consent };
  };
  const ended = await withServers(run, session, servers, work);
  return resultOf(run, options, preparation, ended);
}

async function planConnected(
  run: Run,
  options: Options,
  { api, server, attempt }: Connected<Prepared>,
): Promise<PlannedServer> {
  const result = await attempt(async (): Promise<LivePlan> => {
    const { applied } = server;
    const readAt = run.runtime.now();
    const { reader, ...state } = await readLive(api, server);
    const plan =
      applied === undefined
        ? planOf(run, server, state)
        : planUndone(server, applied, state);
    if (options.failFast && hasErrors(plan.diagnostics)) {
      fail(...plan.diagnostics);
    }
    return { ...plan, reader, readAt };
  });
  // A plan that is made is reported once it is written.
  if (result.value === undefined) reportReading(run, result, api.installed);
  const write = (plan: LivePlan): Promise<ServerResult<Planned>> =>
    attempt(() => applyPlan(run, plan, options));
  return { ...result, write };
}

function withheld(...objections: readonly Diagnostic[]): Consent {
  return { objections, isSeen: false };
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
  { isFleet, warnings }: Preparation,
): Promise<Consent> {
  const plans = valuesOf(planned).map(openPart);
  const changing = plans.filter(({ summary }) => summary.changes > 0);
  // Nothing to send, but ended integrations still need an outcome.
  if (changing.length === 0) return { isSeen: false };
  const unplanned = unworked(planned);
  if (unplanned.length > 0 && options.keepGoing !== true) {
    return withheld(
      diagnostic('not-attempted', { integrations: [], unplanned }),
    );
  }
  const refused = refusals(plans, isFleet);
  if (refused.length > 0) return withheld(...refused);
  if (options.yes === true) return { isSeen: false };
  const findings = planned.flatMap(findingsBefore);
  preview(run, plans, [...warnings, ...run.notices, ...findings]);
  const isSeen = true;
  const isAsked = mayConsent(run, options);
  if (isAsked) {
    const names = inOrder(changing.map(({ name }) => name));
    const isUndo = run.command === 'undo';
    const words = isUndo ? 'Change this back on' : 'Apply these changes to';
    const { stopping } = run.interruption;
    const isAgreed = await run.writer.confirm(`${words} ${names}?`, stopping);
    if (isAgreed) return { isSeen };
  }
  return { objections: [diagnostic('not-confirmed', { isAsked })], isSeen };
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
    const written = value ?? notTried(plan, detail);
    reportWriting(run, written.plan);
    results.push({ server, value: written, diagnostics });
  }
  const isBegun = plansIn(results).some(({ outcome }) => outcome !== undefined);
  return isBegun ? results.map(withErrors) : results;
}

/** Says how the writing of a server ended, by the words of its outcomes. */
function reportWriting(
  { progress, interruption }: Run,
  { name, integrations }: ServerPlan,
): void {
  const changed = integrations.filter(({ changes }) => changes.length > 0);
  const outcomes = changed.flatMap(({ changes }) =>
    changes.flatMap(({ outcome }) => outcome ?? []),
  );
  if (outcomes.length === 0) return;
  const written = outcomes.filter((each) => OUTCOMES[each] === 'applied');
  const isWell = written.length === outcomes.length;
  const all = count(outcomes.length, 'change');
  const parts = isWell
    ? [count(changed.length, 'integration'), `${all} written`]
    : [`${written.length} of ${all} written`];
  const numbers = new Map<Outcome, number>();
  for (const outcome of outcomes) {
    numbers.set(outcome, (numbers.get(outcome) ?? 0) + 1);
  }
  const sent = numbers.get('sent');
  // What is only sent is a part of what is written.
  if (sent !== undefined) parts.push(`${sent} of them only sent`);
  for (const [outcome, number] of numbers) {
    if (OUTCOMES[outcome] === 'applied') continue;
    parts.push(`${number} ${outcome.replace('-', ' ')}`);
  }
  const isStopped = interruption.signal !== undefined;
  const lead = isStopped ? 'stopped by a signal: ' : '';
  const text = `${lead}${parts.join(', ')}`;
  progress.ended(name, text, isWell ? 'add' : 'error');
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
  const integrations = value.plan.integrations.map((integration) =>
    integration.unplanned === true
      ? { ...integration, outcome: 'not-attempted' as const }
      : integration,
  );
  const plan = { ...value.plan, integrations };
  return { ...result, value: { ...value, plan } };
}

/** Makes the result of a command that writes, with what became of it all. */
function resultOf(
  run: Run,
  options: Options,
  { warnings, isFleet, undone }: Preparation,
  { results, unmet, objections, isSeen }: Ended,
): CommandResult {
  const plans = valuesOf(results).map(({ plan }) => plan);
  const report: ChangesReport = {
    kind: 'changes',
    servers: plans,
    isComplete: plans.length === results.length,
    undone,
    shown: { outcomes: isSeen, full: options.full },
  };
  // Next to the finding of a wrong flag, a plan would look like the one that
  // was asked for.
  const hasReport = !hasErrors(unmet) && !isNothingPlanned(plans);
  return {
    diagnostics: [
      ...warnings,
      ...findingsOn(results),
      ...unmet,
      ...(objections ?? []),
      ...(undone?.command === 'apply' ? stillDeclared(plans) : []),
    ],
    report: hasReport ? report : undefined,
    reached:
      objections === undefined
        ? reachedBy(plans, isFleet)
        : reachedUnwritten(run),
    hasWritten: writtenBy(plans),
  };
}

/**
 * Returns whether an apply wrote anything; undefined if nothing was left to
 * write, or an objection came before.
 */
function writtenBy(plans: readonly ServerPlan[]): boolean | undefined {
  const integrations = plans.flatMap((plan) => [...plan.integrations]);
  // Nothing was to be written of what is done.
  const attempted = integrations.filter(({ end }) => end?.kind !== 'done');
  return hasWritten(
    attempted.flatMap(({ outcome, changes }) => [
      // A stale integration may have no change any more.
      outcome,
      ...changes.map((change) => change.outcome),
    ]),
  );
}

/**
 * Returns how far an apply came on all its servers; undefined if it wrote
 * nothing. What is not as desired is not applied.
 */
function reachedBy(
  plans: readonly ServerPlan[],
  isFleet: boolean,
): Reached | undefined {
  const reached: Record<keyof Reached, string[]> = {
    applied: [],
    notApplied: [],
    unknown: [],
  };
  let hasOutcome = false;
  for (const { name: server, integrations } of plans) {
    for (const { name, outcome } of integrations) {
      if (outcome === undefined) continue;
      hasOutcome = true;
      reached[OUTCOMES[outcome]].push(isFleet ? `${name} on ${server}` : name);
    }
  }
  return hasOutcome ? reached : undefined;
}

/**
 * Returns how far a run came that objections kept from writing: nowhere, if a
 * signal ended its question.
 */
function reachedUnwritten({ interruption }: Run): Reached | undefined {
  if (interruption.signal === undefined) return undefined;
  return { applied: [], notApplied: [], unknown: [] };
}
