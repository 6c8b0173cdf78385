import { count } from '../../findings/words.ts';
import type { SnapshotCounts } from '../../snapshot/counts.ts';
import type { Snapshot } from '../../snapshot/document.ts';
import { forTerminal } from '../escape.ts';
import { jsonDocument } from '../escape-sinks.ts';
import type { View } from '../report.ts';
import { wrapWords } from '../wrap.ts';

/** What a snapshot holds; with its document, where text is to be that. */
export interface SnapshotReport extends SnapshotCounts {
  readonly name: string;
  readonly url: string;
  readonly takenAt: string;
  /** The file that it is in, and the command that plans against it; absent where it is printed. */
  readonly file?: string;
  readonly next?: string;
  readonly document?: Snapshot;
}

/** What a snapshot holds, for a person; its document if that is to be printed. */
export function renderSnapshot(report: SnapshotReport, { width }: View): string {
  if (report.document !== undefined) return jsonDocument(report.document);
  const lines = snapshotLines(report).flatMap((line) => wrapWords(line.split(' '), width));
  return `${lines.join('\n')}\n`;
}

/** The fields of its JSON. */
export function snapshotFields({ document: _, ...counts }: SnapshotReport): object {
  return { snapshot: counts };
}

function snapshotLines(report: SnapshotReport): string[] {
  const { name, url, takenAt, file, next, integrations, options, hidden, unreadable } = report;
  const into = file === undefined ? '' : ` in ${file}`;
  const unread =
    unreadable === 0 ? '' : ` ${count(unreadable, 'value is', 'values are')} not shown by the server.`;
  const lines = [
    `Snapshot of ${name} (${url})${into}, as of ${takenAt}.`,
    `${count(integrations, 'integration')}, ${count(options, 'option')}. ${count(hidden, 'secret')} kept out.${unread}`,
    ...(next === undefined ? [] : [`Plan against it: ${next}`]),
  ];
  return lines.map(forTerminal);
}
