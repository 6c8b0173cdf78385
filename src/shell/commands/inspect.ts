import { distinct } from '../../core/findings/diagnostic.ts';
import { isCostlyGlob } from '../../core/model/glob.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderShown } from '../../core/report/text/show.ts';
import { show } from '../../core/show/show.ts';
import { failUsage } from '../failure.ts';
import { serversAtHand } from '../reconcile/at-hand.ts';
import type { ConfiguredOptions } from '../reconcile/configured.ts';
import { checkFormats, reportTargets } from '../report-target.ts';
import { type CommandResult, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { isSavedPlan } from '../sources/saved-plan.ts';

interface InspectOptions extends ConfiguredOptions {
  readonly uses?: readonly string[] | undefined;
  readonly full?: boolean | undefined;
}

/** Shows integrations and fields with where they come from, and what named values, variables and files feed. */
export function inspect(
  words: readonly string[],
  { uses = [], full = false, ...options }: InspectOptions,
  runtime: Runtime,
): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    checkFormats(reportTargets(options.report ?? []), undefined);
    await checkWords(words, uses, runtime.cwd);
    const { servers, leftOut, diagnostics } = await serversAtHand(run, options, words);
    const { value, diagnostics: found } = show(servers, { words, uses, leftOut });
    return {
      diagnostics: distinct([...diagnostics, ...found]),
      report: linesReport(value, (shown, view) => renderShown(shown, { ...view, full })),
    };
  });
}

/** Fails where nothing is asked for, or in a way that nothing can answer. */
async function checkWords(words: readonly string[], uses: readonly string[], cwd: string): Promise<void> {
  if (words.length + uses.length === 0)
    failUsage(
      'show needs an integration, an address or a saved plan.',
      'Write setpoint show NAME; list has all names.',
    );
  if (words.includes('')) failUsage('A name that is to be shown is empty.');
  if (words.some(isCostlyGlob)) failUsage('A glob that is to be shown has too many wildcards.');
  const plans = await Promise.all(words.map((word) => isSavedPlan(word, cwd)));
  if (plans.includes(true))
    failUsage('show takes a saved plan alone: no other name, configuration or server.');
}
