import { count } from './count.ts';
import { forTerminal } from './escape.ts';
import type { Paint } from './paint.ts';
import type { ListedIntegration } from './report.ts';

/** The ids come last and are never padded or cut. */
const HEAD = ['STATUS', 'AUTOSUBSCRIBE', 'ERRORS', 'OPTIONS', 'NAME', 'ID'];

/** A table of integrations. Ends with a newline. */
export function renderList(integrations: readonly ListedIntegration[], paint: Paint): string {
  const rows = integrations.map((each) => rowOf(each).map(forTerminal));
  const widths = HEAD.map((title, column) =>
    column === HEAD.length - 1 ? 0 : Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  const isManaged = integrations.some(({ managedOptions }) => managedOptions !== undefined);
  return [
    paint.strong(line(HEAD)),
    ...rows.map(line),
    '',
    `${count(integrations.length, 'integration')}.`,
    ...(isManaged ? ['OPTIONS: managed/all.'] : []),
    '',
  ].join('\n');
}

function rowOf({ id, name, status, autosubscribe, errors, options, ...each }: ListedIntegration): string[] {
  return [
    status ?? '-',
    autosubscribe === undefined ? '-' : autosubscribe ? 'yes' : 'no',
    `${errors}`,
    each.managedOptions === undefined ? `${options}` : `${each.managedOptions}/${options}`,
    name ?? '-',
    id,
  ];
}
