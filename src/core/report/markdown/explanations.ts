import { type Example, USUAL } from '../../findings/explained/example.ts';
import type { CodeHelp } from '../../findings/explained/help.ts';
import { grouped } from '../../model/grouped.ts';
import { visible } from '../escape.ts';
import { newFiles, weightOf } from '../text/explanation.ts';

/** A page of Markdown on all codes, by groups; each has its code as the anchor. Ends with a newline. */
export function findingsMarkdown(findings: readonly CodeHelp[]): string {
  const groups = [...grouped(findings, ({ group }) => group)];
  return [
    '# Findings',
    'What setpoint can find, what it means, and what to do. `setpoint explain CODE` prints the same for one code.',
    'The tests run the examples, against the sandbox where they need a server. This is the `integrations.yaml` of those that do not show it:',
    fenced('yaml', [USUAL.trimEnd()]),
    ...groups.flatMap(([group, members]) => [`## ${group}`, ...members.map(section)]),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function section(help: CodeHelp): string {
  return [`### ${help.code}`, explanationMarkdown(help)].join('\n\n');
}

/** All that is known of a code, without a heading and a newline at its end. */
export function explanationMarkdown(help: CodeHelp): string {
  const { title, explanation, hint, wrong, right, unproven } = help;
  return [
    `**${escaped(title)}**${weightOf(help)}`,
    [explanation, ...(hint === undefined ? [] : [hint])].map(escaped).join(' '),
    ...(wrong === undefined ? [] : example('Wrong', wrong, {})),
    ...(right === undefined ? [] : example('Right', right, wrong?.files ?? {})),
    ...(unproven === undefined ? [] : [`No test runs these examples. ${escaped(unproven)}`]),
  ].join('\n\n');
}

function example(name: string, shown: Example, before: Example['files']): string[] {
  const { situation, commands } = shown;
  return [
    situation === undefined ? `${name}:` : `${name}: ${escaped(situation)}`,
    ...newFiles(shown, before).flatMap(([path, text]) => [
      `\`${path}\`:`,
      fenced(path.endsWith('.yaml') ? 'yaml' : 'text', [text.trimEnd()]),
    ]),
    fenced('sh', commands),
  ];
}

/** A block of code. No example holds a fence. */
function fenced(language: string, lines: readonly string[]): string {
  const shown = lines.flatMap((line) => line.split('\n')).map(visible);
  return ['```'.concat(language), ...shown, '```'].join('\n');
}

/** Words without what Markdown would take for marks; GitHub reads dollars as mathematics. */
function escaped(text: string): string {
  return visible(text).replace(/[\\`*_<>[\]&$]/g, '\\$&');
}
