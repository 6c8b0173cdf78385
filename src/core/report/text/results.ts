import type { AcceptedFile } from '../../accept/accept.ts';
import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type { countsOf, Snapshot } from '../../snapshot/snapshot.ts';
import { valueText } from '../change.ts';
import { jsonDocument, visible } from '../escape.ts';
import type { View } from '../report.ts';
import { filled, paragraphs } from '../wrap.ts';

/** A line for each value that `accept` edits, and their count; only that if a person has seen the edits before a question. */
export function renderAcceptance(
  accepted: {
    readonly files: readonly Pick<AcceptedFile, 'fields'>[];
    readonly isWritten: boolean;
    readonly isSeen: boolean;
  },
  { paint }: View,
): string {
  const { files, isSeen, isWritten } = accepted;
  const fields = files.flatMap((file) => file.fields);
  const lines = fields.map(({ place, address, desired, live }) => {
    const at = paint.faint(visible(`${place.file}:${place.line}`));
    const [before = '', after = ''] = [desired, live].map((value) => visible(valueText(value)));
    return `${at} ${visible(address)} ${paint.remove(before)} -> ${paint.add(after)}\n`;
  });
  const edits = `${count(fields.length, 'field')} in ${count(files.length, 'file')}`;
  const sum = fields.length === 0 ? 'Nothing accepted' : `${isWritten ? 'Accepted' : 'To accept'}: ${edits}`;
  return `${isSeen ? '' : lines.join('')}${sum}.\n`;
}

/** The result of a pull, and the next steps. */
export interface Pulled {
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
  const reasons = [...grouped(leftOut, ({ reason }) => reason)].map(
    ([reason, all]) =>
      `${reason}: ${listed(
        all.map(({ address }) => address),
        3,
      )}`,
  );
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

/** The counts of a snapshot, or its document if that is to be printed. */
export function renderSnapshot(
  report: ReturnType<typeof countsOf> & {
    readonly name: string;
    readonly url: string;
    readonly takenAt: string;
    /** The file that it is in, and the command that plans against it; absent if it is printed. */
    readonly file?: string;
    readonly next?: string;
    readonly document?: Snapshot;
  },
  { width }: View,
): string {
  if (report.document !== undefined) return jsonDocument(report.document);
  const { name, url, takenAt, file, next, integrations, options, secrets, hidden } = report;
  const lines = [
    `Snapshot of ${name} (${url})${file === undefined ? '' : ` in ${file}`}, taken at ${takenAt}.`,
    `${count(integrations, 'integration')}, ${count(options, 'option')}. ${count(secrets, 'secret')} kept out.`,
    ...(hidden === 0 ? [] : [`${count(hidden, 'value is', 'values are')} hidden by the server.`]),
    ...(next === undefined ? [] : [`Plan against it: ${next}`]),
  ];
  return `${lines.flatMap((line) => filled(visible(line), width)).join('\n')}\n`;
}
