import type { AcceptedFile } from '../../accept/accept.ts';
import { count } from '../../findings/words.ts';
import { forTerminal } from '../escape.ts';
import { type Paint, PLAIN } from '../paint.ts';

/** The differences that were taken back into files, or would be. */
export interface AcceptReport {
  readonly servers: readonly { readonly name: string; readonly url: string }[];
  readonly files: readonly Pick<AcceptedFile, 'path' | 'isNew' | 'diff' | 'fields'>[];
  readonly isWritten: boolean;
  /** Whether a person has seen the edits before a question. */
  readonly isSeen: boolean;
}

/** The edits of files as a unified diff, and what they come to. A person who has seen the diff is told the rest. Ends with a newline. */
export function renderAcceptance(report: AcceptReport, { paint }: { readonly paint: Paint }): string {
  const { files, isSeen } = report;
  const diffs = isSeen ? [] : files.map((file) => `${diffLines(file.diff, paint, file).join('\n')}\n\n`);
  return `${diffs.join('')}${acceptanceSummary(report)}.\n`;
}

/** How many differences were taken back, into how many files. */
export function acceptanceSummary({ files, isWritten }: Pick<AcceptReport, 'files' | 'isWritten'>): string {
  if (files.length === 0) return 'Nothing was taken back';
  const fields = files.reduce((sum, file) => sum + file.fields.length, 0);
  const what = `${count(fields, 'difference')} in ${count(files.length, 'file')}`;
  return isWritten ? `Taken back: ${what}` : `To be taken back: ${what}`;
}

const MARKS = { add: '+', remove: '-', context: ' ', hunk: '', open: '\\ ' } as const;

/** The lines of a unified diff, with the names of its file. */
export function diffLines(
  diff: AcceptedFile['diff'],
  paint: Paint = PLAIN,
  file?: Pick<AcceptedFile, 'path' | 'isNew'>,
): string[] {
  const paints = { ...paint, context: PLAIN.faint, hunk: paint.note, open: paint.faint };
  const names =
    file === undefined
      ? []
      : [file.isNew ? '--- /dev/null' : `--- a/${forTerminal(file.path)}`, `+++ b/${forTerminal(file.path)}`];
  return [
    ...names.map(paint.strong),
    ...diff.map(({ kind, text }) => paints[kind](`${MARKS[kind]}${forTerminal(text)}`)),
  ];
}

/** The fields of its JSON. */
export function acceptanceFields({ isWritten, files, servers }: AcceptReport): object {
  const shown = files.map(({ path, isNew, diff, fields }) => ({
    path,
    isNew,
    fields,
    diff: diffLines(diff),
  }));
  return { isWritten, files: shown, servers };
}
