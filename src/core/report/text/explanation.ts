import { type findingHelp, weightText } from '../../findings/explain.ts';
import type { View } from '../report.ts';
import { filled } from '../wrap.ts';

type FindingHelp = ReturnType<typeof findingHelp>;

/** Renders one code in full, or the titles of several. Ends with a newline. */
export function renderExplanations(findings: readonly FindingHelp[], view: View): string {
  const [one, ...others] = findings;
  if (one !== undefined && others.length === 0) return explanationOf(one, view);
  const widest = Math.max(...findings.map(({ code }) => code.length));
  const rows = findings.map(({ code, title }) => `${code.padEnd(widest)}  ${title}`);
  return [...rows, '', 'setpoint explain CODE says more about one.', ''].join('\n');
}

function explanationOf(help: FindingHelp, { paint, width }: View): string {
  const { code, title, message, why, hint } = help;
  const wrapped = (line: string) => filled(line, Math.min(80, width));
  const heading = wrapped(`${code}: ${title}${weightText(help)}`).map(paint.strong);
  const paragraphs = [message, why, hint].flatMap((text) => text ?? []);
  const lines = paragraphs.map((text) =>
    text.split('\n').flatMap((line) => (line.startsWith(' ') ? [line] : wrapped(line))),
  );
  return `${[heading, ...lines].map((each) => each.join('\n')).join('\n\n')}\n`;
}
