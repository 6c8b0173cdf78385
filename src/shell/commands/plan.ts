import { hasErrors } from '../../core/findings/explain.ts';
import { hasChanges, isNothingPlanned } from '../../core/plan/plan.ts';
import { refusals } from '../../core/plan/refusals.ts';
import { unmetChoices } from '../../core/plan/write-choice.ts';
import { Failure } from '../failure.ts';
import { planLive, planSnapshot } from '../reconcile/planning.ts';
import { namesOf, type PlanningOptions, prepare } from '../reconcile/preparation.ts';
import { type CommandResult, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';
import { onSnapshots } from '../servers/snapshots.ts';

interface PlanOptions extends PlanningOptions {
  readonly exitCode?: boolean | undefined;
  readonly full?: boolean | undefined;
  /** Whether warnings decide the exit code too. */
  readonly strict?: boolean | undefined;
}

/** Shows how servers differ from their configuration. It cannot write: its transport refuses every write. */
export function plan(paths: readonly string[], flags: PlanOptions, runtime: Runtime): Promise<number> {
  return runCommand(flags, runtime, async (run): Promise<CommandResult> => {
    const options = { ...flags, file: [...paths, ...(flags.file ?? [])] };
    const { servers, warnings } = await prepare(run, options);
    const isLive = options.live === undefined;
    const results = isLive
      ? await onServers(run, { ...options, mode: 'read' }, servers, (open, server) =>
          planLive(run, open, server),
        )
      : await onSnapshots(servers, (open, server) => planSnapshot(run, open, server));
    const planned = results.flatMap(({ value }) => value ?? []);
    const unmet = unmetChoices(options, namesOf(servers), planned);
    if (hasErrors(unmet)) throw new Failure([...warnings, ...findingsOn(results), ...unmet]);
    const plans = planned.map(({ plan: each }) => each);
    const isComplete = plans.length === servers.length;
    return {
      diagnostics: [...warnings, ...findingsOn(results), ...refusals(plans, {}, 'plan'), ...unmet],
      report: isNothingPlanned(plans)
        ? { kind: 'none' }
        : {
            kind: 'changes',
            command: 'plan',
            servers: plans,
            isComplete,
            shown: { full: options.full ?? false },
          },
      isStrict: options.strict === true,
      differs: options.exitCode === true && plans.some(hasChanges),
    };
  });
}
