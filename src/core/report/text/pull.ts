import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import { visible } from '../escape.ts';
import type { View } from '../report.ts';
import { filled, paragraphs } from '../wrap.ts';

/** The result of a pull, and the next steps. */
interface Pulled {
  readonly name: string;
  readonly url: string;
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
  /** What to do next, each in a line: words, or a command. */
  readonly next: readonly { readonly text: string; readonly isCommand: boolean }[];
}

/** The files and secrets of a pull, what is left out, and the next steps. */
export function renderPull(pulled: Pulled, { paint, width }: View): string {
  const { name, into, adopted, managed, files, leftOut, next, secrets, variables } = pulled;
  const wrapped = (text: string, indent = 0) => filled(visible(text), width, indent);
  const under = (title: string, texts: readonly string[]) =>
    texts.length === 0 ? [] : [title, ...texts.flatMap((text) => wrapped(text, 2))];
  const made = `Pulled ${count(adopted, 'integration')} of ${name} into ${into} (${count(files.length, 'file')}).`;
  const before = `${count(managed, 'integration is', 'integrations are')} managed already.`;
  const reasons = [...grouped(leftOut, ({ reason }) => reason)].map(([reason, all]) => {
    const addresses = all.map(({ address }) => address);
    return `${reason}: ${listed(addresses, 3)}`;
  });
  const needed = `The new entries need ${count(variables.length, 'secret')}, listed in ${pulled.example}.`;
  const hidden = variables.flatMap(({ isShown, variable }) => (isShown ? [] : variable));
  const steps = next.flatMap(({ text, isCommand }) => (isCommand ? `  ${visible(text)}` : wrapped(text)));
  return paragraphs([
    wrapped(`${adopted === 0 ? `Nothing new on ${name}.` : made}${managed === 0 ? '' : ` ${before}`}`),
    [
      ...(variables.length === 0 ? [] : wrapped(needed)),
      ...(secrets ? wrapped(`Wrote ${count(secrets.count, 'secret')} to ${secrets.path}.`) : []),
      ...under('The server does not show:', hidden.length === 0 ? [] : [listed(hidden)]),
    ],
    under('Left out:', reasons),
    steps.length === 0 ? [] : [paint.strong('Next:'), ...steps],
  ]);
}
