import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';
import { namesIn, wrapWords } from '../wrap.ts';

/** What a pull wrote, and what is left to do. */
export interface Pulled {
  /** The paths of all new files, from the working folder. */
  readonly files: readonly { readonly path: string }[];
  /** The folder or file of the new entries. */
  readonly into: string;
  /** How many integrations have new entries, how many could not be written, and how many had some before. */
  readonly adopted: number;
  readonly unwritten: number;
  readonly managed: number;
  /** How many have nothing to declare. */
  readonly bare: number;
  /** The variables that the new entries read, and whether the server shows their values. */
  readonly variables: readonly {
    readonly variable: string;
    readonly address: string;
    readonly isShown: boolean;
  }[];
  /** The file that names them. */
  readonly example?: string;
  /** The file with those that the server shows, and the variables that it sets to another text. */
  readonly secrets?: { readonly path: string; readonly added: number; readonly stale: readonly string[] };
  readonly leftOut: readonly { readonly address: string; readonly reason: string }[];
  readonly notInstalled: readonly { readonly name: string }[];
  /** What to do next, each in a line: words, or a command. */
  readonly next: readonly { readonly text: string; readonly isCommand: boolean }[];
}

/** What a pull wrote, for a person: counts, what needs a hand, and what comes next. Ends with a newline. */
export function renderPull(
  pulled: Pulled & { readonly name: string },
  { paint, width }: Pick<View, 'paint' | 'width'>,
): string {
  const filled = (text: string) => wrapWords(forTerminal(text).split(' '), width);
  const hanging = (text: string) =>
    wrapWords(forTerminal(text).split(' '), width - 4).map(
      (line, at) => `${at === 0 ? '  ' : '    '}${line}`,
    );
  const named = (names: readonly string[]) =>
    namesIn(names.map(forTerminal), width - 2).map((line) => `  ${line}`);
  const steps = pulled.next.flatMap(({ text, isCommand }) =>
    isCommand ? [`  ${forTerminal(text)}`] : filled(text),
  );
  const stale = pulled.secrets?.stale ?? [];
  return [
    filled(headText(pulled)),
    [...secretsText(pulled).flatMap(filled), ...named(unshown(pulled))],
    [...(stale.length === 0 ? [] : filled(staleText(pulled))), ...named(stale)],
    under('Left out:', leftOutTexts(pulled).flatMap(hanging)),
    under('Declared, but no longer installed:', named(pulled.notInstalled.map(({ name }) => name))),
    under(paint.strong('Next:'), steps),
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

/** Lines below a title; nothing where there are none. */
function under(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function headText({
  name,
  adopted,
  unwritten,
  managed,
  bare,
  files,
  into,
}: Pulled & { name: string }): string {
  const others = [
    ...(unwritten === 0 ? [] : [`${number(unwritten)} not written.`]),
    ...(managed === 0 ? [] : [`${number(managed)} managed already.`]),
    ...(bare === 0 ? [] : [`${number(bare)} without anything to declare.`]),
  ];
  const made = files.length === 0 ? '' : ` (${count(files.length, 'new file')})`;
  const nothing = unwritten === 0 ? `Nothing new on ${name}` : `Pulled nothing of ${name}`;
  const some = `Pulled ${count(adopted, 'integration')} of ${name} into ${into}`;
  return [`${adopted === 0 ? nothing : some}${made}.`, ...others].join(' ');
}

function staleText({ secrets }: Pulled): string {
  const { path = '', stale = [] } = secrets ?? {};
  return `${count(stale.length, 'secret')} in ${path} ${stale.length === 1 ? 'is' : 'are'} not what the server shows:`;
}

function number(integrations: number): string {
  return `${count(integrations, 'integration')} ${integrations === 1 ? 'is' : 'are'}`;
}

function unshown({ variables, unwritten }: Pulled): string[] {
  return unwritten > 0 ? [] : variables.filter(({ isShown }) => !isShown).map(({ variable }) => variable);
}

/** How many secrets are needed and where they are; the names of those that the server does not show follow. */
function secretsText(pulled: Pulled): string[] {
  const { variables, example, secrets, unwritten } = pulled;
  const hidden = unshown(pulled).length;
  const added = `Wrote ${count(secrets?.added ?? 0, 'secret')} to ${secrets?.path}.`;
  const needed = `The new entries need ${count(variables.length, 'secret')}, listed in ${example}.`;
  const which = hidden < variables.length ? `${hidden} of them` : hidden === 1 ? 'it' : 'any of them';
  const all = `The server does not show ${which}:`;
  return [
    ...(variables.length === 0 || unwritten > 0 ? [] : [needed]),
    ...((secrets?.added ?? 0) === 0 ? [] : [added]),
    ...(hidden === 0 ? [] : [all]),
  ];
}

/** How many addresses are named for each reason. */
const NAMED = 3;

function leftOutTexts({ leftOut, unwritten }: Pulled): string[] {
  // What is not written is not left out of anything.
  if (unwritten > 0) return [];
  return [...grouped(leftOut, ({ reason }) => reason)].map(([reason, all]) => {
    const addresses = all.map(({ address }) => address);
    return `${reason}: ${listed(addresses, NAMED)}`;
  });
}
