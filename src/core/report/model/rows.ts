import { listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type { Place } from '../../model/place.ts';
import type { ChangeDocument, Outcome } from '../../plan/plan.ts';
import { RISKS } from '../../plan/risk.ts';
import { compareNames, type Fact, serversIn } from './facts.ts';
import { onlyOn } from './servers.ts';
import { OUTCOME_LOOKS, type Tone } from './tones.ts';
import { type ShownValue, shownValue, sidesOf } from './value.ts';

/** A field, told once over the servers on which it changes alike. */
export interface Row {
  readonly field: string;
  readonly value: ShownValue;
  /** Its line in the file of its card: `:12`; `:12+` if it has others too. */
  readonly line: string;
  readonly place?: Place | undefined;
  readonly notes: readonly Note[];
  /** The changes that it stands for. */
  readonly facts: readonly [Fact, ...Fact[]];
}

/**
 * What is said of a row or a card. `reason`, `file` and `comment` are
 * sentences; all others are a few words.
 */
export interface Note {
  readonly kind:
    | 'outcome'
    | 'risk'
    | 'label'
    | 'servers'
    | 'rotated'
    | 'stopped'
    | 'reason'
    | 'file'
    | 'comment';
  readonly tone: Tone;
  readonly text: string;
  /** What it means. */
  readonly title?: string | undefined;
}

/** Whether a note is a sentence, which stands below its row. */
export function isSentence({ kind }: Note): boolean {
  return kind === 'reason' || kind === 'file' || kind === 'comment';
}

/** What the head of a card says of all its rows. */
export interface CardHead {
  readonly servers: readonly string[];
  readonly files: readonly string[];
  readonly outcome?: Outcome | undefined;
  readonly reason?: string | undefined;
  /** Whether its section says that nothing but the server moved. */
  readonly isDrift: boolean;
}

/** How rows are made. */
export interface RowOptions {
  /** All servers of the document. */
  readonly servers: readonly string[];
}

/** The rows of a card, in the order of their files and lines. */
export function rowsOf(
  facts: readonly Fact[],
  head: CardHead,
  options: RowOptions,
): Row[] {
  const rows: Row[] = [];
  for (const alike of grouped(facts, ({ key }) => key).values()) {
    const [{ field, change }] = alike;
    const places = alike.flatMap((fact) => fact.change.source ?? []);
    const [place] = places;
    const isOne = places.every(({ line }) => line === place?.line);
    rows.push({
      field,
      value: shownValue(change),
      line: place === undefined ? '' : `:${place.line}${isOne ? '' : '+'}`,
      place,
      notes: notesOf(alike, head, options),
      facts: alike,
    });
  }
  return rows.sort(comparePlaces);
}

function comparePlaces(one: Row, other: Row): number {
  const files = compareNames(one.place?.file ?? '', other.place?.file ?? '');
  const lines = (one.place?.line ?? 0) - (other.place?.line ?? 0);
  return files || lines || compareNames(one.field, other.field);
}

/** The most files that a row names. */
const MOST_FILES = 3;

/** What is said of a row and not of its card, the weightiest first, sentences last. */
function notesOf(
  facts: readonly [Fact, ...Fact[]],
  head: CardHead,
  options: RowOptions,
): Note[] {
  const [{ change, refused }] = facts;
  const { outcome, reason, rotated, comment } = change;
  const notes: Note[] = [];
  const look = outcome && OUTCOME_LOOKS[outcome];
  if (look !== undefined && head.outcome === undefined) {
    notes.push({ kind: 'outcome', tone: look.tone, text: look.words });
  }
  for (const risk of change.risks) {
    const tone = refused === risk ? 'bad' : 'risk';
    notes.push({ kind: 'risk', tone, text: risk, title: RISKS[risk].words });
  }
  notes.push(...labelNotes(change, head.isDrift));
  notes.push(...serversNote(serversIn(facts), head.servers, options.servers));
  if (rotated !== undefined) {
    notes.push({ kind: 'rotated', tone: 'dim', text: `rotated ${rotated}` });
  }
  if (reason !== undefined && head.reason === undefined) {
    notes.push({ kind: 'reason', tone: look?.tone ?? 'dim', text: reason });
  }
  const files = [...new Set(filesIn(facts))];
  if (files.some((file) => !head.files.includes(file))) {
    const text = listed(files, MOST_FILES);
    notes.push({ kind: 'file', tone: 'dim', text });
  }
  if (comment !== undefined) {
    notes.push({ kind: 'comment', tone: 'dim', text: `# ${comment}` });
  }
  return notes;
}

/** The files that declare changes. */
export function filesIn(facts: readonly Fact[]): string[] {
  return facts.flatMap(({ change }) => change.source?.file ?? []);
}

/** Who moved a field, unless its section says so. */
function labelNotes(change: ChangeDocument, isDrift: boolean): Note[] {
  const { label } = change;
  if (label === 'conflict') {
    const { base } = sidesOf(change);
    const text = base === undefined ? 'conflict' : `conflict, base ${base}`;
    return [{ kind: 'label', tone: 'conflict', text }];
  }
  if (label !== 'drift' || isDrift) return [];
  const title = 'the server moved; apply sets it back';
  return [{ kind: 'label', tone: 'drift', text: 'drift', title }];
}

/** Says that something is on some servers only, unless it is on all of those. */
export function serversNote(
  servers: readonly string[],
  said: readonly string[],
  all: readonly string[],
): Note[] {
  if (servers.length === said.length) return [];
  const text = onlyOn(servers, all.length);
  return [{ kind: 'servers', tone: 'dim', text, title: servers.join(', ') }];
}
