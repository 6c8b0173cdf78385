import { type Diagnostic, diagnostic, onServer } from '../../core/findings/diagnostic.ts';
import { explain } from '../../core/findings/explain.ts';
import { reachedBy } from '../../core/plan/judge.ts';
import { isNothingPlanned, leftOut } from '../../core/plan/left-out.ts';
import { shownPlan } from '../../core/plan/plan.ts';
import { refusals } from '../../core/plan/refusals.ts';
import { unmetChoices } from '../../core/plan/write-choice.ts';
import { failUsage } from '../failure.ts';
import { applyPlan, type WriteOptions } from '../reconcile/apply.ts';
import { watchingErrors } from '../reconcile/error-watch.ts';
import { Gate } from '../reconcile/gate.ts';
import { governed } from '../reconcile/governing.ts';
import { type ConsentOptions, decide } from '../reconcile/objections.ts';
import { type LivePlan, planLive } from '../reconcile/planning.ts';
import { namesOf, type PlanningOptions, type Preparation, prepare } from '../reconcile/preparation.ts';
import { narrowed, prepareAgain } from '../reconcile/reviewed.ts';
import { type CommandResult, type Run, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';
import { type ReadPlan, readSavedPlan } from '../sources/saved-plan.ts';

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
    if (options.yes !== true && !runtime.canAsk) return unconfirmed(run, saved, options);
    const reviewed = saved?.plans;
    const { servers, warnings } = await (reviewed === undefined
      ? prepare(run, options)
      : prepareAgain(run, reviewed, options));
    const gate = gateFor(run, options, { servers, warnings });
    const sessions = { ...options, mode: 'write', onFailure: () => gate.miss() } as const;
    const results = await onServers(run, sessions, servers, (open, server) =>
      watchingErrors(run, open.api, options, async (watch) => {
        const readAt = run.runtime.now();
        const planning = planLive(run, open, server, reviewed?.get(server.name));
        // A person takes time to answer: then the errors are read after that.
        if (options.yes === true) watch.begin();
        const whole = await planning;
        const planned = reviewed === undefined ? whole : narrowed(whole, reviewed.get(server.name));
        const { objections } = await gate.pass(planned);
        if (objections.length > 0) return planned;
        return applyPlan(run, open.api, planned, { ...options, readAt }, watch);
      }),
    );
    const { plans, diagnostics: left } = leftOut(results.flatMap(({ value }) => value?.plan ?? []));
    const { objections, isSeen } = await gate.decision;
    const diagnostics = [...warnings, ...findingsOn(results), ...left, ...objections];
    if (objections.some(isMisuse) || isNothingPlanned(plans))
      return { diagnostics, report: { kind: 'none' } };
    return {
      diagnostics,
      report: {
        kind: 'changes',
        command: 'apply',
        servers: plans,
        isComplete: plans.length === servers.length,
        shown: { full: options.full ?? false, outcomes: isSeen },
      },
      reached: reachedBy(plans),
    };
  });
}

/** Where all servers wait for one decision, with all that is known by then. */
function gateFor(run: Run, options: ApplyOptions, { servers, warnings }: Preparation) {
  return new Gate(servers.length, (planned: readonly LivePlan[], missing) => {
    const choices = unmetChoices(options, namesOf(servers), planned);
    const unmet = choices.filter(isMisuse);
    run.notices.push(...choices.filter((found) => !unmet.includes(found)));
    const findings = [...warnings, ...run.notices, ...findingsIn(planned)];
    return decide(run, options, planned, { missing, findings, unmet });
  });
}

/** Whether a flag is wrong: a plan beside that would look like what was asked for. */
function isMisuse(found: Diagnostic): boolean {
  const { severity, exit } = explain(found);
  return severity === 'error' && exit === 'configuration';
}

/** What was found about the plans, with the name of the server if there are several. */
function findingsIn(planned: readonly LivePlan[]): Diagnostic[] {
  return planned.flatMap(({ plan, diagnostics }) =>
    diagnostics.map((found) => (planned.length > 1 ? onServer(found, plan.name) : found)),
  );
}

/** Nobody can be asked: a saved plan is shown, so that it can be reviewed here. */
async function unconfirmed(
  run: Run,
  saved: ReadPlan | undefined,
  options: ApplyOptions,
): Promise<CommandResult> {
  const { full = false } = options;
  const servers = [...(saved?.plans.values() ?? [])].map(shownPlan);
  const sized = (await governed(run, servers)).map((plan) => ({ plan, size: plan }));
  const refused = refusals(sized, options, 'plan');
  return {
    diagnostics: [...(saved?.diagnostics ?? []), ...refused, diagnostic('needs-confirmation', {})],
    report:
      saved === undefined
        ? { kind: 'none' }
        : { kind: 'changes', command: 'apply', servers, isComplete: true, shown: { full } },
  };
}

/** Reads a saved plan; refuses flags that would choose again what it has chosen. */
async function readReviewed(
  run: Run,
  path: string,
  { base, writeHidden, only }: ApplyOptions,
): Promise<ReadPlan> {
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
