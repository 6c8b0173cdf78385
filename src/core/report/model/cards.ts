import { count } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import {
  compareNames,
  type Fact,
  namesIn,
  serversIn,
  toneOf,
} from './facts.ts';
import {
  filesIn,
  type Note,
  type Row,
  type RowOptions,
  rowsOf,
  serversNote,
} from './rows.ts';
import { OUTCOME_LOOKS, type Tone } from './tones.ts';

/**
 * An integration, several with equal rows, or a change that most integrations
 * share.
 */
export interface Card {
  readonly names: readonly string[];
  /** Of a change that most integrations share: `In 10 integrations`. */
  readonly title?: string | undefined;
  readonly ids: readonly string[];
  readonly files: readonly string[];
  readonly notes: readonly Note[];
  readonly rows: readonly Row[];
}

/** The cards of one kind. */
export interface Section {
  readonly tone: Tone;
  readonly title: string;
  readonly cards: readonly Card[];
}

type SectionRule = Pick<Section, 'tone' | 'title'>;

/** The sections by their weight: a card is in that of its worst change. */
const PLANNED: readonly SectionRule[] = [
  { tone: 'bad', title: 'Refused' },
  { tone: 'conflict', title: 'Conflicts: changed here and on the server' },
  { tone: 'risk', title: 'Risks' },
  { tone: 'change', title: 'Changes' },
  { tone: 'drift', title: 'Drift: apply sets it back' },
];

/** Those of changes that an apply is through with. */
const ENDED: readonly SectionRule[] = [
  { tone: 'bad', title: 'Failed or unclear' },
  { tone: 'risk', title: 'Held back' },
  { tone: 'dim', title: 'Not attempted' },
  { tone: 'good', title: 'Done' },
];

function ruleOf({ facts }: CardGroup): SectionRule | undefined {
  const ended = facts.filter(({ change }) => change.outcome !== undefined);
  const isEnded = ended.length > 0;
  const tones = new Set((isEnded ? ended : facts).map(toneOf));
  const rules = isEnded ? ENDED : PLANNED;
  return rules.find(({ tone }) => tones.has(tone));
}

/** How cards are made. */
export interface CardOptions extends RowOptions {
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
    const isOther = tone === 'change' && sections.length > 0;
    const words = isOther ? 'Other changes' : rule.title;
    const title = options.isComparison ? 'Differences' : words;
    const cards = own.map((group) => cardOf(group, rule, options));
    sections.push({ tone, title, cards: cards.sort(compareCards) });
  }
  return sections;
}

/** Shared changes first, then by name. */
function compareCards(one: Card, other: Card): number {
  const isShared = Number(other.title !== undefined);
  const wasShared = Number(one.title !== undefined);
  const byName = compareNames(one.names[0] ?? '', other.names[0] ?? '');
  return isShared - wasShared || byName;
}

/** The changes of one card. */
interface CardGroup {
  readonly facts: readonly [Fact, ...Fact[]];
  /** Whether most integrations share this change. */
  readonly isShared: boolean;
}

/** A change is shared by more integrations than this, and than half of all. */
const SHARED_BY = 4;

function groupsOf(
  facts: readonly Fact[],
  { integrations, isFull }: CardOptions,
): CardGroup[] {
  const groups: CardGroup[] = [];
  const others: Fact[] = [];
  const least = isFull
    ? Number.POSITIVE_INFINITY
    : Math.max(SHARED_BY, integrations / 2);
  for (const alike of grouped(facts, ({ key }) => key).values()) {
    const isShared = alike.length > least && namesIn(alike).length > least;
    if (isShared) groups.push({ facts: alike, isShared });
    else others.push(...alike);
  }
  const byName = grouped(others, ({ name }) => name).values();
  const alike = grouped([...byName], (own) => {
    return isFull ? own[0].name : groupKey(own);
  });
  for (const [first, ...rest] of alike.values()) {
    groups.push({ facts: [...first, ...rest.flat()], isShared: false });
  }
  return groups;
}

/** What people read of an integration, without its name and places. */
function groupKey(facts: readonly Fact[]): string {
  const shown = facts.map(({ key, server }) => key + server);
  return JSON.stringify([shown.sort(), facts.some(isStopped)]);
}

function cardOf(
  { facts, isShared }: CardGroup,
  { title, tone }: SectionRule,
  options: CardOptions,
): Card {
  const names = namesIn(facts);
  const servers = serversIn(facts);
  const homes = facts.flatMap((fact) => fact.integration.source?.file ?? []);
  const declared = filesIn(facts);
  if (homes.length === 0) homes.push(...declared.slice(0, 1));
  const files = [...new Set(isShared ? declared : homes)];
  const outcome = onlyOne(facts, 'outcome');
  const reason = outcome && onlyOne(facts, 'reason');
  const notes: Note[] = [];
  if (outcome !== undefined) {
    const { tone: own, words } = OUTCOME_LOOKS[outcome];
    const isSaid = title.toLowerCase() === words || own === 'good';
    const text = reason === undefined ? words : `${words}: ${reason}`;
    if (reason !== undefined || !isSaid)
      notes.push({ kind: 'outcome', tone: own, text });
  }
  const stopped = facts.filter((fact) => {
    return isStopped(fact) && fact.change.outcome !== 'blocked';
  });
  const states = stopped.map(({ integration, server }) => {
    return `${integration.status} on ${server}`;
  });
  for (const text of new Set(states)) {
    notes.push({ kind: 'stopped', tone: 'risk', text });
  }
  notes.push(...serversNote(servers, options.servers, options.servers));
  const ids = facts.flatMap(({ integration: { id, counterpart = id } }) => {
    return [counterpart, id];
  });
  const head = { servers, files, outcome, reason, isDrift: tone === 'drift' };
  return {
    names,
    title: isShared ? `In ${count(names.length, 'integration')}` : undefined,
    ids: [...new Set(ids)],
    files,
    notes,
    rows: rowsOf(facts, head, options),
  };
}

/** What all changes have in common; undefined if they differ. */
function onlyOne<Key extends 'outcome' | 'reason'>(
  facts: readonly [Fact, ...Fact[]],
  key: Key,
): Fact['change'][Key] | undefined {
  const [{ change: first }] = facts;
  const isSame = facts.every(({ change }) => change[key] === first[key]);
  return isSame ? first[key] : undefined;
}

/** Whether an integration is likely to refuse, as far as the server says. */
function isStopped({ integration: { status } }: Fact): boolean {
  return status !== null && status.toLowerCase() !== 'running';
}
