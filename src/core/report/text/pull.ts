import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';
import { namesIn, wrapWords } from '../wrap.ts';

/** What a pull wrote, and what is left to do. */
export interface Pulled {
  /** The paths of all written files, from the working folder. */
  readonly files: readonly { readonly path: string }[];
  /** The folder of the new entries. */
  readonly into: string;
  /** How many integrations have new entries, and how many had some before. */
  readonly adopted: number;
  readonly managed: number;
  /** The variables that the new entries read, and whether the server shows their values. */
  readonly variables: readonly {
    readonly variable: string;
    readonly address: string;
    readonly isShown: boolean;
  }[];
  /** The file that names them. */
  readonly example?: string;
  /** The new file of secrets, and how many are in it. */
  readonly secrets?: { readonly path: string; readonly count: number };
  readonly leftOut: readonly { readonly address: string; readonly reason: string }[];
  readonly notInstalled: readonly { readonly name: string }[];
  /** What to do next, each in a line: words, or a command. */
  readonly next: readonly { readonly text: string; readonly isCommand: boolean }[];
}

/** What a pull wrote: counts, what needs a hand, and what comes next. Ends with a newline. */
export function renderPull(
  pulled: Pulled & { readonly name: string },
  { paint, width }: Pick<View, 'paint' | 'width'>,
): string {
  const filled = (text: string) => wrapWords(forTerminal(text).split(' '), width);
  const named = (names: readonly string[]) =>
    namesIn(names.map(forTerminal), width - 2).map((line) => `  ${line}`);
  const hanging = (text: string) =>
    wrapWords(forTerminal(text).split(' '), width - 4).map(
      (line, at) => `${at === 0 ? '  ' : '    '}${line}`,
    );
  const hidden = pulled.variables.filter(({ isShown }) => !isShown).map(({ variable }) => variable);
  const steps = pulled.next.flatMap(({ text, isCommand }) =>
    isCommand ? [`  ${forTerminal(text)}`] : filled(text),
  );
  return [
    filled(headText(pulled)),
    [...secretTexts(pulled).flatMap(filled), ...under('The server does not show:', named(hidden))],
    under('Left out:', leftOutTexts(pulled).flatMap(hanging)),
    under('Declared, but no longer installed:', named(pulled.notInstalled.map(({ name }) => name))),
    under(paint.strong('Next:'), steps),
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

/** Lines below a title; nothing if there are none. */
function under(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function headText({ name, adopted, managed, files, into }: Pulled & { name: string }): string {
  const made = files.length === 0 ? '' : ` (${count(files.length, 'file')})`;
  const some = `Pulled ${count(adopted, 'integration')} of ${name} into ${into}`;
  const are = managed === 1 ? 'is' : 'are';
  const others = managed === 0 ? '' : ` ${count(managed, 'integration')} ${are} managed already.`;
  return `${adopted === 0 ? `Nothing new on ${name}` : some}${made}.${others}`;
}

function secretTexts({ variables, example, secrets }: Pulled): string[] {
  return [
    ...(variables.length === 0
      ? []
      : [`The new entries need ${count(variables.length, 'secret')}, listed in ${example}.`]),
    ...(secrets === undefined ? [] : [`Wrote ${count(secrets.count, 'secret')} to ${secrets.path}.`]),
  ];
}

/** How many addresses are named for each reason. */
const NAMED = 3;

function leftOutTexts({ leftOut }: Pulled): string[] {
  return [...grouped(leftOut, ({ reason }) => reason)].map(
    ([reason, all]) =>
      `${reason}: ${listed(
        all.map(({ address }) => address),
        NAMED,
      )}`,
  );
}
