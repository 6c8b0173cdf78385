import { count } from '../../findings/words.ts';
import { forTerminal } from '../escape.ts';
import { type Paint, PLAIN } from '../paint.ts';
import type { AcceptReport } from '../report.ts';

type AcceptedFile = AcceptReport['files'][number];

/** The edits of files as a unified diff, and what they come to. A person who has seen the diff is told the rest. Ends with a newline. */
export function renderAcceptance(report: AcceptReport, paint: Paint = PLAIN): string {
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
