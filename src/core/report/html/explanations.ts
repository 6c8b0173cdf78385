import { compareText, type Diagnostic } from '../../findings/diagnostic.ts';
import type { Example } from '../../findings/explained/example.ts';
import { type CodeHelp, findingHelp } from '../../findings/explained/help.ts';
import { newFiles, weightOf } from '../text/explanation.ts';
import { type Child, element, type Markup } from './element.ts';

/** What the findings of a page mean, each code once, for the links of findings; nothing without findings. */
export function explanationsSection(findings: readonly Diagnostic[]): Markup[] {
  const codes = [...new Set(findings.map(({ code }) => code))].sort(compareText);
  if (codes.length === 0) return [];
  return [
    element(
      'section',
      {},
      element('h2', {}, 'What these findings mean'),
      codes.map((code) => explanation(findingHelp(code), false)),
    ),
  ];
}

/** What a link to the explanation of a code leads to. */
export function explanationAnchor(code: string): string {
  return `explain-${code}`;
}

/** A code explained, with its examples, as a block that opens. */
export function explanation(help: CodeHelp, isOpen: boolean): Markup {
  const { code, title, hint, wrong, right } = help;
  return element(
    'details',
    { class: 'explanation', id: explanationAnchor(code), open: isOpen },
    element('summary', {}, element('code', {}, code), element('span', {}, title), weight(help)),
    element('p', {}, help.explanation),
    hint === undefined ? [] : element('p', {}, hint),
    wrong === undefined ? [] : example('Wrong', wrong, {}),
    right === undefined ? [] : example('Right', right, wrong?.files ?? {}),
  );
}

function weight(help: CodeHelp): Markup {
  return element('small', {}, weightOf(help).slice(2, -1));
}

function example(title: string, shown: Example, before: Example['files']): Child {
  const { situation, commands } = shown;
  return [
    element('h3', {}, situation === undefined ? title : `${title}: ${situation}`),
    newFiles(shown, before).map(([path, text]) => [
      element('p', { class: 'hint' }, path),
      lines(text.trimEnd().split('\n')),
    ]),
    lines(commands.flatMap((command) => command.split('\n'))),
  ];
}

/** Lines as they are, which scroll where they are too long. */
export function lines(texts: readonly string[]): Markup {
  return element(
    'pre',
    {},
    texts.map((text) => element('code', {}, text)),
  );
}
