import widthOf from 'fast-string-width';
import { count } from '../../findings/words.ts';
import type { IntegrationError } from '../../live/errors.ts';
import { visible } from '../escape.ts';
import type { View } from '../report.ts';
import { filled, paragraphs } from '../wrap.ts';
import { padded, paddedStart } from './layout.ts';

/** An installed integration, and how many of its options are managed. */
export interface Listed {
  readonly id: string;
  readonly name?: string | undefined;
  readonly acronym?: string | undefined;
  readonly status?: string | undefined;
  readonly autosubscribe?: boolean | undefined;
  readonly errors?: number | undefined;
  readonly options: number;
  /** Absent without a configuration. */
  readonly managedOptions?: number | undefined;
}

/** What is installed on a server, or goes wrong there. */
export interface Listing {
  readonly integrations?: readonly Listed[] | undefined;
  /** How many are installed, if flags leave some out. */
  readonly installed?: number | undefined;
  readonly errors?: readonly IntegrationError[] | undefined;
}

/** Lists of servers. */
interface Lists {
  /** The servers that could be read. */
  readonly servers: readonly (Listing & { readonly name: string })[];
  /** Whether the run is about several servers. */
  readonly isFleet: boolean;
}

const LEGEND =
  'AUTO: autosubscribe. ERR: integration errors. OPTIONS: managed/all.';

/**
 * The integrations or the integration errors of each server, below its name if
 * the run is about several.
 */
export function renderLists({ servers, isFleet }: Lists, view: View): string {
  const blocks: string[][] = [];
  for (const { name, integrations, installed, errors } of servers) {
    if (isFleet) blocks.push([view.paint.strong(visible(name))]);
    if (integrations !== undefined) {
      const total = totalText(integrations.length, installed);
      blocks.push(tableLines(integrations, view), [total]);
    }
    if (errors !== undefined) {
      const lines = errors.flatMap((error) => errorLines(error, view));
      blocks.push(lines, [`${count(errors.length, 'integration error')}.`]);
    }
  }
  const hasTable = servers.some(({ integrations }) => integrations);
  const legend = hasTable ? filled(LEGEND, view.width) : [];
  if (isFleet) blocks.push(legend);
  else blocks.at(-1)?.push(...legend);
  return paragraphs(blocks);
}

function totalText(listed: number, installed = listed): string {
  const total = `${count(installed, 'integration')}.`;
  return installed === listed ? total : `${listed} of ${total}`;
}

/** The columns before the name. An id is never cut: people copy it. */
const COLUMNS = [
  { head: 'STATUS', pad: padded },
  { head: 'AUTO', pad: padded },
  { head: 'ERR', pad: paddedStart },
  { head: 'OPTIONS', pad: paddedStart },
  { head: 'ID', pad: padded },
];

function cellsOf(integration: Listed): string[] {
  const { id, status = '-', autosubscribe, errors = '-' } = integration;
  const { options, managedOptions } = integration;
  const auto = autosubscribe ? 'yes' : 'no';
  const managed = managedOptions === undefined ? '' : `${managedOptions}/`;
  return [
    visible(status),
    autosubscribe === undefined ? '-' : auto,
    `${errors}`,
    `${managed}${options}`,
    visible(id),
  ];
}

/** A table; a name for which a terminal has no room stands below the id. */
function tableLines(
  integrations: readonly Listed[],
  { width, isPiped, paint }: View,
): string[] {
  const heads = COLUMNS.map(({ head }) => head);
  const rows = [{ cells: heads, name: 'NAME' }];
  for (const integration of integrations) {
    const name = visible(integration.name ?? '-');
    rows.push({ cells: cellsOf(integration), name });
  }
  const widths = COLUMNS.map((_, at) => {
    const cells = rows.map((row) => widthOf(row.cells[at] ?? ''));
    return cells.reduce((a, b) => Math.max(a, b));
  });
  const table: string[] = [];
  for (const { cells, name } of rows) {
    const aligned = COLUMNS.map(({ pad }, at) =>
      pad(cells[at] ?? '', widths[at] ?? 0),
    );
    const start = aligned.join('  ');
    let lines = [`${start}  ${name}`];
    if (isPiped !== true && widthOf(`${start}  ${name}`) > width) {
      const beforeId = aligned.slice(0, -1).join('  ');
      const indent = widthOf(beforeId) + 2;
      lines = [start.trimEnd(), ...filled(name, width, indent)];
    }
    table.push(...(cells === heads ? lines.map(paint.strong) : lines));
  }
  return table;
}

/** When and where an error was, how often, and the words of the server. */
function errorLines(error: IntegrationError, { paint, width }: View): string[] {
  const { occurredOn, integration, status, code, title, detail } = error;
  const facts = [count(error.count, 'time')];
  if (status !== null) facts.push(`HTTP ${status}`);
  const name = paint.strong(visible(integration));
  const lines = [`${visible(occurredOn)}  ${name}  (${facts.join(', ')})`];
  for (const words of new Set([code, title, detail])) {
    if (words !== '') lines.push(...filled(visible(words), width, 2));
  }
  return lines;
}
