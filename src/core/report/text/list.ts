import widthOf from 'fast-string-width';
import { count } from '../../findings/words.ts';
import type { IntegrationError } from '../../live/errors.ts';
import { visible } from '../escape.ts';
import type { View } from '../report.ts';
import { filled, paragraphs } from './spans.ts';

/** An installed integration, and how many of its options are managed. */
export interface Listed {
  id: string;
  name?: string | undefined;
  acronym?: string | undefined;
  status?: string | undefined;
  autosubscribe?: boolean | undefined;
  errors?: number | undefined;
  options: number;
  /** Absent without a configuration. */
  managedOptions?: number | undefined;
}

/** What is installed on a server, or goes wrong there. */
export interface Listing {
  integrations?: readonly Listed[] | undefined;
  /** How many are installed, if flags leave some out. */
  installed?: number | undefined;
  errors?: readonly IntegrationError[] | undefined;
}

/** What is shown of several servers. */
interface Lists {
  /** The servers that could be read. */
  servers: readonly (Listing & { name: string })[];
  /** Whether the run is about several servers. */
  isFleet: boolean;
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
      const { length } = integrations;
      const total = `${count(installed ?? length, 'integration')}.`;
      const isAll = installed === undefined || installed === length;
      blocks.push(tableLines(integrations, view));
      blocks.push([isAll ? total : `${length} of ${total}`]);
    }
    if (errors !== undefined) {
      const lines = errors.flatMap((error) => errorLines(error, view));
      blocks.push(lines, [`${count(errors.length, 'integration error')}.`]);
    }
  }
  const hasTable = servers.some(({ integrations }) => integrations);
  if (hasTable) blocks.push(filled(LEGEND, view.width));
  return paragraphs(blocks);
}

/** The columns before the name. An id is never cut: people copy it. */
const HEADS = ['STATUS', 'AUTO', 'ERR', 'OPTIONS', 'ID'];

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
  const rows = [HEADS, ...integrations.map(cellsOf)];
  const columns = HEADS.map((_, at) => {
    return Math.max(...rows.map((cells) => widthOf(cells[at] ?? '')));
  });
  const names = integrations.map(({ name = '-' }) => visible(name));
  const table: string[] = [];
  for (const [at, name] of ['NAME', ...names].entries()) {
    const cells = (rows[at] ?? []).map((cell, column) => {
      return cell + ' '.repeat((columns[column] ?? 0) - widthOf(cell));
    });
    const start = cells.join('  ');
    let lines = [`${start}  ${name}`];
    if (isPiped !== true && widthOf(`${start}  ${name}`) > width) {
      const indent = widthOf(cells.slice(0, -1).join('  ')) + 2;
      lines = [start.trimEnd(), ...filled(name, width, indent)];
    }
    table.push(...(at === 0 ? lines.map(paint.strong) : lines));
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
