import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import { isStopped } from '../../model/live.ts';
import type { Place } from '../../model/place.ts';
import {
  compareNames,
  countNames,
  type Fact,
  namesIn,
  OUTCOME_LOOKS,
  serversIn,
  type Tone,
  toneOf,
} from './facts.ts';
import { onlyOn } from './servers.ts';
import { type ShownValue, shownValue, sidesOf } from './value.ts';

/** The cards of one kind. */
export interface Section {
  readonly tone: Tone;
  readonly title: string;
  readonly cards: readonly Card[];
}

/**
 * An integration, several with equal rows, or a change that most integrations
 * share.
 */
export interface Card {
  readonly names: readonly string[];
  /** Of a change that most integrations share: `In 10 integrations`. */
  readonly title?: string | undefined;
  readonly files: readonly string[];
  /** What is said of all its rows. */
  readonly notes: readonly Note[];
  readonly rows: readonly Row[];
}

/** A field, told once over the servers on which it changes alike. */
export interface Row {
  readonly field: string;
  readonly value: ShownValue;
  /** Its line in the file of its card: `:12`; `:12+` if it has others too. */
  readonly line: string;
  readonly place?: Place | undefined;
  /** The weightiest first, sentences last. */
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
    | 'conflict'
    | 'drift'
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

interface SectionRule extends Omit<Section, 'cards'> {
  /** The note that its title makes needless. */
  readonly says?: string;
}

/** The sections by their weight: a card is in that of its worst change. */
const PLANNED: readonly SectionRule[] = [
  { tone: 'bad', title: 'Refused' },
  { tone: 'conflict', title: 'Conflicts: changed here and on the server' },
  { tone: 'risk', title: 'Risks' },
  { tone: 'change', title: 'Changes' },
  { tone: 'drift', title: 'Drift: apply sets it back', says: 'drift' },
];

/** Those of changes that an apply is through with. */
const ENDED: readonly SectionRule[] = [
  { tone: 'bad', title: 'Failed or unclear' },
  { tone: 'risk', title: 'Held back' },
  { tone: 'dim', title: 'Not attempted', says: 'not attempted' },
  { tone: 'good', title: 'Done', says: 'verified' },
];

function ruleOf({ facts }: CardGroup): SectionRule | undefined {
  const ended = facts.filter(({ change }) => change.outcome !== undefined);
  const isEnded = ended.length > 0;
  const tones = new Set((isEnded ? ended : facts).map(toneOf));
  const rules = isEnded ? ENDED : PLANNED;
  return rules.find(({ tone }) => tones.has(tone));
}

/** How cards are made. */
export interface CardOptions {
  /** All servers of the document. */
  readonly servers: readonly string[];
  /** How many integrations the document has. */
  readonly integrations: number;
  readonly isComparison: boolean;
  /** Whether each integration has a card of its own. */
  readonly isFull: boolean;
}

/** The sections of changes that have any, the weightiest first. */
export function sectionsOf(
  facts: readonly Fact[],
  options: CardOptions,
): Section[] {
  const groups = grouped(groupsOf(facts, options), ruleOf);
  const sections: Section[] = [];
  for (const rule of [...ENDED, ...PLANNED]) {
    const own = groups.get(rule);
    if (own === undefined) continue;
    const { tone } = rule;
    const title = options.isComparison ? 'Differences' : rule.title;
    const cards = own.map((group) => cardOf(group, rule, options.servers));
    sections.push({ tone, title, cards: cards.sort(compareCards) });
  }
  return sections;
}

/** Shared changes first, then by name. */
function compareCards(one: Card, other: Card): number {
  const isShared = one.title !== undefined;
  if (isShared !== (other.title !== undefined)) return isShared ? -1 : 1;
  return compareNames(one.names[0] ?? '', other.names[0] ?? '');
}

/** The changes of one card. */
interface CardGroup {
  readonly facts: readonly Fact[];
  /** Whether most integrations share this change. */
  readonly isShared: boolean;
}

/** A change is shared by more integrations than this, and than half of all. */
const SHARED_BY = 4;

function groupsOf(
  facts: readonly Fact[],
  { integrations, isFull }: CardOptions,
): CardGroup[] {
  if (isFull) {
    const byName = grouped(facts, ({ name }) => name).values();
    return [...byName].map((own) => ({ facts: own, isShared: false }));
  }
  const groups: CardGroup[] = [];
  const others: Fact[] = [];
  const least = Math.max(SHARED_BY, integrations / 2);
  for (const alike of grouped(facts, ({ key }) => key).values()) {
    const isShared = alike.length > least && countNames(alike) > least;
    if (isShared) groups.push({ facts: alike, isShared });
    else others.push(...alike);
  }
  const byName = grouped(others, ({ name }) => name).values();
  for (const alike of grouped([...byName], groupKey).values()) {
    groups.push({ facts: alike.flat(), isShared: false });
  }
  return groups;
}

/** What people read of an integration, without its name and places. */
function groupKey(facts: readonly Fact[]): string {
  const shown = facts.map(({ key, server }) => key + server);
  return JSON.stringify([shown.sort(), facts.some(isOfStopped)]);
}

/** What is said once for all rows, if it is said of each. */
const SHARED: ReadonlySet<Note['kind']> = new Set([
  'outcome',
  'reason',
  'drift',
  'servers',
]);

/** A card; what the title of its section says is not said again. */
function cardOf(
  { facts, isShared }: CardGroup,
  { says }: SectionRule,
  servers: readonly string[],
): Card {
  const names = namesIn(facts);
  const files = cardFiles(facts, isShared);
  const alike = grouped(facts, ({ key }) => key).values();
  const rows = [...alike].map((own) => rowOf(own, files, servers));
  rows.sort(comparePlaces);
  const shared = sharedNotes(rows);
  const notes = shared.filter(({ text }) => text !== says);
  return {
    names,
    title: isShared ? `In ${count(names.length, 'integration')}` : undefined,
    files: [...files],
    notes: [...notes, ...stoppedNotes(facts)],
    rows: rows.map((row) => {
      const own = row.notes.filter((note) => !shared.some(isLike(note)));
      return { ...row, notes: own };
    }),
  };
}

/** The file of the entry, or all that declare a change that many share. */
function cardFiles(
  facts: readonly Fact[],
  isShared: boolean,
): ReadonlySet<string> {
  if (isShared) return filesIn(facts);
  const homes = facts.flatMap((fact) => fact.integration.source?.file ?? []);
  return new Set(homes.length > 0 ? homes : [...filesIn(facts)].slice(0, 1));
}

/** What is said of each row. */
function sharedNotes(rows: readonly Row[]): Note[] {
  const [first, ...others] = rows;
  if (first === undefined) return [];
  return first.notes.filter((note) => {
    if (!SHARED.has(note.kind)) return false;
    return others.every((row) => row.notes.some(isLike(note)));
  });
}

/** Where integrations do not run; a change that is blocked says it already. */
function stoppedNotes(facts: readonly Fact[]): Note[] {
  const texts = new Set<string>();
  for (const fact of facts) {
    const isSaid = fact.change.outcome === 'blocked';
    if (isSaid || !isOfStopped(fact)) continue;
    texts.add(`${fact.integration.status} on ${fact.server}`);
  }
  return [...texts].map((text) => ({ kind: 'stopped', tone: 'risk', text }));
}

function isOfStopped({ integration }: Fact): boolean {
  return isStopped(integration.status);
}

function isLike(note: Note): (other: Note) => boolean {
  return ({ kind, text }) => kind === note.kind && text === note.text;
}

function comparePlaces(one: Row, other: Row): number {
  const files = compareNames(one.place?.file ?? '', other.place?.file ?? '');
  const lines = (one.place?.line ?? 0) - (other.place?.line ?? 0);
  return files || lines || compareNames(one.field, other.field);
}

/** The files that declare changes. */
function filesIn(facts: readonly Fact[]): ReadonlySet<string> {
  const files = new Set<string>();
  for (const { change } of facts) {
    if (change.source !== undefined) files.add(change.source.file);
  }
  return files;
}

function rowOf(
  facts: readonly [Fact, ...Fact[]],
  files: ReadonlySet<string>,
  servers: readonly string[],
): Row {
  const [{ field, change }] = facts;
  const places = facts.flatMap((fact) => fact.change.source ?? []);
  const [place] = places;
  const isOne = places.every(({ line }) => line === place?.line);
  return {
    field,
    value: shownValue(change),
    line: place === undefined ? '' : `:${place.line}${isOne ? '' : '+'}`,
    place,
    notes: notesOf(facts, files, servers),
    facts,
  };
}

/** The most files that a row names. */
const MOST_FILES = 3;

/** What is said of a row, in a card that names these files. */
function notesOf(
  facts: readonly [Fact, ...Fact[]],
  files: ReadonlySet<string>,
  servers: readonly string[],
): Note[] {
  const [{ change, refused }] = facts;
  const { outcome, label, reason, rotated, comment } = change;
  const notes: Note[] = [];
  const look = outcome && OUTCOME_LOOKS[outcome];
  if (look !== undefined) {
    notes.push({ kind: 'outcome', tone: look.tone, text: look.words });
  }
  for (const risk of change.risks) {
    const tone = refused === risk ? 'bad' : 'risk';
    notes.push({ kind: 'risk', tone, text: risk });
  }
  if (label === 'conflict') {
    const { base } = sidesOf(change);
    const text = base === undefined ? 'conflict' : `conflict, base ${base}`;
    notes.push({ kind: label, tone: label, text });
  }
  if (label === 'drift') notes.push({ kind: label, tone: label, text: label });
  const own = serversIn(facts);
  if (own.length < servers.length) {
    const text = onlyOn(own, servers.length);
    const title = own.join(', ');
    notes.push({ kind: 'servers', tone: 'dim', text, title });
  }
  if (rotated !== undefined) {
    notes.push({ kind: 'rotated', tone: 'dim', text: `rotated ${rotated}` });
  }
  if (reason !== undefined) {
    notes.push({ kind: 'reason', tone: look?.tone ?? 'dim', text: reason });
  }
  const declared = [...filesIn(facts)];
  if (declared.some((file) => !files.has(file))) {
    const text = listed(declared, MOST_FILES);
    notes.push({ kind: 'file', tone: 'dim', text });
  }
  if (comment !== undefined) {
    notes.push({ kind: 'comment', tone: 'dim', text: `# ${comment}` });
  }
  return notes;
}
