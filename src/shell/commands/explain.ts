import { didYouMean } from '../../core/findings/words.ts';
import { isPlainKey } from '../../core/model/secrecy.ts';
import { allCodeHelp, codeHelp } from '../../core/report/code-help.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderExplanations } from '../../core/report/text/explanation.ts';
import { failUsage } from '../failure.ts';
import { type CommandResult, type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';

/** Says what a finding means, with examples, or a kind of difference; without a code, lists all. */
export function explain(code: string | undefined, options: RunOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (): Promise<CommandResult> => {
    const findings = code === undefined ? allCodeHelp() : [known(code)];
    return { diagnostics: [], report: linesReport({ findings }, (all, view) => renderExplanations(all.findings, view)) };
  });
}

function known(word: string) {
  const codes = allCodeHelp().map(({ code }) => code);
  const hint = didYouMean(word, codes) ?? 'See setpoint explain for all codes.';
  const problem = isPlainKey(word) ? `No finding has the code ${word}.` : 'No finding has this code.';
  return codeHelp(word) ?? failUsage(problem, hint);
}
