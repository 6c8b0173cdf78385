import { count } from '../../findings/words.ts';
import type { countsOf, Snapshot } from '../../snapshot/snapshot.ts';
import { forTerminal } from '../escape.ts';
import { jsonDocument } from '../escape-sinks.ts';
import type { View } from '../report.ts';
import { filled } from '../wrap.ts';

/** The counts of a snapshot, or its document if that is to be printed. */
export interface SnapshotReport extends ReturnType<typeof countsOf> {
  readonly name: string;
  readonly url: string;
  readonly takenAt: string;
  /** The file that it is in, and the command that plans against it; absent if it is printed. */
  readonly file?: string;
  readonly next?: string;
  readonly document?: Snapshot;
}

/** The counts of a snapshot, or its document. */
export function renderSnapshot(report: SnapshotReport, { width }: View): string {
  if (report.document !== undefined) return jsonDocument(report.document);
  const { name, url, takenAt, file, next, integrations, options, secrets, hidden } = report;
  const lines = [
    `Snapshot of ${name} (${url})${file === undefined ? '' : ` in ${file}`}, taken at ${takenAt}.`,
    `${count(integrations, 'integration')}, ${count(options, 'option')}. ${count(secrets, 'secret')} kept out.`,
    ...(hidden === 0 ? [] : [`${count(hidden, 'value is', 'values are')} hidden by the server.`]),
    ...(next === undefined ? [] : [`Plan against it: ${next}`]),
  ];
  return `${lines.flatMap((line) => filled(forTerminal(line), width)).join('\n')}\n`;
}
