import { count, cut, phrase } from '../../findings/words.ts';
import type { Document } from '../../plan/plan.ts';
import { forLog, visible } from '../escape.ts';
import type { Card } from '../model/cards.ts';
import type { Note, Row } from '../model/rows.ts';
import { type DiffLine, folded, type Run, textOf } from '../model/text-diff.ts';
import type { ShownValue } from '../model/value.ts';
import {
  code,
  fenceOf,
  fold,
  LONGEST,
  linked,
  list,
  sentence,
} from './inline.ts';

/** The most names in the title of a card; all others are in a fold. */
const MOST_NAMES = 8;

/** The most names in a fold. */
const MOST_FOLDED = 200;

/** A card: its names, and its rows as a list. */
export function cardText(
  { names, title, notes, files, rows }: Card,
  document: Document,
): string {
  const head = [`**${title ?? list(names, MOST_NAMES)}**`];
  const hasLink = rows.some(({ place }) => {
    return place && linked('', place, document);
  });
  if (!hasLink && files.length > 0) head.push(list(files, 2));
  const said = notes.map(noteText).join(', ');
  const blocks = [phrase([...head, said])];
  if (title !== undefined || names.length > MOST_NAMES) {
    blocks.push(fold('their names', list(names, MOST_FOLDED)));
  }
  blocks.push(rows.map((row) => rowText(row, document)).join('\n'));
  return blocks.join('\n\n');
}

/** An item: the field, its value, notes, and the line; then a comparison. */
function rowText(row: Row, document: Document): string {
  const { field, value, line, place, notes } = row;
  const link = place && linked(`\`${line}\``, place, document);
  const said = notes.map(noteText).join(', ');
  const item = phrase(['-', code(field), valueText(value), said, link ?? line]);
  // A blank line between them would set all items of the list apart.
  return value.kind === 'lines' ? `${item}\n${fence(value.lines)}` : item;
}

/** What counts is bold. */
function noteText({ kind, tone, text }: Note): string {
  if (kind === 'comment' || kind === 'file') return code(text);
  const words = sentence(text);
  return tone === 'dim' || kind === 'reason' ? words : `**${words}**`;
}

function valueText(value: ShownValue): string {
  if (value.kind === 'lines') return '';
  const old = value.before && `${sideText(value.before)} → `;
  return `${old ?? ''}${sideText(value.after)}`;
}

/** One side of a change: words of ours, or a value as code. */
function sideText(runs: readonly Run[]): string {
  const text = textOf(runs);
  return runs[0]?.mark === '.' ? sentence(text) : code(text);
}

/** The most lines of a comparison. */
const MOST_LINES = 30;

/** Lines of a comparison as a block in an item, with a count of the others. */
function fence(lines: readonly DiffLine[]): string {
  const shown = lines.slice(0, MOST_LINES).map(({ mark, runs }) => {
    const text = visible(textOf(folded(runs)));
    return `${mark === ':' ? ' ' : mark} ${cut(text, '', LONGEST)}`;
  });
  const left = lines.length - MOST_LINES;
  if (left > 0) shown.push(`  (${count(left, 'more line')})`);
  // A line that stays could be a command of a runner.
  const content = forLog(shown.join('\n'));
  const ticks = fenceOf(content, 3);
  const block = `${ticks}diff\n${content}\n${ticks}`;
  return block.replace(/^/gm, '  ');
}
