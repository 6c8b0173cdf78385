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
type Listing =
  | ListedServer
  | { readonly name: string; readonly errors: readonly IntegrationError[] };

interface ListedServer {
  readonly name: string;
  readonly integrations: readonly Listed[];
  /** How many are installed, if flags leave some out. */
  readonly installed?: number | undefined;
}

/** Lists of servers. */
export interface Lists {
  /** The servers that could be read. */
  readonly servers: readonly Listing[];
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
  for (const listing of servers) {
    const title = view.paint.strong(visible(listing.name));
    if (isFleet) blocks.push([title]);
    if ('errors' in listing) blocks.push(...errorBlocks(listing.errors, view));
    else blocks.push(...listBlocks(listing, view));
  }
  const hasTable = servers.some((listing) => 'integrations' in listing);
  const legend = hasTable ? filled(LEGEND, view.width) : [];
  if (isFleet) blocks.push(legend);
  else blocks.at(-1)?.push(...legend);
  return paragraphs(blocks);
}

interface Column {
  readonly head: string;
  readonly cellOf: (integration: Listed) => string;
  readonly isCount?: true;
}

/** The columns before the name. */
const COLUMNS: readonly Column[] = [
  { head: 'STATUS', cellOf: ({ status = '-' }) => status },
  { head: 'AUTO', cellOf: autosubscribeText },
  { head: 'ERR', cellOf: ({ errors = '-' }) => `${errors}`, isCount: true },
  { head: 'OPTIONS', cellOf: optionsText, isCount: true },
  // Never cut: people copy ids.
  { head: 'ID', cellOf: ({ id }) => id },
];

function autosubscribeText({ autosubscribe }: Listed): string {
  if (autosubscribe === undefined) return '-';
  return autosubscribe ? 'yes' : 'no';
}

function optionsText({ managedOptions, options }: Listed): string {
  return managedOptions === undefined
    ? `${options}`
    : `${managedOptions}/${options}`;
}

function listBlocks(
  { integrations, installed }: ListedServer,
  view: View,
): string[][] {
  const rows = [COLUMNS.map(({ head }) => head)];
  const names = ['NAME'];
  for (const integration of integrations) {
    rows.push(COLUMNS.map(({ cellOf }) => visible(cellOf(integration))));
    names.push(visible(integration.name ?? '-'));
  }
  const widths = COLUMNS.map((_, at) => widestCell(rows, at));
  const lines: string[] = [];
  for (const [at, cells] of rows.entries()) {
    const own = rowLines(cells, names[at] ?? '', widths, view);
    if (at === 0) lines.push(...own.map(view.paint.strong));
    else lines.push(...own);
  }
  return [lines, [totalText(integrations.length, installed)]];
}

function totalText(listed: number, installed: number | undefined): string {
  if (installed === undefined || installed === listed) {
    return `${count(listed, 'integration')}.`;
  }
  return `${listed} of ${count(installed, 'integration')}.`;
}

function widestCell(rows: readonly (readonly string[])[], at: number): number {
  let widest = 0;
  for (const cells of rows) widest = Math.max(widest, widthOf(cells[at] ?? ''));
  return widest;
}

/** A row; a name for which a terminal has no room stands below the id. */
function rowLines(
  cells: readonly string[],
  name: string,
  widths: readonly number[],
  { width, isPiped }: View,
): string[] {
  const aligned: string[] = [];
  for (const [at, cell] of cells.entries()) {
    const columns = widths[at] ?? 0;
    const isCount = COLUMNS[at]?.isCount === true;
    aligned.push(isCount ? paddedStart(cell, columns) : padded(cell, columns));
  }
  const line = `${aligned.join('  ')}  ${name}`;
  if (isPiped === true || widthOf(line) <= width) return [line];
  const beforeId = aligned.slice(0, -1).join('  ');
  const indent = widthOf(beforeId) + 2;
  return [aligned.join('  ').trimEnd(), ...filled(name, width, indent)];
}

function errorBlocks(
  errors: readonly IntegrationError[],
  view: View,
): string[][] {
  const lines = errors.flatMap((error) => errorLines(error, view));
  return [lines, [`${count(errors.length, 'integration error')}.`]];
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
