import { grouped } from '../../model/json.ts';
import type { Place } from '../../model/place.ts';
import type { Outcome } from '../../plan/plan.ts';
import { type Fact, type Row, rowsOf } from './row.ts';

/** How an outcome looks: what went well, waits, was held back, or failed. */
export const TONES = {
  verified: 'good',
  sent: 'good',
  'not-converged': 'bad',
  failed: 'bad',
  stale: 'held',
  blocked: 'held',
  'not-attempted': 'open',
  unknown: 'bad',
} as const satisfies Record<Outcome, string>;

export type Tone = (typeof TONES)[Outcome];

/** An integration, or several with equal rows. */
export interface Card {
  /** The names of the integrations. */
  readonly names: readonly [string, ...string[]];
  readonly ids: readonly string[];
  readonly rows: readonly Row[];
  readonly section: SectionKey;
  readonly servers: readonly string[];
  /** Where an integration does not run: `stopped on prod`. */
  readonly stopped: readonly string[];
  /** The files that declare its changes. */
  readonly files: readonly string[];
  /** How many changes it stands for, over its servers. */
  readonly changes: number;
}

/** The cards of one kind. */
export interface Section {
  readonly key: SectionKey;
  readonly title: string;
  readonly cards: readonly Card[];
  /** How many changes of its kind its cards have. */
  readonly changes: number;
  /** How many more stand in the weightier sections above. */
  readonly above: number;
}

interface SectionRule {
  readonly title: string;
  /** Whether a change is of the kind of this section. */
  readonly has: (fact: Fact) => boolean;
}

/** The sections in the order of their weight: a card is in the first. */
const SECTIONS = {
  refused: {
    title: 'Refused',
    has: ({ refused }) => refused !== undefined,
  },
  failed: { title: 'Failed or unclear', has: (fact) => ended(fact, 'bad') },
  held: { title: 'Held back', has: (fact) => ended(fact, 'held') },
  open: { title: 'Not attempted', has: (fact) => ended(fact, 'open') },
  done: { title: 'Done', has: (fact) => ended(fact, 'good') },
  conflict: {
    title: 'Conflicts: this branch and the server both moved',
    has: ({ change }) => change.label === 'conflict',
  },
  risk: { title: 'Risks', has: ({ change }) => change.risks.length > 0 },
  change: { title: 'Changes', has: ({ change }) => change.label === 'change' },
  drift: {
    title: 'Drift only: the server moved, apply sets it back',
    has: ({ change }) => change.label === 'drift',
  },
} as const satisfies Record<string, SectionRule>;

export type SectionKey = keyof typeof SECTIONS;

const SECTION_KEYS = Object.keys(SECTIONS) as SectionKey[];

function ended({ change: { outcome } }: Fact, tone: Tone): boolean {
  return outcome !== undefined && TONES[outcome] === tone;
}

/** How cards are made. */
export interface CardOptions {
  /** Whether each integration has a card of its own. */
  readonly isFull: boolean;
  /** Whether labels say who moved a field. */
  readonly hasBase: boolean;
}

/** The sections of changes that have any, the weightiest first. */
export function sectionsOf(
  facts: readonly Fact[],
  { isFull, hasBase }: CardOptions,
): Section[] {
  const cards = cardsOf(facts, isFull);
  const sections: Section[] = [];
  for (const key of SECTION_KEYS) {
    const inSection = cards.filter(({ section }) => section === key);
    if (inSection.length === 0) continue;
    const isFirst = sections.length === 0;
    const title = titleOf(key, { hasBase, isFirst });
    const changes = numberOf(key, factsIn(inSection));
    const above = numberOf(key, facts) - changes;
    sections.push({ key, title, cards: inSection, changes, above });
  }
  return sections;
}

function factsIn(cards: readonly Card[]): Fact[] {
  const rows = cards.flatMap((card) => card.rows);
  return rows.flatMap((row) => row.facts);
}

