import { type FindingHelp, weightText } from '../../findings/help.ts';
import { visible } from '../escape.ts';
import type { View } from '../report.ts';
import { wrapWords } from '../wrap.ts';

/** The widest that explanations are: longer lines are hard to read. */
const WIDEST = 80;

/** Renders one code in full, or a list of several. Ends with a newline. */
export function renderExplanations(findings: readonly FindingHelp[], view: Shown): string {
  const width = Math.min(WIDEST, view.width);
  const [one, ...others] = findings;
  return one !== undefined && others.length === 0
    ? renderOne(one, { ...view, width })
    : renderList(findings, width);
}

type Shown = Pick<View, 'paint' | 'width'>;

function renderOne(help: FindingHelp, { paint, width }: Shown): string {
  const { code, title, message, why, hint } = help;
  const heading = wrapWords(`${code}: ${title}${weightText(help)}`.split(' '), width).map(paint.strong);
  const paragraphs = [message, why, hint].flatMap((text) => text ?? []);
  const lines = paragraphs.map((text) =>
    text
      .split('\n')
      .flatMap((line) => (line.startsWith(' ') ? [line] : wrapWords(visible(line).split(' '), width))),
  );
  return `${[heading, ...lines].map((each) => each.join('\n')).join('\n\n')}\n`;
}

function renderList(findings: readonly FindingHelp[], width: number): string {
  const widest = Math.max(...findings.map(({ code }) => code.length));
  const rows = findings.flatMap(({ code, title }) => {
    const [first = '', ...rest] = wrapWords(title.split(' '), width - widest - 2);
    return [`${code.padEnd(widest)}  ${first}`, ...rest.map((line) => `${' '.repeat(widest + 2)}${line}`)];
  });
  return [...rows, '', 'setpoint explain CODE says what one means and what to do.', ''].join('\n');
}
