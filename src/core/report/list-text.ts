import type { LiveIntegration } from '../model/live.ts';
import { forTerminal } from './escape.ts';
import type { Paint } from './paint.ts';
import { count } from './plan-text.ts';

/** An installed integration and how many of its options are managed; absent where no configuration was named. */
export interface ListedIntegration
  extends Pick<LiveIntegration, 'id' | 'name' | 'acronym' | 'status' | 'autosubscribe'> {
  readonly errors: number;
  readonly options: number;
  readonly managedOptions?: number;
}

/** A table of integrations; ids come last, so that they are never cut. Ends with a newline. */
export function renderList(integrations: readonly ListedIntegration[], paint: Paint): string {
  const head = ['STATUS', 'AUTOSUBSCRIBE', 'ERRORS', 'OPTIONS', 'NAME', 'ID'];
  const rows = integrations.map((each) => cells(each).map(forTerminal));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === 5 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ');
  const managed = integrations.some(({ managedOptions }) => managedOptions !== undefined);
  const note = managed ? ['OPTIONS: managed/all.'] : [];
  return [
    paint.strong(line(head)),
    ...rows.map(line),
    '',
    `${count(integrations.length, 'integration')}.`,
    ...note,
    '',
  ].join('\n');
}

function cells({
  id,
  name,
  status,
  autosubscribe,
  errors,
  options,
  managedOptions,
}: ListedIntegration): string[] {
  const all = managedOptions === undefined ? String(options) : `${managedOptions}/${options}`;
  return [
    status ?? '-',
    autosubscribe === undefined ? '-' : autosubscribe ? 'yes' : 'no',
    String(errors),
    all,
    name ?? '-',
    id,
  ];
}
