import { FINDINGS } from '../../core/findings/diagnostic.ts';
import { findingHelp } from '../../core/findings/explain.ts';
import { didYouMean } from '../../core/findings/words.ts';
import { isPlainKey } from '../../core/model/secrecy.ts';
import { linesReport } from '../../core/report/report.ts';
import { renderExplanations } from '../../core/report/text/offline.ts';
import { failUsage } from '../failure.ts';
import type { CommandBody } from '../run.ts';

const CODES = Object.keys(FINDINGS);

/** Explains a finding and what to do about it; lists all without a code. */
export const explain: CommandBody = async (_run, _options, [code]) => {
  const findings = code === undefined ? CODES.flatMap((each) => findingHelp(each) ?? []) : [known(code)];
  const report = linesReport({ findings }, (shown, view) => renderExplanations(shown.findings, view));
  return { diagnostics: [], report };
};

function known(word: string) {
  const help = findingHelp(word);
  if (help !== undefined) return help;
  const problem = isPlainKey(word) ? `No finding has the code ${word}.` : 'No finding has this code.';
  return failUsage(problem, didYouMean(word, CODES) ?? 'Run setpoint explain to list all codes.');
}
