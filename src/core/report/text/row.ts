import { listed } from '../../findings/words.ts';
import { isPermission } from '../../model/permission.ts';
import type { Outcome } from '../../plan/plan.ts';
import { visible } from '../escape.ts';
import {
  type Card,
  type Tone as OutcomeTone,
  placesOf,
  TONES,
} from '../model/card.ts';
import { filesElsewhere } from '../model/home.ts';
import type { Row } from '../model/row.ts';
import { sideLines } from '../model/side-lines.ts';
import { effectOf, type Sides, sidesOf } from '../model/sides.ts';
import type { DiffLine } from '../model/text-diff.ts';
import type { Tone } from '../report.ts';
import { fold } from '../wrap.ts';
import { onlyOn, serversText } from './servers.ts';

/** A row as text, before it is laid out. Nothing in it moves the cursor. */
export interface RowText {
  /** Its line in the file of its card: `:12`; `:12+` if it has others too. */
  readonly line: string;
  readonly mark: '+' | '-' | '~';
  readonly field: string;
  readonly value: ValueText;
  readonly remarks: readonly Remark[];
  /** What stands below it. */
  readonly notes: readonly Remark[];
}

/** Words about a row. */
export interface Remark {
  readonly text: string;
  readonly tone: Tone;
}

/** What changes, by the way in which it reads best. */
export type ValueText =
  /** Members of a list, each with its mark. */
  | { readonly kind: 'members'; readonly members: readonly string[] }
  | { readonly kind: 'lines'; readonly lines: readonly DiffLine[] }
  /** Two texts of one line; without `before` if nothing was set. */
  | {
      readonly kind: 'sides';
      readonly before?: string | undefined;
      readonly after: string;
    };

/** What a row is shown in. */
export interface RowContext {
  readonly card: Card;
  /** How many servers the document has. */
  readonly servers: number;
  readonly isFull: boolean;
}

export function rowText(row: Row, context: RowContext): RowText {
  const { isFull } = context;
  const sides = sidesOf(row.change);
  const base = sides.base === undefined ? undefined : fold(sides.base, '');
  return {
    line: lineText(row),
    mark: markOf(sides),
    field: visible(row.field),
    value: valueText(sides, isFull),
    remarks: remarksOf(row, base, context),
    notes: notesOf(row, sides, base, isFull),
  };
}

/** The line of a row, with a plus if it stands on others too. */
export function lineText(row: Row): string {
  const lines = new Set(placesOf(row).map(({ line }) => line));
  const [line] = lines;
  return `:${line}${lines.size > 1 ? '+' : ''}`;
}

function markOf({ isNew, isGone }: Sides): RowText['mark'] {
  if (isNew) return '+';
  return isGone ? '-' : '~';
}

function valueText(sides: Sides, isFull: boolean): ValueText {
  const { before, after, isNew, members, layout } = sides;
  if (members !== undefined) {
    const removed = members.removed.map((member) => `-${visible(member)}`);
    const added = members.added.map((member) => `+${visible(member)}`);
    return { kind: 'members', members: [...removed, ...added] };
  }
  if (layout === 'lines') {
    const context = isFull ? Number.POSITIVE_INFINITY : undefined;
    return { kind: 'lines', lines: sideLines(sides, context) };
  }
  return {
    kind: 'sides',
    before: isNew ? undefined : fold(before.text, after.text, isFull),
    after: fold(after.text, isNew ? '' : before.text, isFull),
  };
}

/** A longer base of a conflict stands below its row. */
const LONGEST_BASE = 24;

/** What is said beside a row: what became of it, its risks, where it is. */
function remarksOf(
  row: Row,
  base: string | undefined,
  context: RowContext,
): Remark[] {
  return [
    ...outcomeRemarks(row, context.card),
    ...riskRemarks(row),
    ...labelRemarks(row, base, context.card),
    ...rotationRemarks(row),
    ...placeRemarks(row, context),
  ];
}

