import { present } from '../../core/model/present.ts';
import { shownPlan } from '../../core/plan/plan.ts';
import { refusals } from '../../core/plan/refusals.ts';
import { type CommandResult, type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { readSavedReport } from '../sources/saved-plan.ts';

interface ShowOptions extends RunOptions {
  readonly full?: boolean | undefined;
}

/** Shows a saved plan again with what was found when it was made, or what became of it, in any format. */
export function show(
  path: string,
  { full = false, ...options }: ShowOptions,
  runtime: Runtime,
): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const { servers: saved, diagnostics, ...about } = await readSavedReport(run, path);
    const servers = saved.map(shownPlan);
    const { isComplete, isApply, folder } = about;
    const refused = isApply ? [] : refusals(servers, {}, 'plan');
    return {
      diagnostics: [...diagnostics, ...refused],
      report: { kind: 'plan', servers, isComplete, isApply, ...present({ folder }), shown: { full } },
    };
  });
}
