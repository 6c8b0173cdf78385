import { count } from '../../findings/words.ts';
import type { Document } from '../../plan/plan.ts';
import type { Card, Section } from '../model/cards.ts';
import { modelOf } from '../model/model.ts';
import type { View } from '../report.ts';
import { cardText } from './card.ts';
import { headBlocks } from './head.ts';
import { fold } from './inline.ts';
import { tailBlocks } from './tail.ts';

/** The most characters; GitHub takes 65,536 for a comment. */
const MOST_CHARACTERS = 60_000;

/** The most lines of changes that can be read without a click. */
const OPEN_LINES = 60;

/** Characters for the title and fold of a section, and for the last count. */
const RESERVE = 200;

/** What may still be shown. */
interface Room {
  characters: number;
  /** Lines that can be read without a click. */
  lines: number;
  /** The names of integrations of which changes have no room. */
  readonly left: Set<string>;
}

/**
 * A comment on a pull request in Markdown, of at most 60,000 characters. Its
 * first line is a hidden marker by which the comment is found again.
 */
export function renderComment(document: Document, view?: View): string {
  const model = modelOf(document);
  const blocks = headBlocks(model);
  const tail = tailBlocks(model, view?.typed);
  const { length } = [...blocks, ...tail].join('\n\n');
  const characters = MOST_CHARACTERS - length - RESERVE;
  const room: Room = { characters, lines: OPEN_LINES, left: new Set() };
  for (const section of model.sections) {
    blocks.push(...sectionBlocks(section, document, room));
  }
  if (room.left.size > 0) {
    const number = count(room.left.size, 'integration');
    const where = 'The html report has all of them.';
    blocks.push(`**No room for changes of ${number}.** ${where}`);
  }
  return `${[...blocks, ...tail].join('\n\n')}\n`;
}

/** The cards of a section: as many as are open, then a fold of the others. */
function sectionBlocks(
  { title, cards }: Section,
  document: Document,
  room: Room,
): string[] {
  const blocks: string[] = [];
  const closed: string[] = [];
  const names = new Set<string>();
  room.characters -= RESERVE;
  for (const card of cards) {
    const text = textInRoom(card, document, room);
    if (text === undefined) continue;
    const lines = text.split(/\n+/).length;
    if (lines <= room.lines) {
      room.lines -= lines;
      blocks.push(text);
      continue;
    }
    closed.push(text);
    for (const name of card.names) names.add(name);
  }
  const isRest = blocks.length > 0;
  if (isRest) blocks.unshift(`#### ${title}`);
  if (closed.length > 0) {
    const noun = isRest ? 'more integration' : 'integration';
    const number = count(names.size, noun);
    const summary = isRest ? number : `<b>${title}</b>: ${number}`;
    blocks.push(fold(summary, closed.join('\n\n')));
  }
  return blocks;
}

/** The text of a card; undefined if it has no room. */
function textInRoom(
  card: Card,
  document: Document,
  room: Room,
): string | undefined {
  // Nothing is written that surely has no room.
  const text = room.characters < RESERVE ? '' : cardText(card, document);
  if (text !== '' && text.length < room.characters) {
    room.characters -= `${text}\n\n`.length;
    return text;
  }
  for (const name of card.names) room.left.add(name);
  return undefined;
}
