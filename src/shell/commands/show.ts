import { shownPlan } from '../../core/plan/plan.ts';
import { refusals } from '../reconcile/objections.ts';
import { type CommandResult, type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { readSavedPlan } from '../sources/saved-plan.ts';

interface ShowOptions extends RunOptions {
  readonly full?: boolean | undefined;
}

/** Shows a saved plan again, in any format. */
export function show(
  path: string,
  { full = false, ...options }: ShowOptions,
  runtime: Runtime,
): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const saved = await readSavedPlan(run, path);
    const servers = [...saved.values()].map(shownPlan);
    const refused = refusals(
      servers.map((plan) => ({ plan, size: plan })),
      {},
      {},
      'plan',
    );
    return { diagnostics: refused, report: { kind: 'plan', servers, isComplete: true, shown: { full } } };
  });
}
