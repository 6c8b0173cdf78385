import { count } from '../../findings/words.ts';
import type { IntegrationError } from '../../live/integration-error.ts';
import type { LiveIntegration } from '../../model/live.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';
import { padded, widthOf } from '../wrap.ts';

/** Servers by name. */
type ByServer<Part> = readonly Readonly<Part & { name: string; url: string }>[];

/** An installed integration and how many of its options are managed; absent without a configuration. */
export interface ListedIntegration
  extends Pick<LiveIntegration, 'id' | 'name' | 'acronym' | 'status' | 'autosubscribe'> {
  readonly errors?: number;
  readonly options: number;
  readonly managedOptions?: number;
}

interface Listings {
  readonly servers: ByServer<{ integrations: readonly ListedIntegration[] }>;
}

interface ErrorListings {
  readonly servers: ByServer<{ errors: readonly IntegrationError[] }>;
}

/** The installed integrations of each server. */
export function renderLists({ servers }: Listings, view: View): string {
  return byServer(servers, view, ({ integrations }) => listLines(integrations, view));
}

/** The integration errors of each server, the latest last. */
export function renderErrors({ servers }: ErrorListings, view: View): string {
  return byServer(servers, view, ({ errors }) => errorLines(errors, view));
}

/** The lines of several servers, each below its name; only the lines if there is one server. */
function byServer<S extends { readonly name: string }>(
  servers: readonly S[],
  { paint }: View,
  linesOf: (server: S) => readonly string[],
): string {
  const text = (each: S) => `${linesOf(each).join('\n')}\n`;
  if (servers.length === 1) return servers.map(text).join('');
  return servers.map((each) => `${paint.strong(forTerminal(each.name))}\n\n${text(each)}`).join('\n');
}

/** The most columns that an id is padded to. */
const WIDEST_ID = 60;

/** The least columns that a name gets, even on a narrow terminal. */
const LEAST_NAME = 12;

/** The titles of the columns. Ids are never cut: people copy them. */
const HEAD = ['STATUS', 'AUTO', 'ERR', 'OPTIONS', 'ID', 'NAME'];
const COUNTS = new Set(['ERR', 'OPTIONS']);

function listLines(integrations: readonly ListedIntegration[], { paint, width }: View): string[] {
  const rows = integrations.map((each) => rowOf(each).map(forTerminal));
  const widths = HEAD.map((title, column) => {
    const cells = rows.map((row) => widthOf(row[column] ?? ''));
    return Math.min(WIDEST_ID, Math.max(widthOf(title), ...cells));
  });
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
  const line = (row: readonly string[]) => {
    const [name = '', ...cells] = row.toReversed();
    const shown = cells.reverse().map((cell, column) => {
      const columns = widths[column] ?? 0;
      return COUNTS.has(HEAD[column] ?? '') ? ahead(cell, columns) : padded(cell, columns);
    });
    return [...shown, shortened(name, Math.max(LEAST_NAME, width - before))].join('  ');
  };
  const isManaged = integrations.some(({ managedOptions }) => managedOptions !== undefined);
  return [
    paint.strong(line(HEAD)),
    ...rows.map(line),
    '',
    `${count(integrations.length, 'integration')}.`,
    `AUTO: autosubscribe. ERR: integration errors.${isManaged ? ' OPTIONS: managed/all.' : ''}`,
  ];
}

function ahead(cell: string, columns: number): string {
  return `${' '.repeat(Math.max(0, columns - widthOf(cell)))}${cell}`;
}

/** A text of at most so many columns. */
function shortened(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const characters = [...text];
  while (widthOf(`${characters.join('')}…`) > columns) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

function rowOf({ id, name, status, autosubscribe, errors, options, ...each }: ListedIntegration): string[] {
  return [
    status ?? '-',
    autosubscribe === undefined ? '-' : autosubscribe ? 'yes' : 'no',
    errors === undefined ? '-' : `${errors}`,
    each.managedOptions === undefined ? `${options}` : `${each.managedOptions}/${options}`,
    id,
    name ?? '-',
  ];
}

function errorLines(errors: readonly IntegrationError[], { paint }: View): string[] {
  const blocks = errors.flatMap(({ occurredOn, integration, status, code, title, detail, ...error }) => {
    const facts = `${count(error.count, 'time')}${status === null ? '' : `, HTTP ${status}`}`;
    const words = [...new Set([code, title, detail])].filter((word) => word !== '');
    return [
      `${forTerminal(occurredOn)}  ${paint.strong(forTerminal(integration))}  (${facts})`,
      ...words.map((word) => `  ${forTerminal(word)}`),
    ];
  });
  return [...blocks, ...(blocks.length > 0 ? [''] : []), `${count(errors.length, 'integration error')}.`];
}
