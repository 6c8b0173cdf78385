import { count } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type { Outcome } from '../../plan/plan.ts';
import { TONES } from '../model/card.ts';
import type { Model } from '../model/model.ts';
import type { Fact } from '../model/row.ts';
import { type Tally, talliesOf } from '../model/tally.ts';
import { type Child, element, joined, type Markup } from './markup.ts';
import { outcomeWords, shownMeanings } from './outcomes.ts';
import { serverTags, tag, worstFirst } from './parts.ts';

/** Servers on which as many changes ended alike. */
interface ServerEnds {
  readonly servers: string[];
  readonly outcomes: readonly Tally<Outcome>[];
}

/** The most lines that stand open. */
const MOST_LINES = 8;

/**
 * How many changes ended how on each server, and what the words for it mean;
 * nothing if all are verified.
 */
export function outcomeSummary(model: Model): Markup | undefined {
  const { facts, document, tallies, isApplied } = model;
  const isVerified = tallies.outcomes.every(({ name }) => name === 'verified');
  if (!isApplied || isVerified) return undefined;
  const lines: Markup[] = [];
  if (document.servers.length > 1) {
    for (const ends of serverEnds(facts)) lines.push(serverLine(ends));
  }
  return element(
    'section',
    { class: 'outcomes', 'aria-label': 'Outcomes' },
    ...lines.slice(0, MOST_LINES),
    foldedLines(lines.slice(MOST_LINES)),
    element('p', { class: 'dim' }, ...meaningsOf(model)),
  );
}

/** The servers in their order; those that ended alike are together. */
function serverEnds(facts: readonly Fact[]): ServerEnds[] {
  const ends = new Map<string, ServerEnds>();
  for (const [server, own] of grouped(facts, (fact) => fact.server)) {
    const outcomes = worstFirst(talliesOf(own));
    const key = JSON.stringify(outcomes);
    const alike = ends.get(key);
    if (alike === undefined) ends.set(key, { servers: [server], outcomes });
    else alike.servers.push(server);
  }
  return [...ends.values()];
}

function serverLine({ servers, outcomes }: ServerEnds): Markup {
  const counts: Markup[] = [];
  for (const { name, count: number } of outcomes) {
    counts.push(tag(TONES[name], `${number} ${outcomeWords(name)}`));
  }
  const each = servers.length > 1 ? ' each' : '';
  return element('p', {}, serverTags(servers), each, ' ', joined(counts, ' '));
}

function foldedLines(lines: readonly Markup[]): Markup | undefined {
  if (lines.length === 0) return undefined;
  const summary = count(lines.length, 'more line');
  return element('details', {}, element('summary', {}, summary), ...lines);
}

/** The outcomes whose names need words, each with them. */
function meaningsOf({ tallies, document }: Model): Child[] {
  const meanings = shownMeanings(document);
  const parts: Child[] = [];
  for (const { name } of worstFirst(tallies)) {
    const meaning = meanings[name];
    if (meaning === undefined) continue;
    const word = element('b', {}, outcomeWords(name));
    parts.push([word, `: ${meaning}`]);
  }
  return joined(parts, '; ');
}
