import { count } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type { Place } from '../../model/place.ts';
import type { Outcome } from '../../plan/plan.ts';
import { type Card, placesOf, type Section } from '../model/card.ts';
import type { Cause } from '../model/cause.ts';
import { filesText } from '../model/files.ts';
import { filesElsewhere } from '../model/home.ts';
import type { Row } from '../model/row.ts';
import { causeLinks } from './causes.ts';
import type { PageContext } from './context.ts';
import { integrationId, placeLinks } from './links.ts';
import { type Child, element, joined, type Markup } from './markup.ts';
import { type CardView, causesOfRow, notesOf } from './notes.ts';
import { commonEnds, type End, endNotes } from './outcomes.ts';
import { serverTags, tag, token } from './parts.ts';
import { valueCells } from './values.ts';

/** The most files and names in the head of a card. */
const MOST_FILES = 4;
const MOST_NAMES = 12;

/** The changes, by sections. */
export function sectionsOf(context: PageContext): Markup[] {
  const { sections } = context.model;
  const isAlone = sections.length === 1;
  const parts: Markup[] = [];
  for (const section of sections) {
    // The top of the page counts what a single section has.
    const size = isAlone ? undefined : sizeOf(section);
    parts.push(sectionOf(section, size, context));
  }
  return parts;
}

/** How many changes of its kind a section has; together as many as its chip. */
function sizeOf({ changes, above }: Section): Markup {
  const own = count(changes, 'change');
  const words = above === 0 ? own : `${own} here, ${above} above`;
  return element('span', { class: 'dim size' }, words);
}

function sectionOf(
  { key, title, cards }: Section,
  size: Markup | undefined,
  context: PageContext,
): Markup {
  const head = element('h2', {}, `${title} `, size);
  const articles = cards.map((card) => cardOf(card, context));
  return element('section', { class: `part ${key}` }, head, ...articles);
}

/** A table of the changes of an integration, or of several with equal ones. */
function cardOf(card: Card, context: PageContext): Markup {
  const common = context.model.isApplied ? commonEnds(card) : [];
  const view = { card, common, context };
  const rows = card.rows.map((row) => rowOf(row, view));
  return element(
    'article',
    { class: 'card', tabindex: -1 },
    headOf(card, context),
    outcomesOf(card, common),
    element('table', {}, COLUMNS, HEADS, element('tbody', {}, ...rows)),
  );
}

const COLUMNS = element(
  'colgroup',
  {},
  element('col', { class: 'field-column' }),
  element('col', { class: 'value-column' }),
  element('col', { class: 'value-column' }),
  element('col', {}),
  element('col', { class: 'line-column' }),
);

const HEADS = element(
  'thead',
  {},
  element(
    'tr',
    {},
    element('th', { scope: 'col' }, 'Field'),
    element('th', { scope: 'col' }, 'Before'),
    element('th', { scope: 'col' }, 'After'),
    element('th', { scope: 'col' }, 'Notes'),
    element('th', { scope: 'col' }, 'Line'),
  ),
);

function headOf(card: Card, context: PageContext): Markup {
  const hasServers = context.model.document.servers.length > 1;
  const stopped = card.stopped.map((words) => [' ', tag('risk', words)]);
  return element(
    'div',
    { class: 'card-head' },
    element('h3', {}, namesOf(card)),
    ...stopped,
    ...causeLinks(causesOfCard(card, context), context),
    hasServers ? element('span', {}, serverTags(card.servers)) : undefined,
    element('p', { class: 'dim' }, filesOf(card), ' ', idOf(card)),
  );
}

function outcomesOf(
  { servers }: Card,
  common: readonly End[],
): Markup | undefined {
  const [first] = common;
  if (first === undefined) return undefined;
  const isOfAll = first.servers.length === servers.length;
  const notes = endNotes(common, !isOfAll);
  return element('div', { class: 'card-outcomes' }, ...notes);
}

function namesOf({ names }: Card): Child {
  const links: Markup[] = [];
  for (const name of names) {
    const id = integrationId(name);
    links.push(element('a', { id, href: `#${id}` }, name));
  }
  const shown = joined(links.slice(0, MOST_NAMES), ', ');
  const more = joined(links.slice(MOST_NAMES), ', ');
  if (more.length === 0) return shown;
  const summary = `and ${links.length - MOST_NAMES} more`;
  return [
    ...shown,
    ' ',
    element(
      'details',
      { class: 'inline' },
      element('summary', {}, summary),
      more,
    ),
  ];
}

