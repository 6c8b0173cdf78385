import { count } from '../../findings/words.ts';
import type { IntegrationError } from '../../live/integration-error.ts';
import type { LiveIntegration } from '../../model/live.ts';
import { snapshotText } from '../change-words.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';
import { padded, widthOf } from '../wrap.ts';

interface Listed {
  readonly name: string;
  readonly url: string;
  /** Present if a snapshot stands for the server. */
  readonly snapshot?: { readonly takenAt: string };
}

/** An installed integration and how many of its options are managed; absent without a configuration. */
export interface ListedIntegration
  extends Pick<LiveIntegration, 'id' | 'name' | 'acronym' | 'status' | 'autosubscribe'> {
  /** Absent if a snapshot stands for the server. */
  readonly errors?: number;
  readonly options: number;
  readonly managedOptions?: number;
}

interface Listings {
  readonly servers: readonly (Listed & { readonly integrations: readonly ListedIntegration[] })[];
}

interface ErrorListings {
  readonly servers: readonly (Listed & { readonly errors: readonly IntegrationError[] })[];
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
  return byServer(servers, view, ({ errors }) => [
    ...errors.flatMap((error) => errorLines(error, view)),
    ...(errors.length > 0 ? [''] : []),
    `${count(errors.length, 'integration error')}.`,
  ]);
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
  const widths = HEAD.slice(0, -1).map((title, column) =>
    Math.min(WIDEST, Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(widthOf))),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => padded(cell, widths[column] ?? 0)).join('  ');
  const isManaged = integrations.some(({ managedOptions }) => managedOptions !== undefined);
  const total = `${count(integrations.length, 'integration')}.`;
  return [
    paint.strong(line(HEAD)),
    ...rows.map(line),
    '',
    total,
    ...(isManaged ? ['OPTIONS: managed/all.'] : []),
  ];
}

function rowOf({ id, name, status, autosubscribe, errors, options, managedOptions }: ListedIntegration) {
  const managed = managedOptions === undefined ? '' : `${managedOptions}/`;
  const subscribes = autosubscribe === undefined ? '-' : autosubscribe ? 'yes' : 'no';
  return [status ?? '-', subscribes, `${errors ?? '-'}`, `${managed}${options}`, name ?? '-', id];
}

function errorLines(
  { occurredOn, integration, status, code, title, detail, count: times }: IntegrationError,
  { paint }: View,
): string[] {
  const facts = `${count(times, 'time')}${status === null ? '' : `, HTTP ${status}`}`;
  const words = [...new Set([code, title, detail])].filter((word) => word !== '');
  return [
    `${forTerminal(occurredOn)}  ${paint.strong(forTerminal(integration))}  (${facts})`,
    ...words.map((word) => `  ${forTerminal(word)}`),
  ];
}
