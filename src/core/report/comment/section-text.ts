import { count } from '../../findings/words.ts';
import type { Card, Section } from '../model/card.ts';
import type { Model } from '../model/model.ts';
import { folded, nameHtml, nameList, tableOf, tableRow } from './inline.ts';
import { type Piece, piecesWithRoom, type Room, takesRoom } from './piece.ts';
import { type RowText, rowTexts } from './row-text.ts';
import { sentence } from './sentence.ts';
import { cardSummary, cardTitle } from './where.ts';

/** A card in Markdown. */
interface CardText {
  readonly card: Card;
  readonly title: string;
  /** Without the title. */
  readonly rows: readonly RowCells[];
  readonly diffs: readonly DiffPiece[];
  readonly lines: number;
}

/** A row of a table. */
interface RowCells {
  readonly cells: readonly string[];
  /** How many changes it tells. */
  readonly changes: number;
}

/** A comparison, with and without the title of its card. */
interface DiffPiece extends Piece {
  readonly untitled: string;
}

/** The most names in the summary of a fold. */
const MOST_NAMES = 8;

const CARD_HEAD = ['change', 'notes'];
const SECTION_HEAD = ['integration', ...CARD_HEAD];

/**
 * The blocks of a section: its title, cards that are open, then folds: one a
 * card, and one for all that have a single row.
 */
export function sectionBlocks(
  section: Section,
  model: Model,
  room: Room,
): string[] {
  const heading = `#### ${section.title}`;
  if (!takesRoom(room, heading)) {
    for (const card of section.cards) room.left += card.changes;
    return [];
  }
  const open: CardText[] = [];
  const closed: CardText[] = [];
  const single: CardText[] = [];
  for (const text of cardTexts(section, model, room)) {
    if (text.lines <= room.lines) {
      room.lines -= text.lines;
      open.push(text);
    } else if (isSingleRow(text)) single.push(text);
    else closed.push(text);
  }
  const blocks = openCards(open, room);
  for (const text of closed) blocks.push(...cardFold(text, model, room));
  blocks.push(...singleFold(single, room));
  return blocks.length === 0 ? [] : [heading, ...blocks];
}

function isSingleRow({ rows, diffs }: CardText): boolean {
  return rows.length === 1 && diffs.length === 0;
}

/** The cards of a section until there is surely no room for more. */
function cardTexts(
  { key, cards }: Section,
  model: Model,
  room: Room,
): CardText[] {
  const reasons = new Set<string>();
  const texts: CardText[] = [];
  let length = 0;
  for (const card of cards) {
    if (length > room.characters) {
      room.left += card.changes;
      continue;
    }
    const text = cardText(card, rowTexts(card, { model, key, reasons }), model);
    for (const row of text.rows) length += tableRow(row.cells).length;
    for (const diff of text.diffs) length += diff.untitled.length;
    texts.push(text);
  }
  return texts;
}

function cardText(
  card: Card,
  ownRows: readonly RowText[],
  model: Model,
): CardText {
  const { names, servers, stopped } = card;
  const where = cardTitle(names, servers, model.document);
  const state =
    stopped.length === 0 ? '' : ` (${sentence(stopped.join(', '))})`;
  const title = `${where}${state}`;
  const rows: RowCells[] = [];
  const diffs: DiffPiece[] = [];
  let lines = 0;
  for (const row of ownRows) {
    const { changes } = row;
    lines += row.lines;
    if (row.kind === 'short') {
      rows.push({ cells: [row.change, row.notes], changes });
      continue;
    }
    const untitled = `${row.title}\n\n${row.fence}`;
    diffs.push({ untitled, text: `${title}: ${untitled}`, changes });
  }
  return { card, title, rows, diffs, lines };
}

/** One table of short rows, then the diffs. */
function openCards(cards: readonly CardText[], room: Room): string[] {
  const blocks = tableWithRoom(SECTION_HEAD, titledRows(cards), room);
  const diffs = cards.flatMap((card) => card.diffs);
  for (const { text } of piecesWithRoom(diffs, room)) blocks.push(text);
  return blocks;
}

/** The rows of several cards; each is named in the first of its rows. */
function titledRows(cards: readonly CardText[]): RowCells[] {
  const rows: RowCells[] = [];
  for (const { title, rows: own } of cards) {
    for (const [at, { cells, changes }] of own.entries()) {
      rows.push({ cells: [at === 0 ? title : '', ...cells], changes });
    }
  }
  return rows;
}

/** A table as far as there is room; the rows after that are counted. */
function tableWithRoom(
  head: readonly string[],
  rows: readonly RowCells[],
  room: Room,
): string[] {
  const shown: (readonly string[])[] = [];
  let hasRoom = rows.length > 0 && takesRoom(room, tableOf(head, []));
  for (const { cells, changes } of rows) {
    hasRoom = hasRoom && takesRoom(room, tableRow(cells));
    if (hasRoom) shown.push(cells);
    else room.left += changes;
  }
  return shown.length === 0 ? [] : [tableOf(head, shown)];
}

/** A card that opens with a click; nothing if there is no room for a part. */
function cardFold(
  { card, rows, diffs }: CardText,
  model: Model,
  room: Room,
): string[] {
  const { names, servers } = card;
  const title = cardSummary(names, servers, model.document);
  const size = `${title}: ${count(card.changes, 'change')}`;
  const summary = [size, ...remarksOn(card, model)].join(', ');
  if (!takesRoom(room, folded(summary, ''))) {
    room.left += card.changes;
    return [];
  }
  const content = tableWithRoom(CARD_HEAD, rows, room);
  for (const diff of piecesWithRoom(diffs, room)) content.push(diff.untitled);
  if (content.length === 0) return [];
  return [folded(summary, content.join('\n\n'))];
}

/** The risks of a card; after an apply, what became of it. */
function remarksOn({ rows }: Card, { isApplied }: Model): string[] {
  const words = new Set<string>();
  for (const { change, outcomes } of rows) {
    const endings = outcomes.map(({ outcome }) => outcome.replaceAll('-', ' '));
    for (const word of isApplied ? endings : change.risks) words.add(word);
  }
  return [...words];
}

/** All cards of a single row as one fold. */
function singleFold(cards: readonly CardText[], room: Room): string[] {
  if (cards.length === 0) return [];
  const names = cards.flatMap(({ card }) => card.names);
  const number = count(names.length, 'more integration');
  const list = nameList(names, MOST_NAMES, nameHtml);
  const summary = `${number} with one field each: ${list}`;
  if (!takesRoom(room, folded(summary, ''))) {
    for (const { card } of cards) room.left += card.changes;
    return [];
  }
  const [table] = tableWithRoom(SECTION_HEAD, titledRows(cards), room);
  return table === undefined ? [] : [folded(summary, table)];
}
