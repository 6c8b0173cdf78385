import type { AcceptedFile } from '../../accept/accept.ts';
import { count } from '../../findings/words.ts';
import { valueText } from '../change-words.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';

/** The values that `accept` edits. */
export interface AcceptReport {
  readonly servers: readonly { readonly name: string; readonly url: string }[];
  readonly files: readonly Pick<AcceptedFile, 'path' | 'fields'>[];
  readonly isWritten: boolean;
  /** Whether a person has seen the edits before a question. */
  readonly isSeen: boolean;
}

/** A line for each edit, and their count. Ends with a newline. */
export function renderAcceptance({ files, isSeen, isWritten }: AcceptReport, { paint }: View): string {
  const fields = files.flatMap((file) => file.fields);
  const lines = fields.map(({ place, address, desired, live }) => {
    const at = paint.faint(forTerminal(`${place.file}:${place.line}`));
    const [before = '', after = ''] = [desired, live].map((value) => forTerminal(valueText(value)));
    return `${at} ${forTerminal(address)} ${paint.remove(before)} -> ${paint.add(after)}\n`;
  });
  const edits = `${count(fields.length, 'field')} in ${count(files.length, 'file')}`;
  const sum = fields.length === 0 ? 'Nothing accepted' : `${isWritten ? 'Accepted' : 'To accept'}: ${edits}`;
  return `${isSeen ? '' : lines.join('')}${sum}.\n`;
}

/** The fields of its JSON. */
export function acceptanceFields({ isWritten, files, servers }: AcceptReport): object {
  const fields = files.flatMap((file) => file.fields);
  const edits = fields.map(({ server, address, place, desired, live }) => ({
    ...{ server, address, place, before: desired, after: live },
  }));
  return { isWritten, edits, servers };
}
