import { count } from '../../findings/words.ts';
import type { Outcome } from '../../plan/plan.ts';
import { type Card, placesOf, type SectionKey, TONES } from '../model/card.ts';
import { filesElsewhere } from '../model/home.ts';
import type { Model } from '../model/model.ts';
import type { Row } from '../model/row.ts';
import { sideLines } from '../model/side-lines.ts';
import {
  type Members,
  type ShownSide,
  type Sides,
  sidesOf,
} from '../model/sides.ts';
import type { DiffLine } from '../model/text-diff.ts';
import { code, type FenceLine, fenced, nameCode } from './inline.ts';
import { sentence } from './sentence.ts';
import { lineNumbers, placeNames, serverNames } from './where.ts';

/** A field of a card in Markdown. */
export type RowText = ShortRow | LongRow;

interface AnyRow {
  /** How many lines a reader sees. */
  readonly lines: number;
  /** How many changes it tells. */
  readonly changes: number;
}

/** A field whose values stand beside each other. */
interface ShortRow extends AnyRow {
  readonly kind: 'short';
  /** The field, both sides, and the place. */
  readonly change: string;
  readonly notes: string;
}

/** A field whose values are compared line by line. */
interface LongRow extends AnyRow {
  readonly kind: 'long';
  /** The field and its notes. */
  readonly title: string;
  readonly fence: string;
}

/** Where rows stand. */
export interface RowContext {
  readonly model: Model;
  /** Their section. */
  readonly key: SectionKey;
  /** The reasons that stand there already: none is repeated. */
  readonly reasons: Set<string>;
}

/** The most lines of a comparison. */
const MOST_LINES = 30;

/** The most members of a list that it loses or gets. */
const MOST_MEMBERS = 12;

/** The most characters of a comment in the YAML. */
const LONGEST_COMMENT = 80;

/** A row with both of its sides. */
interface RowSides {
  readonly row: Row;
  readonly sides: Sides;
}

/** What short and long rows have in common. */
interface RowParts extends RowSides {
  readonly field: string;
  /** The lines of the row, with their files if they are not those of its card. */
  readonly place: string;
  readonly notes: readonly string[];
}

/** The rows of a card, the short ones first as they stand in a table. */
export function rowTexts(card: Card, context: RowContext): RowText[] {
  const short: RowSides[] = [];
  const long: RowSides[] = [];
  for (const row of card.rows) {
    const sides = sidesOf(row.change);
    (fitsInCell(sides) ? short : long).push({ row, sides });
  }
  const texts: RowText[] = [];
  for (const own of short) texts.push(shortRow(partsOf(own, card, context)));
  for (const own of long) texts.push(longRow(partsOf(own, card, context)));
  return texts;
}

function partsOf(
  { row, sides }: RowSides,
  card: Card,
  context: RowContext,
): RowParts {
  return {
    row,
    sides,
    field: nameCode(row.field),
    place: placeText(row, card, context),
    notes: notesOn({ row, sides }, card, context),
  };
}

function placeText(
  row: Row,
  card: Card,
  { model: { document } }: RowContext,
): string {
  const places = placesOf(row);
  const isElsewhere = filesElsewhere(row, card).length > 0;
  return isElsewhere
    ? placeNames(places, document)
    : lineNumbers(places, document);
}

function shortRow(parts: RowParts): ShortRow {
  const { row, sides, field, place, notes } = parts;
  return {
    kind: 'short',
    change: `${field}: ${changeText(sides)} ${place}`,
    notes: notes.join(', '),
    lines: 1,
    changes: row.facts.length,
  };
}

function longRow(parts: RowParts): LongRow {
  const { row, sides, field, place, notes } = parts;
  const lines = shownLines(sideLines(sides));
  return {
    kind: 'long',
    title: [`${field} ${place}`, ...notes].join(', '),
    fence: fenced(lines),
    lines: lines.length + 2,
    changes: row.facts.length,
  };
}

function notesOn(
  { row, sides }: RowSides,
  card: Card,
  context: RowContext,
): string[] {
  const notes = outcomeNotes(row, card, context);
  notes.push(...changeNotes(row, sides, context));
  if (row.servers.length < card.servers.length) {
    notes.push(`only ${serverNames(row.servers, context.model.document)}`);
  }
  return notes;
}

/** What became of a change, where, and why. */
function outcomeNotes(
  { outcomes }: Row,
  { names: [name] }: Card,
  { model, reasons }: RowContext,
): string[] {
  const notes: string[] = [];
  for (const { outcome, servers, reason } of outcomes) {
    const word = outcomeWord(outcome);
    const where = serverNames(servers, model.document);
    const note = outcomes.length === 1 ? word : `${word} on ${where}`;
    // Each card says why it failed; why others wait is said once.
    const key = TONES[outcome] === 'bad' ? `${name} ${reason}` : reason;
    if (reason === undefined || key === undefined || reasons.has(key)) {
      notes.push(note);
      continue;
    }
    reasons.add(key);
    notes.push(`${note}: ${sentence(reason)}`);
  }
  return notes;
}

function outcomeWord(outcome: Outcome): string {
  const word = outcome.replaceAll('-', ' ');
  return TONES[outcome] === 'good' ? word : `**${word}**`;
}

/** What a reviewer should know of a change. */
function changeNotes(
  { change, refused }: Row,
  { base }: Sides,
  { model, key }: RowContext,
): string[] {
  const { risks, label, rotated, comment } = change;
  const notes: string[] = [];
  for (const risk of risks) {
    notes.push(risk === refused ? `**${risk}**` : risk);
  }
  // The title of its section says that it drifted.
  const isTold = label === 'change' || key === 'drift';
  if (model.hasBase && !isTold) notes.push(label);
  if (base !== undefined) notes.push(`base ${code(base, LONGEST_COMMENT)}`);
  if (rotated !== undefined) notes.push(`rotated ${sentence(rotated)}`);
  if (comment !== undefined) notes.push(code(`# ${comment}`, LONGEST_COMMENT));
  return notes;
}

/** Whether a cell can show both sides: bars and backticks are hard to read. */
function fitsInCell({ layout, before, after }: Sides): boolean {
  if (layout === 'members') return true;
  return layout === 'short' && !/[|`]/.test(before.text + after.text);
}

function changeText({ members, before, after }: Sides): string {
  if (members !== undefined) return membersText(members);
  return `${sideText(before)} → ${sideText(after)}`;
}

function sideText({ text, isWords }: ShownSide): string {
  return isWords ? text : code(text);
}

function membersText({ removed, added }: Members): string {
  const members: string[] = [];
  for (const member of removed) members.push(nameCode(`-${member}`));
  for (const member of added) members.push(nameCode(`+${member}`));
  if (members.length === 0) return 'the order';
  const more = members.length - MOST_MEMBERS;
  if (more <= 0) return members.join(' ');
  return `${members.slice(0, MOST_MEMBERS).join(' ')} and ${more} more`;
}

/** The first lines of a comparison, and counts of those that are left out. */
function shownLines(lines: readonly DiffLine[]): FenceLine[] {
  const shown: FenceLine[] = [];
  const isLong = lines.length > MOST_LINES;
  const most = isLong ? MOST_LINES - 1 : lines.length;
  for (const line of lines.slice(0, most)) {
    if (line.mark !== ':') {
      shown.push(line);
      continue;
    }
    shown.push({ mark: ' ', text: `(${count(line.count, 'equal line')})` });
  }
  const left = lines.length - most;
  if (left > 0)
    shown.push({ mark: ' ', text: `(${count(left, 'more line')})` });
  return shown;
}
