import { RISKS } from '../../plan/risk.ts';
import type { Card } from '../model/card.ts';
import type { Cause } from '../model/cause.ts';
import type { Row } from '../model/row.ts';
import { causeLinks } from './causes.ts';
import type { PageContext } from './context.ts';
import { type Child, element, type Markup } from './markup.ts';
import { type End, endNotes, endsOf } from './outcomes.ts';
import { tag } from './parts.ts';

/** What the notes of a row need to know about its card. */
export interface CardView {
  readonly card: Card;
  /** What the head of the card says about outcomes. */
  readonly common: readonly End[];
  readonly context: PageContext;
}

/** What is to be known about a row besides its values and its card. */
export function notesOf(row: Row, view: CardView): Markup[] {
  const { context } = view;
  const { change } = row;
  const notes: Child[] = [];
  if (context.model.hasBase) notes.push(labelNote(row));
  notes.push(...riskNotes(row));
  if (change.secret === true) notes.push(secretNote(change.rotated));
  if (change.comment !== undefined) {
    notes.push(element('q', {}, change.comment));
  }
  const causes = causesOfRow(row, context);
  if (causes.length > 0) notes.push(causeLinks(causes, context));
  const shown = ownEnds(row, view);
  for (const note of notes) {
    if (note !== undefined) shown.push(element('div', {}, note));
  }
  return shown;
}

/** The outcomes that the head of the card does not have. */
function ownEnds(row: Row, { common, context }: CardView): Markup[] {
  if (!context.model.isApplied) return [];
  const said = new Set(common.flatMap(({ servers }) => servers));
  const facts = row.facts.filter(({ server }) => !said.has(server));
  const ends = endsOf(facts);
  const isSome = facts.length < row.facts.length;
  return endNotes(ends, isSome || ends.length > 1);
}

function secretNote(rotated: string | undefined): string {
  return rotated === undefined ? 'secret' : `secret, rotated ${rotated}`;
}

function labelNote({ change }: Row): Child {
  if (change.label === 'change') return undefined;
  const words = change.label === 'drift' ? 'moved on the server' : 'both moved';
  return [tag(change.label, change.label), ` ${words}`];
}

function riskNotes({ change, refused }: Row): Child[] {
  const notes: Child[] = [];
  for (const risk of change.risks) {
    const look = refused === risk ? 'bad' : 'risk';
    notes.push([tag(look, risk), ` ${RISKS[risk].words}`]);
  }
  return notes;
}

/** The findings about the fields of a row. */
export function causesOfRow(row: Row, { causes }: PageContext): Cause[] {
  const found = new Set<Cause>();
  for (const { change, server } of row.facts) {
    const own = causes.ofAddress.get(change.address) ?? [];
    for (const cause of own) {
      if (isAbout(cause, server)) found.add(cause);
    }
  }
  return [...found];
}

/** Whether a finding is about a server; one that names none is about all. */
function isAbout({ servers }: Cause, server: string): boolean {
  return servers.length === 0 || servers.includes(server);
}
