import { withShownTexts } from '../../core/config/hidden.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import {
  diagnosticDocuments,
  explain,
  hasErrors,
} from '../../core/findings/explain.ts';
import { count, enumerated } from '../../core/findings/words.ts';
import { grouped } from '../../core/model/lists.ts';
import { judge } from '../../core/plan/judge.ts';
import { lackingReferences } from '../../core/plan/notes.ts';
import {
  hasWritten,
  OUTCOMES,
  type Outcome,
  RUN_ENDED,
} from '../../core/plan/outcome.ts';
import {
  isOpen,
  type Planned,
  type ServerPlan,
  type WriteEnd,
} from '../../core/plan/plan.ts';
import { refusals } from '../../core/plan/refusals.ts';
import { encoderFor } from '../../core/plan/requests.ts';
import { isNothingPlanned, summaryOf } from '../../core/plan/summary.ts';
import { stillDeclared } from '../../core/plan/undo.ts';
import { unmetChoices, unmetWaivers } from '../../core/plan/unmet.ts';
import { documentOf } from '../../core/report/document.ts';
import { textParts } from '../../core/report/text/text.ts';
import { fail } from '../failure.ts';
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
import { type LivePlan, planOf, withoutLive } from './plan.ts';
import type { Preparation, Prepared } from './prepare.ts';
import { planUndone } from './undo.ts';

/** The plan of a server, and its session for the writing. */
interface PlannedServer extends ServerResult<LivePlan> {
  attempt: Connected<Prepared>['attempt'];
}

/**
 * Plans all servers side by side, decides for all whether to write, and writes
 * one after another.
 */
export function reconcile(
  run: Run,
  { servers, isFleet, names, warnings, undone }: Preparation,
): Promise<CommandResult> {
  const { options } = run;
  return withServers(run, servers, async (connected) => {
    const planned = await eachAtOnce(run, connected, (connection) =>
      planConnected(run, connection),
    );
    // What a signal cuts short is no plan.
    if (run.interruption.signal !== undefined)
      return { diagnostics: [], ...reachedBy([], isFleet) };
    const values = valuesOf(planned);
    const unmet = [
      ...unmetChoices(options, names, values),
      ...unmetWaivers(values),
      ...lackingReferences(
        values.map(({ plan }) => plan),
        isFleet,
      ),
    ];
    const isMistaken = hasErrors(unmet);
    const { isGiven, objections, isSeen } = isMistaken
      ? denied()
      : await consentTo(run, planned, isFleet, [...warnings, ...unmet]);
    const results = isGiven ? await writeInOrder(run, planned) : planned;
    const plans = valuesOf(results).map(({ plan }) => plan);
    const report: ChangesReport = {
      kind: 'changes',
      servers: plans,
      isComplete: plans.length === results.length,
      undone,
      shown: { outcomes: isSeen, full: options.full },
    };
    const diagnostics = [
      ...warnings,
      ...findingsOn(results),
      ...unmet,
      ...objections,
    ];
    if (undone?.command === 'apply') diagnostics.push(...stillDeclared(plans));
    // Next to the finding of a wrong flag, a plan would look like the one that
    // was asked for.
    const hasReport = !isMistaken && !isNothingPlanned(plans);
    return {
      diagnostics,
      report: hasReport ? report : undefined,
      ...reachedBy(plans, isFleet),
    };
  });
}

async function planConnected(
  run: Run,
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
    if (run.options.failFast && hasErrors(plan.diagnostics)) {
      fail(...plan.diagnostics);
    }
    const encode = encoderFor(plan.live);
    return { ...withoutLive(run, plan), reader, readAt, encode };
  });
  // A plan that is made is reported once it is written.
  if (result.value === undefined) reportReading(run, result, api.installed);
  return { ...result, attempt };
}

/** Whether all servers may be written. */
interface Consent {
  isGiven: boolean;
  /** Why not; none if findings say it already. */
  objections: readonly Diagnostic[];
  /** Whether the plans were shown. */
  isSeen: boolean;
}

function denied(...objections: readonly Diagnostic[]): Consent {
  return { isGiven: false, objections, isSeen: false };
}

/**
 * Finds whether all servers may be written. A person is asked last; if nobody
 * can be asked, the log shows the plans.
 */
