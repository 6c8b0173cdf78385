import { FINDINGS } from '../../core/findings/diagnostic.ts';
import { type FindingHelp, findingHelp } from '../../core/findings/explain.ts';
import { didYouMean } from '../../core/findings/words.ts';
import { isPlainKey } from '../../core/model/secrecy.ts';
import { RISK_NAMES } from '../../core/plan/risk.ts';
import { linesReport, type View } from '../../core/report/report.ts';
import { filled, paragraphs } from '../../core/report/wrap.ts';
import { failUsage } from '../failure.ts';
import type { CommandBody } from '../run.ts';

const CODES = Object.keys(FINDINGS);

/** Explains a finding and what to do about it; lists all without a code. */
export const explain: CommandBody = async (_run, _options, [code]) => {
  const findings = code === undefined ? CODES.map(helpOf) : [helpOf(code)];
  return { diagnostics: [], report: linesReport({ findings }, textOf) };
};

function helpOf(word: string): FindingHelp {
  // Plans show people the names of risks, of which one finding tells all.
  const isRisk = RISK_NAMES.some((risk) => risk === word);
  const help = findingHelp(word) ?? findingHelp(isRisk ? 'risk-refused' : '');
  if (help !== undefined) return help;
  const problem = isPlainKey(word)
    ? `No finding has the code ${word}.`
    : 'No finding has this code.';
  const near = didYouMean(word, [...CODES, ...RISK_NAMES]);
  return failUsage(problem, near ?? 'Run setpoint explain to list all codes.');
}

/** Shows one code in full, or the titles of several. */
function textOf(
  { findings }: { readonly findings: readonly FindingHelp[] },
  view: View,
): string {
  const [finding, ...others] = findings;
  if (finding === undefined || others.length > 0) return titlesOf(findings);
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

function titlesOf(findings: readonly FindingHelp[]): string {
  const widest = Math.max(...findings.map(({ code }) => code.length));
  const rows = findings.map(
    ({ code, title }) => `${code.padEnd(widest)}  ${title}`,
  );
  return paragraphs([rows, ['setpoint explain CODE says more about one.']]);
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
