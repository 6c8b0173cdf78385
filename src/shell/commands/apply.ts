import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { CONFIGURATION } from '../../core/findings/entry.ts';
import { explain } from '../../core/findings/explain.ts';
import { present } from '../../core/model/json.ts';
import { reachedBy } from '../../core/plan/judge.ts';
import { type Document, isNothingPlanned } from '../../core/plan/plan.ts';
import { decodeSavedPlan } from '../../core/plan/saved.ts';
import { unmetChoices } from '../../core/plan/write-choice.ts';
import { failUsage } from '../failure.ts';
import { flagNamed, type Options } from '../flags.ts';
import { decide } from '../reconcile/decision.ts';
import { type AppliedServer, planAll, writeInOrder } from '../reconcile/phases.ts';
import { namesOf, prepare } from '../reconcile/preparation.ts';
import { prepareAgain } from '../reconcile/reviewed.ts';
import type { CommandResult, Run } from '../run.ts';
import { findingsOn, withServers } from '../servers/sessions.ts';
import { readSaved } from '../sources/saved.ts';

/**
 * Brings servers in line with their configuration, or with the part of it in a saved plan: plans everything, asks once,
 * writes, reads back, and reports what became of each integration.
 */
export async function apply(run: Run, options: Options, [path]: readonly string[]): Promise<CommandResult> {
  const saved = path === undefined ? undefined : await readReviewed(run, path, options);
  if (options.yes !== true && !run.runtime.canAsk) return unconfirmed(saved, options);
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
      objections.length > 0 ? planned.map(({ result }) => result) : await writeInOrder(run, planned, options);
    const made = results.flatMap(({ value }) => value?.plan ?? []);
    const shown = { outcomes: isSeen, full: options.full === true };
    const report = {
      kind: 'changes',
      command: 'apply',
      servers: made,
      isComplete: !isIncomplete,
      shown,
    } as const;
    // Next to the finding of a wrong flag, a plan would look like the one that was asked for.
    const hasReport = !objections.some(isMisuse) && !isNothingPlanned(made);
    return {
      diagnostics: [...warnings, ...findingsOn(results), ...objections],
      ...present({ report: hasReport ? report : undefined, reached: reachedIn(run, results, objections) }),
    };
  });
}

/** How far an apply came; at a question that was interrupted nothing was written. */
function reachedIn(run: Run, results: readonly AppliedServer[], objections: readonly Diagnostic[]) {
  if (objections.length > 0) return run.interruption.signal && { applied: [], notApplied: [], unknown: [] };
  return reachedBy(results.flatMap(({ value }) => value?.plan ?? []));
}

/** Whether a flag is wrong. */
function isMisuse(found: Diagnostic): boolean {
  const { severity, exit } = explain(found);
  return severity === 'error' && exit === CONFIGURATION;
}

/** Nobody can be asked: a saved plan is shown, so that it can be reviewed here. */
function unconfirmed(saved: Document | undefined, { full }: Options): CommandResult {
  const diagnostics = [diagnostic('needs-confirmation', {})];
  if (saved === undefined) return { diagnostics };
  const document = { ...saved, command: 'apply' } as const;
  return { diagnostics, report: { kind: 'document', document, shown: { full: full === true } } };
}

/** Reads a saved plan; refuses flags that would choose again what it has chosen. */
async function readReviewed(run: Run, path: string, options: Options): Promise<Document> {
  if (/\.ya?ml$/i.test(path))
    failUsage(
      'apply takes a saved plan as its argument, not a file of configuration.',
      `Name the configuration with -f: setpoint apply -f ${path}`,
    );
  const given = (['base', 'writeHidden', 'only'] as const).filter((name) => options[name] !== undefined);
  if (given.length > 0)
    failUsage(
      `${given.map((each) => flagNamed(each).typed).join(', ')} cannot be combined with a saved plan, which has already made this choice.`,
      'Pass it to setpoint plan, and save that plan.',
    );
  return readSaved(run, path, decodeSavedPlan);
}
