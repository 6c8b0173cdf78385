import { shownPlan } from '../../core/plan/plan.ts';
import { governed } from '../reconcile/governing.ts';
import { refusals } from '../reconcile/objections.ts';
import { type CommandResult, type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { readSavedPlan } from '../sources/saved-plan.ts';

interface ShowOptions extends RunOptions {
  readonly full?: boolean | undefined;
}

/** Shows a saved plan again with what was found when it was made, in any format. */
export function show(
  path: string,
  { full = false, ...options }: ShowOptions,
  runtime: Runtime,
): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const { plans, diagnostics } = await readSavedPlan(run, path);
    const servers = [...plans.values()].map(shownPlan);
    const refused = refusals(
      (await governed(run, servers)).map((plan) => ({ plan, size: plan })),
      {},
      'plan',
    );
    return {
      diagnostics: [...diagnostics, ...refused],
      report: { kind: 'plan', servers, isComplete: true, shown: { full } },
    };
  });
}