async function consentTo(
  run: Run,
  planned: readonly PlannedServer[],
  isFleet: boolean,
  warnings: readonly Diagnostic[],
): Promise<Consent> {
  const { options, writer, interruption } = run;
  const plans = valuesOf(planned).map(openPart);
  const changing = plans.filter(({ summary }) => summary.changes > 0);
  const given: Consent = { isGiven: true, objections: [], isSeen: false };
  // Nothing to send, but ended integrations still need an outcome.
  if (changing.length === 0) return given;
  const awaited = options.keepGoing === true ? [] : unworked(planned);
  const refused = refusals(plans, isFleet, awaited);
  if (refused.length > 0) return denied(...refused);
  if (options.yes === true) return given;
  const findings = planned.flatMap(findingsBefore);
  await preview(run, plans, [...warnings, ...run.notices, ...findings]);
  const isAsked = run.runtime.canAsk;
  const names = changing.map(({ name }) => name);
  const question = `Apply these changes to ${enumerated(names, 3)}?`;
  if (isAsked && (await writer.confirm(question, interruption.stopping))) {
    return { ...given, isSeen: true };
  }
  const objection =
    interruption.ended ?? diagnostic('not-confirmed', { isAsked });
  return { ...denied(objection), isSeen: true };
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

/**
 * Shows the plans before they are written, with all findings before their
 * total.
 */
async function preview(
  run: Run,
  plans: readonly ServerPlan[],
  findings: readonly Diagnostic[],
): Promise<void> {
  const { writer } = run;
  const command = run.command === 'undo' ? 'undo' : 'plan';
  const document = documentOf({ command, servers: plans });
  const masked = writer.mask.data(document);
  const view = { ...writer.view('stderr'), isPreview: true };
  const sources = withShownTexts(run.sources, findings);
  const { changes, end } = textParts(masked, view);
  writer.preview(changes);
  await writer.findings(diagnosticDocuments(findings), sources, true);
  writer.preview(end);
}

/**
 * The outcomes of integrations that keep the servers after theirs from being
 * attempted.
 */
const STOPPING: ReadonlySet<Outcome | undefined> = new Set([
  'failed',
  'unknown',
  'not-converged',
] as const);

/**
 * Writes one server after another. After a failure the rest is not attempted,
 * unless `--keep-going`.
 */
async function writeInOrder(
  run: Run,
  servers: readonly PlannedServer[],
): Promise<readonly ServerResult<Planned>[]> {
  const { options, interruption, progress } = run;
  const results: ServerResult<Planned>[] = [];
  for (const { server, value: plan, diagnostics, attempt } of servers) {
    const isOver = interruption.stopping.aborted;
    const isHeldBack = options.keepGoing !== true && results.some(hasFailed);
    if (plan === undefined) {
      results.push({ server, diagnostics });
    } else if (isOver) {
      // In an attempt, which adds the finding of what ended the run.
      results.push(await attempt(async () => notTried(plan, RUN_ENDED)));
    } else if (isHeldBack) {
      const value = notTried(plan, 'a server before it failed');
      results.push({ server, value, diagnostics });
    } else {
      progress.write(server.name);
      const written = await attempt(() => applyPlan(run, plan));
      const [error] = written.diagnostics;
      const detail = error === undefined ? RUN_ENDED : explain(error).message;
      const value = written.value ?? notTried(plan, detail);
      reportWriting(run, value.plan);
      results.push({ ...written, value });
    }
  }
  const isBegun = valuesOf(results).some(({ plan }) =>
    plan.integrations.some(({ outcome }) => outcome !== undefined),
  );
  return isBegun ? results.map(withLeftOut) : results;
}

function hasFailed({ value, diagnostics }: ServerResult<Planned>): boolean {
  const integrations = value?.plan.integrations ?? [];
  return (
    diagnostics.length > 0 ||
    integrations.some(({ outcome }) => STOPPING.has(outcome))
  );
}

/** Says how the writing of a server ended, by the words of its outcomes. */
function reportWriting(
  { progress }: Run,
  { name, integrations }: ServerPlan,
): void {
  const changed = integrations.filter(({ changes }) => changes.length > 0);
  const changes = changed.flatMap((integration) => integration.changes);
  const outcomes = changes.flatMap(({ outcome }) => outcome ?? []);
  if (outcomes.length === 0) return;
  let written = 0;
  const parts: string[] = [];
  for (const [outcome, { length }] of grouped(outcomes, (word) => word)) {
    const isApplied = OUTCOMES[outcome] === 'applied';
    if (isApplied) written += length;
    // What is only sent is a part of what is written.
    if (outcome === 'sent') parts.unshift(`${length} of them only sent`);
    if (!isApplied) parts.push(`${length} ${outcome.replace('-', ' ')}`);
  }
  const isWell = written === changes.length;
  const all = count(changes.length, 'change');
  parts.unshift(
    isWell
      ? `${count(changed.length, 'integration')}, ${all} written`
      : `${written} of ${all} written`,
  );
  progress.ended(name, parts.join(', '), isWell ? 'good' : 'bad');
}

/**
 * Ends a plan that is not written; `detail` says why. An integration that has
 * ended already, such as a stale one, keeps its end.
 */
function notTried(planned: LivePlan, detail: string): Planned {
  const end: WriteEnd = { kind: 'not-attempted', detail };
  const integrations = planned.plan.integrations.map((integration) =>
    isOpen(integration) ? { ...integration, end } : integration,
  );
  const judged = judge({ ...planned.plan, integrations }, new Map());
  const diagnostics = [...planned.diagnostics, ...judged.diagnostics];
  return { plan: judged.plan, diagnostics };
}

/**
 * Gives integrations that errors left out of a plan their outcome, once
 * anything else was attempted. Their errors are reported already.
 */
function withLeftOut(result: ServerResult<Planned>): ServerResult<Planned> {
  const { value } = result;
  if (value === undefined) return result;
  const outcome: Outcome = 'not-attempted';
  const integrations = value.plan.integrations.map((integration) =>
    integration.unplanned ? { ...integration, outcome } : integration,
  );
  const plan = { ...value.plan, integrations };
  return { ...result, value: { ...value, plan } };
}

/** Returns how far an apply came on all its servers, and whether it wrote. */
function reachedBy(
  plans: readonly ServerPlan[],
  isFleet: boolean,
): Pick<CommandResult, 'reached' | 'hasWritten'> {
  const applied: string[] = [];
  const notApplied: string[] = [];
  const unknown: string[] = [];
  const reached = { applied, notApplied, unknown };
  const outcomes: (Outcome | undefined)[] = [];
  for (const { name: server, integrations } of plans) {
    for (const { name, end, outcome, changes } of integrations) {
      const shown = isFleet ? `${name} on ${server}` : name;
      if (outcome !== undefined) reached[OUTCOMES[outcome]].push(shown);
      // Nothing was to be written of what is done.
      if (end?.kind === 'done') continue;
      // A stale integration may have no change any more.
      outcomes.push(outcome, ...changes.map((change) => change.outcome));
    }
  }
  return { reached, hasWritten: hasWritten(outcomes) };
}
