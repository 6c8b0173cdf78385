import { grouped } from '../../model/json.ts';
import type { Place } from '../../model/place.ts';
import type { ChangeDocument } from '../../plan/plan.ts';
import { RISKS } from '../../plan/risk.ts';
import { compareNames, type Fact, serversIn } from './facts.ts';
import { filesText } from './files.ts';
import { onlyOn } from './servers.ts';
import { sidesOf } from './sides.ts';
import { OUTCOME_LOOKS, type Tone } from './tones.ts';
import { type ShownValue, shownValue } from './value.ts';

/** A field, told once over the servers on which it changes alike. */
export interface Row {
  readonly field: string;
  readonly address: string;
  readonly value: ShownValue;
  /** Its line in the file of its card: `:12`; `:12+` if it has others too. */
  readonly line: string;
  readonly place?: Place | undefined;
  readonly notes: readonly Note[];
  /** The changes that it stands for. */
  readonly facts: readonly [Fact, ...Fact[]];
  readonly servers: readonly string[];
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

/** What the card of a row says for all of its rows. */
export interface CardFacts {
  readonly servers: readonly string[];
  /** All servers of the document. */
  readonly allServers: readonly string[];
  /** The files that its head names. */
  readonly files: readonly string[];
  readonly hasOutcome: boolean;
  readonly hasReason: boolean;
  /** Whether its section says that nothing but the server moved. */
  readonly isDrift: boolean;
  readonly isFull: boolean;
}

/** The rows of a card, in the order of their files and lines. */
export function rowsOf(facts: readonly Fact[], card: CardFacts): Row[] {
  const rows: Row[] = [];
  for (const alike of grouped(facts, ({ key }) => key).values()) {
    rows.push(rowOf(alike, card));
  }
  return rows.sort(comparePlaces);
}

function comparePlaces(one: Row, other: Row): number {
  const files = compareNames(one.place?.file ?? '', other.place?.file ?? '');
  const lines = (one.place?.line ?? 0) - (other.place?.line ?? 0);
  return files || lines || compareNames(one.field, other.field);
}

function rowOf(facts: readonly [Fact, ...Fact[]], card: CardFacts): Row {
  const [{ field, change }] = facts;
  const places = placesOf(facts);
  const lines = new Set(places.map(({ line }) => line));
  const [line] = lines;
  return {
    field,
    address: change.address,
    value: shownValue(change, card.isFull),
    line: line === undefined ? '' : `:${line}${lines.size > 1 ? '+' : ''}`,
    place: places[0],
    notes: notesOf(facts, card),
    facts,
    servers: serversIn(facts),
  };
}

/** The places of changes, each line once. */
function placesOf(facts: readonly Fact[]): Place[] {
  const places = new Map<string, Place>();
  for (const { change } of facts) {
    const { source } = change;
    if (source === undefined) continue;
    const key = `${source.line} ${source.file}`;
    if (!places.has(key)) places.set(key, source);
  }
  return [...places.values()];
}

/** What is said of a row, the weightiest first. */
function notesOf(facts: readonly [Fact, ...Fact[]], card: CardFacts): Note[] {
  const [{ change, refused }] = facts;
  const notes: Note[] = [];
  const { outcome } = change;
  if (outcome !== undefined && !card.hasOutcome) {
    const { tone, words } = OUTCOME_LOOKS[outcome];
    notes.push({ kind: 'outcome', tone, text: words });
  }
  for (const risk of change.risks) {
    const tone = refused === risk ? 'bad' : 'risk';
    notes.push({ kind: 'risk', tone, text: risk, title: RISKS[risk].words });
  }
  notes.push(...labelNotes(change, card.isDrift));
  const servers = serversIn(facts);
  if (servers.length < card.servers.length) {
    notes.push(serversNote(servers, card.allServers));
  }
  if (change.rotated !== undefined) {
    const text = `rotated ${change.rotated}`;
    notes.push({ kind: 'rotated', tone: 'dim', text });
  }
  return [...notes, ...sentencesOf(facts, card)];
}

/** Why a row ended so, in which files it is if its card does not say so, and what its YAML says of it. */
function sentencesOf(
  facts: readonly [Fact, ...Fact[]],
  card: CardFacts,
): Note[] {
  const [{ change }] = facts;
  const notes: Note[] = [];
  const { outcome, reason } = change;
  if (reason !== undefined && !card.hasReason) {
    const tone = outcome === undefined ? 'dim' : OUTCOME_LOOKS[outcome].tone;
    notes.push({ kind: 'reason', tone, text: reason });
  }
  const files = filesText(filesIn(facts));
  if (files.some((file) => !card.files.includes(file))) {
    notes.push({ kind: 'file', tone: 'dim', text: files.join(', ') });
  }
  if (change.comment !== undefined) {
    const text = `# ${change.comment}`;
    notes.push({ kind: 'comment', tone: 'dim', text });
  }
  return notes;
}

/** The files that declare changes. */
export function filesIn(facts: readonly Fact[]): string[] {
  return [...new Set(facts.flatMap(({ change }) => change.source?.file ?? []))];
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

/** Says that something is on some servers only. */
export function serversNote(
  servers: readonly string[],
  all: readonly string[],
): Note {
  const text = onlyOn(servers, all.length);
  return { kind: 'servers', tone: 'dim', text, title: servers.join(', ') };
}
