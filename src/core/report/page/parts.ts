import { count } from '../../findings/words.ts';
import type { Outcome } from '../../plan/plan.ts';
import { visible } from '../escape.ts';
import { TONES, type Tone } from '../model/card.ts';
import type { CellTone } from '../model/matrix.ts';
import type { Tallies, Tally } from '../model/tally.ts';
import { type Child, element, joined, type Markup } from './markup.ts';

type OutcomeTallies = readonly Tally<Outcome>[];

/** A colour and, as squares, a shape. */
export type Look = CellTone | 'unplanned' | 'unchanged' | 'absent';

/** The most servers whose names stand beside each other. */
const MOST_SERVERS = 4;

/** A word of the filter; the script reads the same form in what is typed. */
export function token(
  kind: 'risk' | 'label' | 'server' | 'outcome',
  name: string,
): string {
  const word = visible(name)
    .toLowerCase()
    .replace(/[\s,"]+/g, '_');
  return `${kind}:${word}`;
}

/** A word in a box. */
export function tag(look: Look, text: string): Markup {
  return element('span', { class: `tag ${look}` }, text);
}

/** The names of servers; many of them folded. */
export function serverTags(servers: readonly string[]): Child {
  const tags: Markup[] = [];
  for (const server of servers) {
    tags.push(element('span', { class: 'tag server' }, server));
  }
  if (servers.length <= MOST_SERVERS) return joined(tags, ' ');
  return element(
    'details',
    { class: 'inline' },
    element('summary', {}, count(servers.length, 'server')),
    joined(tags, ' '),
  );
}

/** Text that is less important. */
export function dim(...children: readonly Child[]): Markup {
  return element('span', { class: 'dim' }, ...children);
}

/** Text for screen readers alone. */
export function hushed(text: string): Markup {
  return element('span', { class: 'hush' }, text);
}

/** A square of a look; only screen readers and copies have its words. */
export function square(look: Look, words = ''): Markup {
  return element('i', { class: `sq ${look}` }, words);
}

const WORST_FIRST: readonly Tone[] = ['bad', 'held', 'open', 'good'];

/** The outcomes of changes, those that need a person first. */
export function worstFirst({ outcomes }: Tallies): OutcomeTallies {
  const rank = (outcome: Outcome): number =>
    WORST_FIRST.indexOf(TONES[outcome]);
  return [...outcomes].sort((one, other) => rank(one.name) - rank(other.name));
}
