import { listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import { OUTCOMES, type Outcome } from '../../plan/plan.ts';
import { visible } from '../escape.ts';
import { TONES } from '../model/card.ts';
import { type Meanings, meaningsIn } from '../model/meanings.ts';
import type { Model } from '../model/model.ts';
import type { Fact } from '../model/row.ts';
import type { View } from '../report.ts';
import { filled } from '../wrap.ts';
import { columnsOf, padded, paddedStart } from './layout.ts';
import { outcomeTone, outcomeWords } from './row.ts';

/** The columns of the longest outcome. */
const WIDEST = 'not attempted'.length;

/** Where the names begin: behind a count and the outcome. */
const NAMES_AT = 6 + WIDEST + 1;

const NAMES = Object.keys(OUTCOMES) as Outcome[];

/**
 * The outcomes on each server, in blocks; servers with equal ones share one.
 * Nothing if the total says as much, or if cards show what is not verified.
 */
export function outcomeBlocks(
  { facts, document }: Model,
  hasCards: boolean,
  view: View,
): string[][] {
  const isAsWished = facts.every(({ change: { outcome } }) => {
    if (outcome === undefined) return false;
    return outcome === 'verified' || (hasCards && TONES[outcome] === 'good');
  });
  if (isAsWished) return [];
  const meanings = meaningsIn(document);
  const byServer = [...grouped(facts, ({ server }) => server)];
  const told = byServer.map(([server, own]) => {
    return { server, lines: outcomeLines(own, meanings, view) };
  });
  const alike = grouped(told, ({ lines }) => lines.join('\n'));
  const blocks: string[][] = [];
  for (const group of alike.values()) {
    const [{ lines }] = group;
    if (lines.length === 0) continue;
    const servers = listed(group.map(({ server }) => visible(server)));
    const title = filled(servers, columnsOf(view), 4, '');
    blocks.push([...title.map(view.paint.strong), ...lines]);
  }
  return blocks;
}

/** How many changes of a server have each outcome, and in what. */
function outcomeLines(
  facts: readonly Fact[],
  meanings: Meanings,
  view: View,
): string[] {
  const lines: string[] = [];
  for (const outcome of NAMES) {
    const ended = facts.filter(({ change }) => change.outcome === outcome);
    if (ended.length === 0) continue;
    const number = paddedStart(`${ended.length}`, 5);
    const word = padded(outcomeWords(outcome), WIDEST);
    const lead = `${number} ${view.paint[outcomeTone(outcome)](word)} `;
    const meaning = meanings[outcome];
    const names = listed(namesIn(ended));
    const text = meaning === undefined ? names : `${names} (${meaning})`;
    lines.push(...filled(text, columnsOf(view), NAMES_AT, lead));
  }
  return lines;
}

/** Integrations, each with the number of its changes if that is not one. */
function namesIn(facts: readonly Fact[]): string[] {
  const byName = grouped(facts, ({ integration }) => integration.name);
  const names: string[] = [];
  for (const [name, own] of byName) {
    const number = own.length === 1 ? '' : ` ${own.length}`;
    names.push(`${visible(name)}${number}`);
  }
  return names;
}