/** How many changes are of the kind of a section. */
function numberOf(key: SectionKey, facts: readonly Fact[]): number {
  return facts.filter((fact) => SECTIONS[key].has(fact)).length;
}

/** What decides the title of a section. */
interface Titled {
  readonly hasBase: boolean;
  /** False if weightier sections have changes, too. */
  readonly isFirst: boolean;
}

function titleOf(key: SectionKey, { hasBase, isFirst }: Titled): string {
  if (key !== 'change') return SECTIONS[key].title;
  const title = hasBase ? 'changes by this branch' : 'changes';
  return isFirst
    ? `${title.charAt(0).toUpperCase()}${title.slice(1)}`
    : `Other ${title}`;
}

/** An integration on all its servers. */
interface Told {
  readonly name: string;
  readonly facts: readonly [Fact, ...Fact[]];
  readonly rows: readonly Row[];
}

function cardsOf(facts: readonly Fact[], isFull: boolean): Card[] {
  const integrations: Told[] = [];
  const byName = grouped(facts, ({ integration }) => integration.name);
  for (const [name, own] of byName) {
    integrations.push({ name, facts: own, rows: rowsOf(own) });
  }
  const alike = grouped(integrations, (integration) =>
    isFull ? integration.name : cardKey(integration),
  );
  const cards: Card[] = [];
  for (const group of alike.values()) cards.push(cardOf(group));
  return cards;
}

/** What people read of an integration, without its name and places. */
function cardKey({ facts, rows }: Told): string {
  const shown: unknown[] = [];
  for (const { field, change, refused, outcomes, servers } of rows) {
    const { source, address, reason, outcome, maybeWritten, ...rest } = change;
    const isUntold = rest.secret === true && rest.reference === undefined;
    const name = isUntold ? address : field;
    shown.push([name, rest, refused, outcomes, servers]);
  }
  const stopped = facts.filter(isStopped).map(({ server }) => server);
  return JSON.stringify([shown, [...new Set(stopped)]]);
}

function cardOf([first, ...others]: readonly [Told, ...Told[]]): Card {
  const members = [first, ...others];
  const facts = members.flatMap((member) => member.facts);
  const names: [string, ...string[]] = [first.name];
  for (const { name } of others) names.push(name);
  const { rows } = first;
  const stopped = facts
    .filter(isStopped)
    .map(({ integration, server }) => `${integration.status} on ${server}`);
  return {
    names,
    ids: unique(facts.map(({ integration }) => integration.id)),
    rows: rows.map((row, at) => withMembers(row, at, members)),
    section: sectionOf(facts),
    servers: unique(facts.map(({ server }) => server)),
    stopped: unique(stopped),
    files: unique(facts.map(({ change }) => change.source.file)),
    changes: facts.length,
  };
}

/** A row with the changes of all members of its card. */
function withMembers(row: Row, at: number, members: readonly Told[]): Row {
  const [first] = row.facts;
  const facts = members.flatMap(({ rows }) => rows[at]?.facts ?? []);
  return { ...row, facts: [first, ...facts.filter((fact) => fact !== first)] };
}

function sectionOf(facts: readonly Fact[]): SectionKey {
  for (const key of SECTION_KEYS) {
    if (facts.some((fact) => SECTIONS[key].has(fact))) return key;
  }
  return 'drift';
}

/** Whether an integration is likely to refuse, as far as the server says. */
function isStopped({ integration }: Fact): boolean {
  const { status } = integration;
  return status !== null && status.toLowerCase() !== 'running';
}

/** The places of a row, each line once. */
export function placesOf({ facts }: Row): Place[] {
  const places = new Map<string, Place>();
  for (const { change } of facts) {
    const { file, line } = change.source;
    const key = `${line} ${file}`;
    if (!places.has(key)) places.set(key, change.source);
  }
  return [...places.values()];
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)];
}
