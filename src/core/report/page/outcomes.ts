import { grouped } from '../../model/json.ts';
import type { Document, Outcome } from '../../plan/plan.ts';
import { type Card, TONES } from '../model/card.ts';
import { type Meanings, meaningsIn } from '../model/meanings.ts';
import type { Fact } from '../model/row.ts';
import { element, type Markup } from './markup.ts';
import { tag } from './parts.ts';

/** An outcome in words: `not attempted`. */
export function outcomeWords(outcome: Outcome): string {
  return outcome.replaceAll('-', ' ');
}

/** What outcomes mean, *verified* too: people ask how it differs from *sent*. */
export function shownMeanings(document: Document): Meanings {
  return { verified: 'read back from the server', ...meaningsIn(document) };
}

/** How changes ended, on the servers on which they ended so. */
export interface End {
  readonly outcome: Outcome;
  readonly reason?: string | undefined;
  readonly servers: readonly string[];
}

/** The ends of servers on which all rows of a card ended alike. */
export function commonEnds({ rows }: Card): End[] {
  if (rows.length < 2) return [];
  const common: Fact[] = [];
  const facts = rows.flatMap((row) => row.facts);
  for (const own of grouped(facts, ({ server }) => server).values()) {
    if (endsOf(own).length === 1) common.push(own[0]);
  }
  return endsOf(common);
}

/** How changes ended: each outcome and reason once; none before an apply. */
export function endsOf(facts: readonly Fact[]): End[] {
  const ends: End[] = [];
  const alike = grouped(facts, ({ change: { outcome, reason } }) =>
    JSON.stringify([outcome, reason]),
  );
  for (const group of alike.values()) {
    const [{ change }] = group;
    const { outcome, reason } = change;
    if (outcome === undefined) continue;
    const servers = new Set(group.map(({ server }) => server));
    ends.push({ outcome, reason, servers: [...servers] });
  }
  return ends;
}

/** Ends in words; servers are named if there are several ends. */
export function endNotes(ends: readonly End[], hasServers: boolean): Markup[] {
  const notes: Markup[] = [];
  for (const { outcome, reason, servers } of ends) {
    const name = tag(TONES[outcome], outcomeWords(outcome));
    const where = hasServers ? ` ${servers.join(', ')}` : '';
    const why = reason === undefined ? undefined : element('small', {}, reason);
    notes.push(element('div', {}, name, where, why));
  }
  return notes;
}
