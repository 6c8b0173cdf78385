import { FINDINGS, isCode } from '../../core/findings/diagnostic.ts';
import { findingHelp } from '../../core/findings/help.ts';
import { didYouMean } from '../../core/findings/words.ts';
import { isPlainKey } from '../../core/model/secrecy.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderExplanations } from '../../core/report/text/explanation.ts';
import { failUsage } from '../failure.ts';
import { type CommandResult, type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';

const CODES = Object.keys(FINDINGS).filter(isCode);

/** Explains a finding and what to do about it; lists all without a code. */
export function explain(code: string | undefined, options: RunOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (): Promise<CommandResult> => {
    const codes = code === undefined ? CODES : [known(code)];
    return {
      diagnostics: [],
      report: linesReport({ findings: codes.map(findingHelp) }, ({ findings }, view) =>
        renderExplanations(findings, view),
      ),
    };
  });
}

function known(word: string) {
  if (isCode(word)) return word;
  const problem = isPlainKey(word) ? `No finding has the code ${word}.` : 'No finding has this code.';
  return failUsage(problem, didYouMean(word, CODES) ?? 'Run setpoint explain to list all codes.');
}
