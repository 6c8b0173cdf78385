import { FINDINGS } from '../../core/findings/diagnostic.ts';
import { findingHelp } from '../../core/findings/explain.ts';
import { didYouMean } from '../../core/findings/words.ts';
import { isPlainKey } from '../../core/model/secrecy.ts';
import { linesReport, type View } from '../../core/report/report.ts';
import { filled, paragraphs } from '../../core/report/wrap.ts';
import { failUsage } from '../failure.ts';
import type { CommandBody } from '../run.ts';

const CODES = Object.keys(FINDINGS);

/** Explains a finding and what to do about it; lists all without a code. */
export const explain: CommandBody = async (_run, _options, [code]) => {
  const findings =
    code === undefined
      ? CODES.flatMap((each) => findingHelp(each) ?? [])
      : [known(code)];
  return { diagnostics: [], report: linesReport({ findings }, textOf) };
};

function known(word: string) {
  const help = findingHelp(word);
  if (help !== undefined) return help;
  const problem = isPlainKey(word)
    ? `No finding has the code ${word}.`
    : 'No finding has this code.';
  return failUsage(
    problem,
    didYouMean(word, CODES) ?? 'Run setpoint explain to list all codes.',
  );
}

/** One code in full, or the titles of several. */
function textOf(
  { findings }: { readonly findings: readonly ReturnType<typeof known>[] },
  { paint, width }: View,
): string {
  const [one, ...others] = findings;
  if (one === undefined || others.length > 0) {
    const widest = Math.max(...findings.map(({ code }) => code.length));
    const rows = findings.map(
      ({ code, title }) => `${code.padEnd(widest)}  ${title}`,
    );
    return paragraphs([rows, ['setpoint explain CODE says more about one.']]);
  }
  const wrapped = (text: string) =>
    text
      .split('\n')
      .flatMap((line) =>
        line.startsWith(' ') ? line : filled(line, Math.min(80, width)),
      );
  const { code, title, severity, exit, message, why, hint } = one;
  const weight =
    exit === undefined ? severity : `${severity}, exit code ${exit}`;
  const heading = wrapped(
    `${code}: ${title}${weight ? ` (${weight})` : ''}`,
  ).map(paint.strong);
  return paragraphs([
    heading,
    ...[message, why, hint].flatMap((text) => (text ? [wrapped(text)] : [])),
  ]);
}
