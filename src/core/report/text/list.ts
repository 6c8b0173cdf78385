import { count, cut } from '../../findings/words.ts';
import type { IntegrationError } from '../../live/errors.ts';
import type { LiveIntegration } from '../../model/live.ts';
import { forTerminal } from '../escape.ts';
import type { View } from '../report.ts';
import { padded, paragraphs, widthOf } from '../wrap.ts';

/** Servers by name. */
type ByServer<Part> = readonly Readonly<Part & { name: string; url: string }>[];

/** An installed integration and how many of its options are managed; absent without a configuration. */
export interface ListedIntegration
  extends Pick<LiveIntegration, 'id' | 'name' | 'acronym' | 'status' | 'autosubscribe'> {
  readonly errors?: number;
  readonly options: number;
  readonly managedOptions?: number;
}

/** The installed integrations of each server. */
export function renderLists(
  { servers }: { readonly servers: ByServer<{ integrations: readonly ListedIntegration[] }> },
  view: View,
): string {
  return byServer(servers, view, ({ integrations }) => listLines(integrations, view));
}

/** The integration errors of each server, the latest last. */
export function renderErrors(
  { servers }: { readonly servers: ByServer<{ errors: readonly IntegrationError[] }> },
  view: View,
): string {
  return byServer(servers, view, ({ errors }) => errorLines(errors, view));
}

/** The lines of several servers, each below its name; only the lines if there is one server. */
function byServer<S extends { readonly name: string }>(
  servers: readonly S[],
  { paint }: View,
  linesOf: (server: S) => readonly string[],
): string {
  const blocks = servers.flatMap((each) => [[paint.strong(forTerminal(each.name))], linesOf(each)]);
  return paragraphs(servers.length === 1 ? blocks.slice(1) : blocks);
}

const HEAD = ['STATUS', 'AUTO', 'ERR', 'OPTIONS', 'ID', 'NAME'];
const COUNTS = new Set(['ERR', 'OPTIONS']);

/** The least columns that a name gets, even on a narrow terminal. Ids are never cut: people copy them. */
const LEAST_NAME = 12;

function listLines(integrations: readonly ListedIntegration[], { paint, width }: View): string[] {
  const rows = [HEAD, ...integrations.map((each) => rowOf(each).map(forTerminal))];
  const widths = HEAD.map((_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, columns) => sum + columns + 2, 0);
  const room = Math.max(LEAST_NAME, width - before);
  const lines = rows.map(([...cells]) => {
    const name = cells.pop() ?? '';
    const shown = cells.map((cell, at) => {
      const columns = widths[at] ?? 0;
      return COUNTS.has(HEAD[at] ?? '') ? cell.padStart(columns) : padded(cell, columns);
    });
    return [...shown, widthOf(name) <= room ? name : cut(name, '', room - 1, 0)].join('  ');
  });
  return [
    ...lines.map((line, at) => (at === 0 ? paint.strong(line) : line)),
    '',
    `${count(integrations.length, 'integration')}.`,
    'AUTO: autosubscribe. ERR: integration errors. OPTIONS: managed/all.',
  ];
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
