import { count } from '../../findings/words.ts';
import {
  type Cell,
  type Matrix,
  type MatrixRow,
  matrixOf,
} from '../model/matrix.ts';
import type { Model } from '../model/model.ts';
import { integrationId } from './links.ts';
import { type Child, element, type Markup } from './markup.ts';
import { hushed, type Look, square, token } from './parts.ts';

/** What changes in an integration on a server. */
type ChangedCell = Extract<Cell, { readonly kind: 'changed' }>;

/** Below these the cards say it as fast. */
const FEWEST = { integrations: 4, servers: 4 };

/** From this many servers on, their names stand upright. */
const MANY_SERVERS = 7;

/** From this many integrations on, the matrix scrolls in a box. */
const MANY_INTEGRATIONS = 121;

/** Longer names of servers need wider columns. */
const LONG_NAME = 7;

/** How many tables stand side by side. */
const SIDE_BY_SIDE = { roomy: 3, columns: 4, long: 5 };

/** Integrations by servers, each square a link to its card. */
export function matrixPart(model: Model): Markup | undefined {
  const matrix = matrixOf(model.document, model.facts);
  const { rows, servers } = matrix;
  const isFew =
    rows.length < FEWEST.integrations && servers.length < FEWEST.servers;
  if (rows.length === 0 || isFew) return undefined;
  const shape = shapeOf(matrix);
  const tables: Markup[] = [];
  for (const part of sideBySide(rows, shape)) {
    tables.push(tableOf(part, servers, model));
  }
  return element(
    'nav',
    {
      class: `matrix ${CLASSES[shape]}`,
      'aria-label': 'Changes by integration and server',
    },
    headOf(matrix, model),
    element('div', { class: 'cells' }, tables),
  );
}

type Shape = 'wide' | 'long' | 'roomy' | 'columns';

const CLASSES = {
  wide: 'wide',
  long: 'columns long',
  roomy: 'columns roomy',
  columns: 'columns',
} as const satisfies Record<Shape, string>;

function shapeOf({ rows, servers }: Matrix): Shape {
  if (servers.length >= MANY_SERVERS) return 'wide';
  if (rows.length >= MANY_INTEGRATIONS) return 'long';
  const hasLongNames = servers.some(({ length }) => length > LONG_NAME);
  return hasLongNames ? 'roomy' : 'columns';
}

/** No browser repeats the head of one table well over columns. */
function sideBySide(rows: readonly MatrixRow[], shape: Shape): MatrixRow[][] {
  const number = shape === 'wide' ? 1 : SIDE_BY_SIDE[shape];
  const size = Math.ceil(rows.length / number);
  const parts: MatrixRow[][] = [];
  for (let start = 0; start < rows.length; start += size) {
    parts.push(rows.slice(start, start + size));
  }
  return parts;
}

/** What is there without a change. */
const STILL_WORDS = {
  unplanned: 'not planned',
  unchanged: 'no change',
  absent: 'not managed there',
} as const satisfies Readonly<Partial<Record<Look, string>>>;

/** The looks of a plan in a legend, and what squares say of them. */
const PLAN_WORDS: Readonly<Partial<Record<Look, string>>> = {
  bad: 'refused',
  conflict: 'conflict',
  risk: 'risk',
  change: 'change',
  drift: 'drift',
  ...STILL_WORDS,
};

/** The same after an apply. */
const APPLY_WORDS: Readonly<Partial<Record<Look, string>>> = {
  bad: 'failed or unclear',
  held: 'held back',
  open: 'not attempted',
  good: 'written',
  ...STILL_WORDS,
};

function wordsOf({
  isApplied,
}: Model): Readonly<Partial<Record<Look, string>>> {
  return isApplied ? APPLY_WORDS : PLAN_WORDS;
}

function headOf({ rows, unchanged }: Matrix, model: Model): Markup {
  const looks = new Set<Look>();
  for (const cell of rows.flatMap(({ cells }) => cells)) {
    looks.add(cell.kind === 'changed' ? cell.tone : cell.kind);
  }
  const parts: Child[] = [];
  for (const [look, words] of Object.entries(wordsOf(model))) {
    if (!looks.has(look as Look)) continue;
    const mark = square(look as Look);
    parts.push(element('span', {}, mark, ` ${words}`), ' ');
  }
  if (unchanged > 0) {
    const words = `and ${count(unchanged, 'integration')} without a change`;
    parts.push(element('span', {}, words));
  }
  return element(
    'div',
    { class: 'legend' },
    element('h2', {}, 'Where'),
    element('p', { class: 'dim' }, parts),
  );
}

function tableOf(
  rows: readonly MatrixRow[],
  servers: readonly string[],
  model: Model,
): Markup {
  const columns = [element('col', {})];
  const heads = [element('th', { scope: 'col' }, hushed('Integration'))];
  for (const server of servers) {
    const name = element('span', {}, server);
    columns.push(element('col', { class: 'server-column' }));
    heads.push(element('th', { scope: 'col', title: server }, name));
  }
  const body: Markup[] = [];
  for (const row of rows) body.push(rowOf(row, servers, model));
  return element(
    'table',
    {},
    element('colgroup', {}, columns),
    element('thead', {}, element('tr', {}, heads)),
    element('tbody', {}, body),
  );
}

function rowOf(
  { name, cells }: MatrixRow,
  servers: readonly string[],
  model: Model,
): Markup {
  const hasCard = cells.some(({ kind }) => kind === 'changed');
  const href = hasCard ? `#${integrationId(name)}` : undefined;
  const title = hasCard ? element('a', { href }, name) : name;
  const columns = [element('th', { scope: 'row', title: name }, title)];
  for (const [position, cell] of cells.entries()) {
    const server = servers[position] ?? '';
    columns.push(element('td', {}, cellOf(cell, name, server, model)));
  }
  return element('tr', {}, columns);
}

function cellOf(
  cell: Cell,
  name: string,
  server: string,
  model: Model,
): Markup {
  if (cell.kind !== 'changed') return square(cell.kind, STILL_WORDS[cell.kind]);
  const words = `${name} on ${server}: ${cellWords(cell, model)}`;
  return changedCell(cell, name, server, words);
}

function cellWords({ count: number, tone }: ChangedCell, model: Model): string {
  const changes = count(number, 'change');
  return tone === 'change' ? changes : `${changes}, ${wordsOf(model)[tone]}`;
}

function changedCell(
  { count: number, tone }: ChangedCell,
  name: string,
  server: string,
  label: string,
): Markup {
  return element(
    'a',
    {
      class: `sq ${tone} ${heatOf(number)}`,
      href: `#${integrationId(name)}`,
      'data-server': token('server', server),
      'aria-label': label,
      title: label,
    },
    number > 99 ? '+' : number,
  );
}

/** More changes are darker. */
function heatOf(number: number): string {
  if (number > 3) return 'many';
  return number > 1 ? 'some' : 'single';
}
