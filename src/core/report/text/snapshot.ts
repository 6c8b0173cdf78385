import { count } from '../../findings/words.ts';
import { forTerminal } from '../escape.ts';
import type { SnapshotReport } from '../report.ts';

/** What a snapshot holds, in lines for a person. */
export function snapshotLines(report: SnapshotReport): string[] {
  const { name, url, takenAt, file, next, integrations, options, secrets, hidden } = report;
  const into = file === undefined ? '' : ` in ${file}`;
  const unread = hidden === 0 ? '' : ` ${count(hidden, 'value is', 'values are')} hidden by the server.`;
  const lines = [
    `Snapshot of ${name} (${url})${into}, as of ${takenAt}.`,
    `${count(integrations, 'integration')}, ${count(options, 'option')}. ${count(secrets, 'secret')} kept out.${unread}`,
    ...(next === undefined ? [] : [`Plan against it: ${next}`]),
  ];
  return lines.map(forTerminal);
}
