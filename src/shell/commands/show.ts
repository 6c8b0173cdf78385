import { type CommandResult, type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { readSavedReport } from '../sources/saved-plan.ts';

interface ShowOptions extends RunOptions {
  readonly full?: boolean | undefined;
}

/** Shows a saved document again, in any format. */
export function show(
  path: string,
  { full = false, ...options }: ShowOptions,
  runtime: Runtime,
): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    const { document, diagnostics } = await readSavedReport(run, path);
    return { diagnostics, report: { kind: 'document', document, shown: { full } } };
  });
}
