import type { Example } from '../../findings/explained/example.ts';
import type { CodeHelp } from '../../findings/explained/help.ts';
import { grouped } from '../../model/grouped.ts';
import { visible } from '../escape.ts';
import type { View } from '../report.ts';
import { wrapWords } from '../wrap.ts';

/** The widest that explanations are: longer lines are hard to read. */
const WIDEST = 80;

/** What there is to say about one code, or a list of all. Ends with a newline. */
export function renderExplanations(findings: readonly CodeHelp[], { paint, ...view }: Shown): string {
  const width = Math.min(WIDEST, view.width);
  const [one, ...others] = findings;
  return one !== undefined && others.length === 0
    ? renderOne(one, { paint, width })
    : renderList(findings, { paint, width });
}

type Shown = Pick<View, 'paint' | 'width'>;

function renderOne(help: CodeHelp, { paint, width }: Shown): string {
  const { code, title, explanation, hint, wrong, right } = help;
  const paragraph = (text: string) => [...wrapWords(visible(text).split(' '), width), ''];
  const heading = (text: string) => [...wrapWords(text.split(' '), width).map(paint.strong), ''];
  return [
    ...heading(`${code}: ${title}${weightOf(help)}`),
    ...paragraph(explanation),
    ...(hint === undefined ? [] : paragraph(hint)),
    ...(wrong === undefined ? [] : [...heading('Wrong'), ...exampleLines(wrong, {})]),
    ...(right === undefined ? [] : [...heading('Right'), ...exampleLines(right, wrong?.files ?? {})]),
  ].join('\n');
}

/** How severe a finding is, and the exit code that it leads to, in brackets; nothing of what is no finding. */
export function weightOf({ severity, exit }: Pick<CodeHelp, 'severity' | 'exit'>): string {
  if (severity === undefined) return '';
  return exit === undefined ? ` (${severity})` : ` (${severity}, exit code ${exit})`;
}

/** The files of an example that are not as those before, as pairs of path and text. */
export function newFiles({ files }: Example, before: Example['files']): [path: string, text: string][] {
  return Object.entries(files).filter(([path, text]) => before[path] !== text);
}

function exampleLines(example: Example, before: Example['files']): string[] {
  const { situation, commands } = example;
  const indented = (lines: readonly string[], by: string) => lines.map((line) => `${by}${visible(line)}`);
  return [
    ...(situation === undefined ? [] : [...indented([situation], '  '), '']),
    ...newFiles(example, before).flatMap(([path, text]) => [
      `  ${path}`,
      ...indented(text.trimEnd().split('\n'), '    '),
      '',
    ]),
    ...commands.flatMap((command) => {
      const [first = '', ...rest] = command.split('\n');
      return [...indented([first], '  $ '), ...indented(rest, '    ')];
    }),
    '',
  ];
}

function renderList(findings: readonly CodeHelp[], { paint, width }: Shown): string {
  const widest = Math.max(...findings.map(({ code }) => code.length));
  const groups = [...grouped(findings, ({ group }) => group)].flatMap(([group, members]) => [
    paint.strong(group),
    '',
    ...members.flatMap(({ code, title }) => {
      const [first = '', ...rest] = wrapWords(title.split(' '), width - widest - 4);
      const space = ' '.repeat(widest + 4);
      return [`  ${code.padEnd(widest)}  ${first}`, ...rest.map((line) => `${space}${line}`)];
    }),
    '',
  ]);
  return [...groups, 'See setpoint explain CODE for what one means, with examples.', ''].join('\n');
}
