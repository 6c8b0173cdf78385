import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/lists.ts';
import { isStopped } from '../../model/live.ts';
import type { Place } from '../../model/place.ts';
import type { Document } from '../../plan/plan-document.ts';
import {
  compareNames,
  countNames,
  type Fact,
  namesIn,
  OUTCOME_LOOKS,
  serversIn,
  serversText,
  type Tone,
  toneOf,
} from './facts.ts';
import { type ShownValue, shownValue, sidesOf } from './value.ts';

/** The cards of one kind. */
export interface Section {
  tone: Tone;
  title: string;
  cards: readonly Card[];
}

/**
 * An integration, several with equal rows, or a change that most integrations
 * share.
 */
export interface Card {
  names: readonly string[];
  /** Of a change that most integrations share: `In 10 integrations`. */
  title?: string | undefined;
  files: readonly string[];
  /** What is said of all its rows. */
  notes: readonly Note[];
  rows: readonly Row[];
}

/** A field, told once over the servers on which it changes alike. */
export interface Row {
  field: string;
  value: ShownValue;
  /** Its line in the file of its card: `:12`; `:12+` if it has others too. */
  line: string;
  place?: Place | undefined;
  /** The weightiest first, sentences last. */
  notes: readonly Note[];
  /** The changes that it stands for. */
  facts: readonly [Fact, ...Fact[]];
}

/**
 * What is said of a row or a card. `reason`, `file` and `comment` are
 * sentences; all others are a few words.
 */
export interface Note {
  kind:
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
  tone: Tone;
  text: string;
  /** What it means. */
  title?: string | undefined;
}

/** Whether a note is a sentence, which stands below its row. */
export function isSentence({ kind }: Note): boolean {
  return kind === 'reason' || kind === 'file' || kind === 'comment';
}

interface SectionRule extends Omit<Section, 'cards'> {
  /** The note that its title makes needless. */
  says?: string;
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

/**
 * The sections of changes that have any, the weightiest first; in full each
 * integration has a card of its own.
 */
export function sectionsOf(
  facts: readonly Fact[],
  { command, servers }: Document,
  isFull = false,
): Section[] {
  const integrations = servers.flatMap((server) => server.integrations);
  const most = isFull ? undefined : countNames(integrations) / 2;
  const groups = grouped(groupsOf(facts, most), ruleOf);
  const sections: Section[] = [];
  for (const rule of [...ENDED, ...PLANNED]) {
    const own = groups.get(rule);
    if (own === undefined) continue;
    const title = command === 'compare' ? 'Differences' : rule.title;
    const cards = own.map((group) => cardOf(group, rule, servers.length));
    sections.push({ tone: rule.tone, title, cards });
  }
  return sections;
}

/** The changes of one card. */
interface CardGroup {
  facts: readonly Fact[];
  /** The names of its integrations. */
  names: readonly string[];
  /** Whether most integrations share this change. */
  isShared: boolean;
}

/** A change is shared by more integrations than this, and than half of all. */
const SHARED_BY = 4;

/**
 * Groups changes: those that more than `most` integrations share first, then by
 * name.
 */
function groupsOf(
  facts: readonly Fact[],
  most: number | undefined,
): CardGroup[] {
  const shared: CardGroup[] = [];
  const others: Fact[] = [];
  for (const alike of grouped(facts, ({ key }) => key).values()) {
    const isShared =
      most !== undefined && countNames(alike) > Math.max(SHARED_BY, most);
    if (isShared)
      shared.push({ facts: alike, names: namesIn(alike), isShared });
    else others.push(...alike);
  }
  const byName = [...grouped(others, ({ name }) => name).values()];
  const groups = grouped(
    byName,
    most === undefined ? ([{ name }]) => name : groupKey,
  );
  const own = [...groups.values()].map((group): CardGroup => {
    const all = group.flat();
    return { facts: all, names: namesIn(all), isShared: false };
  });
  own.sort((one, other) =>
    compareNames(one.names[0] ?? '', other.names[0] ?? ''),
  );
  return [...shared, ...own];
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
  { facts, names, isShared }: CardGroup,
  { says }: SectionRule,
  servers: number,
): Card {
  const homes = facts.flatMap(({ integration, change }) => {
    return integration.source?.file ?? change.source?.file ?? [];
  });
  const files = new Set(homes);
  const alike = grouped(facts, ({ key }) => key).values();
  const rows = [...alike].map((own) => rowOf(own, files, servers));
  rows.sort(comparePlaces);
  // What is said of each row is said once.
  const shared = (rows[0]?.notes ?? []).filter((note) => {
    const isOfEach = rows.every((row) => row.notes.some(isLike(note)));
    return SHARED.has(note.kind) && isOfEach;
  });
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

function rowOf(
  facts: readonly [Fact, ...Fact[]],
  files: ReadonlySet<string>,
  servers: number,
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
  servers: number,
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
  if (own.length < servers) {
    const text = `${serversText(own)} only`;
    const title = own.join(', ');
    notes.push({ kind: 'servers', tone: 'dim', text, title });
  }
  if (rotated !== undefined) {
    notes.push({ kind: 'rotated', tone: 'dim', text: `rotated ${rotated}` });
  }
  if (reason !== undefined) {
    notes.push({ kind: 'reason', tone: look?.tone ?? 'dim', text: reason });
  }
  const places = facts.flatMap((fact) => fact.change.source?.file ?? []);
  const declared = [...new Set(places)];
  if (declared.some((file) => !files.has(file))) {
    const text = listed(declared, MOST_FILES);
    notes.push({ kind: 'file', tone: 'dim', text });
  }
  if (comment !== undefined) {
    notes.push({ kind: 'comment', tone: 'dim', text: `# ${comment}` });
  }
  return notes;
}