/** The outcomes of a row; none if its whole card is as it should be. */
function outcomeRemarks({ outcomes }: Row, card: Card): Remark[] {
  const [first, ...others] = outcomes;
  if (first === undefined) return [];
  if (others.length > 0) {
    return outcomes.map(({ outcome, servers }) => {
      const text = `${outcomeWords(outcome)} ${serversText(servers)}`;
      return { text, tone: outcomeTone(outcome) };
    });
  }
  const { outcome } = first;
  if (outcome === 'verified' && card.section === 'done') return [];
  return [{ text: outcomeWords(outcome), tone: outcomeTone(outcome) }];
}

function riskRemarks({ change, refused }: Row): Remark[] {
  return change.risks.map((risk) => {
    const tone = risk === refused ? 'error' : 'risk';
    return { text: `! ${risk}`, tone };
  });
}

/** Whose a change is, unless its section says so. */
function labelRemarks(
  { change: { label } }: Row,
  base: string | undefined,
  card: Card,
): Remark[] {
  if (label === 'conflict') {
    const isShort = base !== undefined && base.length <= LONGEST_BASE;
    const text = isShort ? `conflict, base ${base}` : 'conflict';
    return [{ text, tone: 'conflict' }];
  }
  if (label !== 'drift' || card.section === 'drift') return [];
  return [{ text: 'drift', tone: 'drift' }];
}

/** The day on which a secret was replaced. */
function rotationRemarks({ change: { rotated } }: Row): Remark[] {
  if (rotated === undefined) return [];
  return [{ text: `rotated ${visible(rotated)}`, tone: 'faint' }];
}

/** The file and the servers of a row, where its card has others too. */
function placeRemarks(row: Row, { card, servers }: RowContext): Remark[] {
  const remarks: Remark[] = [];
  const elsewhere = filesElsewhere(row, card);
  if (elsewhere.length > 0) {
    const text = `in ${visible(listed(elsewhere, 1))}`;
    remarks.push({ text, tone: 'faint' });
  }
  if (row.servers.length < card.servers.length) {
    remarks.push({ text: onlyOn(row.servers, servers), tone: 'faint' });
  }
  return remarks;
}

const OUTCOME_TONES = {
  good: 'add',
  held: 'warning',
  open: 'faint',
  bad: 'error',
} as const satisfies Record<OutcomeTone, Tone>;

/** The tone of an outcome. */
export function outcomeTone(outcome: Outcome): Tone {
  return OUTCOME_TONES[TONES[outcome]];
}

/** An outcome in words: `not attempted`. */
export function outcomeWords(outcome: Outcome): string {
  return outcome.replace('-', ' ');
}

/** The comment of a row, its base if that is long, and in full its meaning. */
function notesOf(
  { change }: Row,
  sides: Sides,
  base: string | undefined,
  isFull: boolean,
): Remark[] {
  const notes: Remark[] = [];
  if (base !== undefined && base.length > LONGEST_BASE) {
    notes.push({ text: `base: ${base}`, tone: 'conflict' });
  }
  const texts: string[] = [];
  if (isFull) texts.push(...meaningOf(change, sides));
  if (change.comment !== undefined) texts.push(change.comment);
  for (const text of texts) {
    notes.push({ text: `# ${visible(text)}`, tone: 'faint' });
  }
  return notes;
}

/** What a drift is, and the effect of a permission. */
function meaningOf(
  { label, secret, outcome, before, after }: Row['change'],
  sides: Sides,
): string[] {
  const texts: string[] = [];
  if (label === 'drift' && outcome === undefined) {
    texts.push(driftText(sides, secret === true));
  }
  if (isPermission(after)) {
    const now = effectOf(after) ?? '';
    const old = effectOf(before);
    texts.push(old === undefined ? now : `${old} -> ${now}`);
  }
  return texts;
}

function driftText(
  { before, after, isNew, layout }: Sides,
  isSecret: boolean,
): string {
  if (isNew) return 'is not set on the server; apply sets it';
  if (isSecret) return `the server holds another value than \`${after.text}\``;
  if (layout !== 'short') return 'moved on the server; apply sets it back';
  return `was set to \`${before.text}\` on the server; apply sets it back to \`${after.text}\``;
}
