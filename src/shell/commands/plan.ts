import { diagnostic } from '../../core/findings/diagnostic.ts';
import { lacksFingerprints } from '../../core/plan/fingerprint.ts';
import { manyChanges } from '../../core/plan/guard.ts';
import { hasChanges } from '../../core/plan/plan.ts';
import { type PlanningOptions, planLive, prepare, unmetChoices } from '../reconcile/planning.ts';
import { reportTargets } from '../report-target.ts';
import { type CommandResult, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';

interface PlanOptions extends PlanningOptions {
  readonly exitCode?: boolean | undefined;
  readonly showRequests?: boolean | undefined;
}

/** Shows how servers differ from their configuration. It cannot write: its transport refuses every write. */
export function plan(paths: readonly string[], flags: PlanOptions, runtime: Runtime): Promise<number> {
  return runCommand(flags, runtime, async (run): Promise<CommandResult> => {
    const options = { ...flags, file: [...paths, ...(flags.file ?? [])] };
    const { servers, warnings } = await prepare(run, options);
    const results = await onServers(run, { ...options, mode: 'read' }, servers, (open, server) =>
      planLive(run, open, server),
    );
    const plans = results.flatMap(({ value }) => value?.plan ?? []);
    const isComplete = plans.length === servers.length;
    const canBeApplied =
      isComplete && reportTargets(options.report ?? []).some(({ format }) => format === 'json');
    return {
      diagnostics: [
        ...warnings,
        ...findingsOn(results),
        ...manyChanges(plans),
        ...(canBeApplied && plans.some(lacksFingerprints)
          ? [diagnostic('secrets-by-reference', { command: 'plan' })]
          : []),
        ...unmetChoices(options, plans),
      ],
      report: {
        kind: 'plan',
        servers: plans,
        isComplete,
        showRequests: options.showRequests ?? false,
      },
      differs: options.exitCode === true && plans.some(hasChanges),
    };
  });
}
