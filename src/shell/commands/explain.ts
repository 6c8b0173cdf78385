import { FINDINGS } from '../../core/findings/diagnostic.ts';
import { type FindingHelp, findingHelp } from '../../core/findings/explain.ts';
import { RISK_NAMES } from '../../core/plan/risk.ts';
import { linesReport, type View } from '../../core/report/report.ts';
import { filled, paragraphs } from '../../core/report/text/spans.ts';
import { failWord } from '../failure.ts';
import type { CommandBody } from '../run.ts';

/** Explains a finding and what to do about it. */
export const explain: CommandBody = async (_run, [word = '']) => {
  // Plans show people the names of risks, of which one finding tells all.
  const isRisk = RISK_NAMES.some((risk) => risk === word);
  const finding =
    findingHelp(word) ?? findingHelp(isRisk ? 'risk-refused' : '');
  if (finding === undefined) {
    const known = [...Object.keys(FINDINGS), ...RISK_NAMES];
    return failWord('No finding has the code', word, known, 'Codes');
  }
  const findings = [finding];
  const report = linesReport({ findings }, (_, view) => textOf(finding, view));
  return { diagnostics: [], report };
};

function textOf(finding: FindingHelp, view: View): string {
  const { code, title, message, why, hint, severity, exit } = finding;
  // As far as they do not depend on its facts.
  const weight =
    exit === undefined ? severity : `${severity}, exit code ${exit}`;
  const heading = `${code}: ${title}${weight ? ` (${weight})` : ''}`;
  const blocks = [wrapped(heading, view).map(view.paint.strong)];
  for (const text of [message, why, hint]) {
    if (text) blocks.push(wrapped(text, view));
  }
  return paragraphs(blocks);
}

/** Wraps the lines of a text, except indented ones. */
function wrapped(text: string, { width }: View): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith(' ')) lines.push(line);
    else lines.push(...filled(line, Math.min(80, width)));
  }
  return lines;
}
