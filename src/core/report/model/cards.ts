import { count } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type { IntegrationDocument, Outcome } from '../../plan/plan.ts';
import { compareNames, type Fact, namesIn, serversIn } from './facts.ts';
import { filesText } from './files.ts';
import { filesIn, type Note, type Row, rowsOf, serversNote } from './rows.ts';
import { OUTCOME_LOOKS, outcomeTone, type Tone } from './tones.ts';

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

interface SectionRule {
  readonly tone: Tone;
  readonly title: string;
  readonly has: (fact: Fact) => boolean;
}

/** The sections by their weight: a card is in that of its worst change. */
const SECTIONS: readonly SectionRule[] = [
  {
    tone: 'bad',
    title: 'Failed or unclear',
    has: (fact) => hasEnded(fact, 'bad'),
  },
  { tone: 'risk', title: 'Held back', has: (fact) => hasEnded(fact, 'risk') },
  { tone: 'dim', title: 'Not attempted', has: (fact) => hasEnded(fact, 'dim') },
  { tone: 'good', title: 'Done', has: (fact) => hasEnded(fact, 'good') },
  {
    tone: 'bad',
    title: 'Refused',
    has: ({ refused }) => refused !== undefined,
  },
  {
    tone: 'conflict',
    title: 'Conflicts: changed here and on the server',
    has: ({ change }) => change.label === 'conflict',
  },
  {
    tone: 'risk',
    title: 'Risks',
    has: ({ change }) => change.risks.length > 0,
  },
  {
    tone: 'change',
    title: 'Changes',
    has: ({ change }) => change.label === 'change',
  },
  { tone: 'drift', title: 'Drift: apply sets it back', has: () => true },
];

function hasEnded({ change: { outcome } }: Fact, tone: Tone): boolean {
  return outcome !== undefined && outcomeTone(outcome) === tone;
}

/** How cards are made. */
export interface CardOptions {
  /** All servers of the document. */
  readonly servers: readonly string[];
  /** How many integrations the document has. */
  readonly integrations: number;
  /** Whether each integration has a card of its own, and no value is cut. */
  readonly isFull: boolean;
  readonly isComparison: boolean;
}

/** The sections of changes that have any, the weightiest first. */
export function sectionsOf(
  facts: readonly Fact[],
  options: CardOptions,
): Section[] {
  const groups = groupsOf(facts, options);
  const sections: Section[] = [];
  for (const rule of SECTIONS) {
    const own = groups.filter((group) => ruleOf(group.facts) === rule);
    if (own.length === 0) continue;
    const { tone } = rule;
    const title = titleOf(rule, sections.length > 0, options);
    const cards = own.map((group) => cardOf(group, rule, options));
    sections.push({ tone, title, cards: cards.sort(compareCards) });
  }
  return sections;
}

function ruleOf(facts: readonly Fact[]): SectionRule | undefined {
  return SECTIONS.find(({ has }) => facts.some(has));
}

function titleOf(
  { title, tone }: SectionRule,
  isAfterOthers: boolean,
  { isComparison }: CardOptions,
): string {
  if (isComparison) return 'Differences';
  return tone === 'change' && isAfterOthers ? 'Other changes' : title;
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
  const byName = [...grouped(others, ({ name }) => name).values()];
  const alike = grouped(byName, (own) =>
    isFull ? own[0].name : groupKey(own),
  );
  for (const [first, ...rest] of alike.values()) {
    groups.push({ facts: [...first, ...rest.flat()], isShared: false });
  }
  return groups;
}

/** What people read of an integration, without its name and places. */
function groupKey(facts: readonly Fact[]): string {
  const shown: string[] = [];
  for (const { key, server } of facts) shown.push(key + server);
  return JSON.stringify([shown.sort(), facts.some(isStopped)]);
}

function cardOf(
  { facts, isShared }: CardGroup,
  section: SectionRule,
  { servers: allServers, isFull }: CardOptions,
): Card {
  const names = namesIn(facts);
  const servers = serversIn(facts);
  const files = filesText(isShared ? filesIn(facts) : homesOf(facts));
  const outcome = onlyOne(facts, 'outcome');
  const reason = outcome && onlyOne(facts, 'reason');
  const notes: Note[] = [];
  if (outcome !== undefined)
    notes.push(...outcomeNotes(outcome, reason, section));
  for (const text of stoppedOn(facts)) {
    notes.push({ kind: 'stopped', tone: 'risk', text });
  }
  if (servers.length < allServers.length) {
    notes.push(serversNote(servers, allServers));
  }
  return {
    names,
    title: isShared ? `In ${count(names.length, 'integration')}` : undefined,
    ids: [...new Set(facts.flatMap(({ integration }) => idsOf(integration)))],
    files,
    notes,
    rows: rowsOf(facts, {
      servers,
      allServers,
      files,
      hasOutcome: outcome !== undefined,
      hasReason: reason !== undefined,
      isDrift: section.tone === 'drift',
      isFull,
    }),
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

/** An outcome, with its reason, unless the title of the section is that word. */
function outcomeNotes(
  outcome: Outcome,
  reason: string | undefined,
  { title }: SectionRule,
): Note[] {
  const { tone, words } = OUTCOME_LOOKS[outcome];
  if (reason !== undefined) {
    return [{ kind: 'outcome', tone, text: `${words}: ${reason}` }];
  }
  const isSaid = title.toLowerCase() === words || tone === 'good';
  return isSaid ? [] : [{ kind: 'outcome', tone, text: words }];
}

/** Where integrations do not run, as far as no outcome says so. */
function stoppedOn(facts: readonly Fact[]): Set<string> {
  const states = new Set<string>();
  for (const fact of facts) {
    const { integration, server, change } = fact;
    if (!isStopped(fact) || change.outcome === 'blocked') continue;
    states.add(`${integration.status} on ${server}`);
  }
  return states;
}

/** Whether an integration is likely to refuse, as far as the server says. */
function isStopped({ integration: { status } }: Fact): boolean {
  return status !== null && status.toLowerCase() !== 'running';
}

/** The files of integrations; the first of their changes if they have none. */
function homesOf(facts: readonly Fact[]): string[] {
  const homes = new Set<string>();
  for (const { integration } of facts) {
    if (integration.source !== undefined) homes.add(integration.source.file);
  }
  return homes.size === 0 ? filesIn(facts).slice(0, 1) : [...homes];
}

/** The ids of an integration; in a comparison, on both servers. */
function idsOf({ id, counterpart }: IntegrationDocument): string[] {
  return counterpart === undefined ? [id] : [counterpart, id];
}
