import { count } from '../../findings/words.ts';
import type { IntegrationError } from '../../live/integration-error.ts';
import type { LiveIntegration } from '../../model/live.ts';
import { snapshotText } from '../change-words.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';
import { padded, widthOf } from '../wrap.ts';

/** Servers by name, and whether a snapshot stands for one. */
type ByServer<Part> = readonly Readonly<
  Part & { name: string; url: string; snapshot?: { readonly takenAt: string } }
>[];

/** An installed integration and how many of its options are managed; absent without a configuration. */
export interface ListedIntegration
  extends Pick<LiveIntegration, 'id' | 'name' | 'acronym' | 'status' | 'autosubscribe'> {
  /** Absent if a snapshot stands for the server. */
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
  return byServer(servers, view, ({ snapshot, integrations }) => [
    ...(snapshot === undefined ? [] : [view.paint.faint(snapshotText(snapshot.takenAt, undefined)), '']),
    ...listLines(integrations, view),
  ]);
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

/** The most columns that a column is padded to. */
const WIDEST = 100;

/** The titles of the columns. The ids come last and are never padded or cut. */
const HEAD = ['STATUS', 'AUTOSUBSCRIBE', 'ERRORS', 'OPTIONS', 'NAME', 'ID'];

function listLines(integrations: readonly ListedIntegration[], { paint }: View): string[] {
  const rows = integrations.map((each) => rowOf(each).map(forTerminal));
  const widths = HEAD.map((title, column) => {
    const cells = rows.map((row) => widthOf(row[column] ?? ''));
    return column === HEAD.length - 1 ? 0 : Math.min(WIDEST, Math.max(widthOf(title), ...cells));
  });
  const line = (row: readonly string[]) =>
    row.map((cell, column) => padded(cell, widths[column] ?? 0)).join('  ');
  const isManaged = integrations.some(({ managedOptions }) => managedOptions !== undefined);
  return [
    paint.strong(line(HEAD)),
    ...rows.map(line),
    '',
    `${count(integrations.length, 'integration')}.`,
    ...(isManaged ? ['OPTIONS: managed/all.'] : []),
  ];
}

function rowOf({ id, name, status, autosubscribe, errors, options, ...each }: ListedIntegration): string[] {
  return [
    status ?? '-',
    autosubscribe === undefined ? '-' : autosubscribe ? 'yes' : 'no',
    errors === undefined ? '-' : `${errors}`,
    each.managedOptions === undefined ? `${options}` : `${each.managedOptions}/${options}`,
    name ?? '-',
    id,
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