function filesOf({ files }: Card): Child {
  const paths = filesText(files);
  const shown: Child[] = [];
  for (const path of paths.slice(0, MOST_FILES)) {
    shown.push(element('code', {}, path));
  }
  const more = paths.length - shown.length;
  if (more > 0) shown.push(`and ${more} more`);
  return joined(shown, ' ');
}

/** The id on the servers, if it is the same on all and not the name. */
function idOf({ names, ids }: Card): Markup | undefined {
  const [id] = ids;
  if (names.length > 1 || ids.length > 1 || id === names[0]) return undefined;
  return element('code', { class: 'id' }, id);
}

/** The findings about a card that no row of it has. */
function causesOfCard(card: Card, context: PageContext): Cause[] {
  const known = new Set<Cause>();
  const outcomes = new Set<string>();
  for (const row of card.rows) {
    for (const cause of causesOfRow(row, context)) known.add(cause);
    for (const { outcome } of row.outcomes) outcomes.add(outcome);
  }
  const causes = new Set<Cause>();
  for (const name of card.names) {
    for (const cause of context.causes.ofIntegration.get(name) ?? []) {
      // Its rows say what became of them.
      const isSaid = known.has(cause) || outcomes.has(cause.code);
      if (!isSaid) causes.add(cause);
    }
  }
  return [...causes];
}

function rowOf(row: Row, view: CardView): Markup {
  const { card, context } = view;
  const notes = notesOf(row, view);
  const isElsewhere = filesElsewhere(row, card).length > 0;
  const lines = placeLinks(
    context.model.document,
    linesOf(row),
    ({ file, line }) => (isElsewhere ? `${file}:${line}` : `:${line}`),
  );
  return element(
    'tr',
    { 'data-facts': factsText(row) },
    fieldCell(row, card),
    ...valueCells(row, notes.length > 0),
    notes.length > 0 ? element('td', { class: 'notes' }, ...notes) : undefined,
    element('td', { class: 'at' }, lines),
  );
}

/** The places of a row; files that differ by server often agree in lines. */
function linesOf(row: Row): Place[] {
  const places: Place[] = [];
  const lines = new Set<number>();
  for (const place of placesOf(row)) {
    if (!lines.has(place.line)) places.push(place);
    lines.add(place.line);
  }
  return places;
}

function fieldCell({ field, change, servers }: Row, card: Card): Markup {
  const isPart = servers.length < card.servers.length;
  return element(
    'th',
    { scope: 'row' },
    fieldCode(field, change.address),
    isPart
      ? element('span', { class: 'only' }, serverTags(servers))
      : undefined,
    element('button', {
      class: 'copy',
      type: 'button',
      value: change.address,
      'aria-label': `Copy ${change.address}`,
    }),
  );
}

const PERMISSION = '.permission';

/** The name of a field, which may break where its words begin. */
function fieldCode(field: string, address: string): Markup {
  const isPermission =
    address.endsWith(PERMISSION) && field.endsWith(PERMISSION);
  const name = isPermission ? field.slice(0, -PERMISSION.length) : field;
  const words: Child[] = name.split(/(?<=[a-z])(?=[A-Z])/);
  const wbr = element('wbr', {});
  return element(
    'code',
    {},
    element('b', {}, joined(words, wbr)),
    isPermission ? [wbr, PERMISSION] : undefined,
  );
}

/**
 * The changes of a row for the filter: how many there are of each server and
 * outcome, and their words: `2 risk:x label:change server:prod, 1 …`.
 */
function factsText({ facts, change }: Row): string {
  const common = change.risks.map((risk) => token('risk', risk));
  common.push(token('label', change.label));
  const alike = grouped(facts, ({ server, change: own }) =>
    [...common, token('server', server), ...outcomeToken(own.outcome)].join(
      ' ',
    ),
  );
  const parts: string[] = [];
  for (const [words, group] of alike) parts.push(`${group.length} ${words}`);
  return parts.join(',');
}

function outcomeToken(outcome: Outcome | undefined): string[] {
  return outcome === undefined ? [] : [token('outcome', outcome)];
}
