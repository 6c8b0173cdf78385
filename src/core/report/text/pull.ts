import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';
import { filled } from '../wrap.ts';

/** The result of a pull, and the next steps. */
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

/** The files and secrets of a pull, what is left out, and the next steps. Ends with a newline. */
export function renderPull(
  pulled: Pulled & { readonly name: string },
  { paint, width }: Pick<View, 'paint' | 'width'>,
): string {
  const { example, leftOut, next, notInstalled, secrets, variables } = pulled;
  const wrapped = (text: string, indent = 0) => filled(forTerminal(text), width, indent);
  const under = (title: string, texts: readonly string[]) =>
    texts.length === 0 ? [] : [title, ...texts.flatMap((text) => wrapped(text, 2))];
  const named = (names: readonly string[]) => (names.length === 0 ? [] : [listed(names)]);
  const hidden = variables.flatMap(({ isShown, variable }) => (isShown ? [] : variable));
  const reasons = [...grouped(leftOut, ({ reason }) => reason)].map(
    ([reason, all]) =>
      `${reason}: ${listed(
        all.map(({ address }) => address),
        3,
      )}`,
  );
  const steps = next.map(({ text, isCommand }) => (isCommand ? [`  ${forTerminal(text)}`] : wrapped(text)));
  const needs = `The new entries need ${count(variables.length, 'secret')}, listed in ${example}.`;
  return [
    wrapped(headText(pulled)),
    [
      ...(variables.length === 0 ? [] : wrapped(needs)),
      ...(secrets === undefined
        ? []
        : wrapped(`Wrote ${count(secrets.count, 'secret')} to ${secrets.path}.`)),
      ...under('The server does not show:', named(hidden)),
    ],
    under('Left out:', reasons),
    under('Declared, but no longer installed:', named(notInstalled.map(({ name }) => name))),
    steps.length === 0 ? [] : [paint.strong('Next:'), ...steps.flat()],
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function headText({ name, adopted, managed, files, into }: Pulled & { name: string }): string {
  const made = files.length === 0 ? '' : ` (${count(files.length, 'file')})`;
  const pulled = `Pulled ${count(adopted, 'integration')} of ${name} into ${into}`;
  const are = managed === 1 ? 'is' : 'are';
  const others = managed === 0 ? '' : ` ${count(managed, 'integration')} ${are} managed already.`;
  return `${adopted === 0 ? `Nothing new on ${name}` : pulled}${made}.${others}`;
}
