import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { CONFIGURATION } from '../../core/findings/entry.ts';
import { explain } from '../../core/findings/explain.ts';
import { present } from '../../core/model/present.ts';
import { reachedBy } from '../../core/plan/attempts.ts';
import { isNothingPlanned } from '../../core/plan/plan.ts';
import type { SavedReport } from '../../core/plan/saved.ts';
import { unmetChoices } from '../../core/plan/write-choice.ts';
import { failUsage } from '../failure.ts';
import type { WriteOptions } from '../reconcile/apply.ts';
import { type ConsentOptions, decide } from '../reconcile/decision.ts';
import { type AppliedServer, planAll, writeInOrder } from '../reconcile/phases.ts';
import { namesOf, type PlanningOptions, prepare } from '../reconcile/preparation.ts';
import { prepareAgain } from '../reconcile/reviewed.ts';
import { type CommandResult, type Run, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { findingsOn, withServers } from '../servers/sessions.ts';
import { readSavedPlan } from '../sources/saved-plan.ts';

interface ApplyOptions extends PlanningOptions, ConsentOptions, WriteOptions {
  readonly full?: boolean | undefined;
}

/**
 * Brings servers in line with their configuration, or with the part of it in a saved plan: plans everything, asks once,
 * writes, reads back, and reports what became of each integration.
 */
export function apply(path: string | undefined, options: ApplyOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const saved = path === undefined ? undefined : await readReviewed(run, path, options);
    if (options.yes !== true && !runtime.canAsk) return unconfirmed(saved, options);
    const reviewed = saved && new Map(saved.servers.map((server) => [server.name, server]));
    const { servers, warnings } = await (reviewed === undefined
      ? prepare(run, options)
      : prepareAgain(run, reviewed, options));
    return withServers(run, { ...options, mode: 'write' }, servers, async (all) => {
      const planned = await planAll(run, all, reviewed);
      const plans = planned.flatMap(({ result }) => result.value ?? []);
      const choices = unmetChoices(options, namesOf(servers), plans);
      const unmet = choices.filter(isMisuse);
      run.notices.push(...choices.filter((found) => !unmet.includes(found)));
      const isIncomplete = plans.length < servers.length;
      const { objections, isSeen } = await decide(run, options, plans, { isIncomplete, warnings, unmet });
      const results =
        objections.length > 0
          ? planned.map(({ result }) => result)
          : await writeInOrder(run, planned, options);
      const diagnostics = [...warnings, ...findingsOn(results), ...objections];
      const ends = { diagnostics, ...present({ reached: reachedIn(run, results, objections) }) };
      const shown = results.flatMap(({ value }) => value?.plan ?? []);
      if (objections.some(isMisuse) || isNothingPlanned(shown)) return { ...ends, report: { kind: 'none' } };
      const view = { full: options.full ?? false, outcomes: isSeen };
      return {
        ...ends,
        report: { kind: 'changes', command: 'apply', servers: shown, isComplete: !isIncomplete, shown: view },
      };
    });
  });
}

/** How far an apply came; at a question that was interrupted nothing was written. */
function reachedIn(run: Run, results: readonly AppliedServer[], objections: readonly Diagnostic[]) {
  if (objections.length > 0) return run.interruption.signal && { applied: [], notApplied: [], unknown: [] };
  return reachedBy(results.flatMap(({ value }) => value?.plan ?? []));
}

/** Whether a flag is wrong: a plan beside that would look like what was asked for. */
function isMisuse(found: Diagnostic): boolean {
  const { severity, exit } = explain(found);
  return severity === 'error' && exit === CONFIGURATION;
}

/** Nobody can be asked: a saved plan is shown, so that it can be reviewed here. */
function unconfirmed(saved: SavedReport | undefined, { full = false }: ApplyOptions): CommandResult {
  const diagnostics = [diagnostic('needs-confirmation', {})];
  if (saved === undefined) return { diagnostics, report: { kind: 'none' } };
  const document = { ...saved.document, command: 'apply' } as const;
  return { diagnostics, report: { kind: 'document', document, shown: { full } } };
}

/** Reads a saved plan; refuses flags that would choose again what it has chosen. */
async function readReviewed(
  run: Run,
  path: string,
  { base, writeHidden, only }: ApplyOptions,
): Promise<SavedReport> {
  if (/\.ya?ml$/i.test(path))
    failUsage(
      'apply takes a saved plan as its argument, not a file of configuration.',
      `Name the configuration with -f: setpoint apply -f ${path}`,
    );
  const given = Object.entries({
    '--base': base,
    '--write-hidden': writeHidden,
    '--only': only,
  }).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  if (given.length > 0)
    failUsage(
      `${given.join(', ')} cannot be combined with a saved plan, which has already made this choice.`,
      'Pass it to setpoint plan, and save that plan.',
    );
  return readSavedPlan(run, path);
}
