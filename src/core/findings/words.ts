import { nearNames } from '../model/near-names.ts';
import type { Place } from '../model/place.ts';
import type { BooleanWord } from '../model/value.ts';
import type { Reached } from './facts.ts';

export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const [best] = nearNames(word, known);
  return best === undefined ? undefined : `Did you mean ${best}?`;
}

export function oneOf(words: readonly string[]): string {
  const shown = words.slice(0, 20);
  const more = words.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Servers with how many of their integrations change. */
export function partsOf(
  large: readonly { readonly server: string; readonly changed: number; readonly managed: number }[],
): string {
  const parts = large.map(({ server, changed, managed }) => `${changed} of ${managed} on ${server}`);
  return `Of the managed integrations, ${oneOf(parts)}`;
}

export function anyOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** A type of JSON in the words of YAML: one word, or one for each value. */
export function typeNames(type: string): readonly string[] {
  return type === 'boolean' ? ['true', 'false'] : [TYPE_NAMES.get(type) ?? type];
}

/** How a word that was meant as a boolean is written. */
export function writeBoolean({ word, means }: BooleanWord): string {
  return `YAML 1.2 reads ${word} as text; write ${means}.`;
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['object', 'a map'],
  ['array', 'a list'],
  ['string', 'text'],
  ['number', 'a number'],
]);

/** The beginning of a long word; beside another one the part where the two begin to differ. */
export function cut(word: string, other = ''): string {
  const [all, others] = [[...word], [...other]];
  if (all.length <= 64) return word;
  const differs = all.findIndex((character, index) => character !== others[index]);
  const start = Math.max(0, (differs < 0 ? all.length : differs) - 32);
  const shown = all.slice(start, start + 64).join('');
  return `${start > 0 ? '…' : ''}${shown}${start + 64 < all.length ? '…' : ''}`;
}

/** A character by its number, as Unicode writes it: `U+200B`. */
export function codePointName(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

export function at(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`;
}

/** How far an apply came, every integration by its name: whoever reads it has nothing else to go by. */
export function reachedText(reached: Reached | undefined): string {
  if (reached === undefined) return '';
  const { applied, notApplied, unknown } = reached;
  const told = (what: string, names: readonly string[]) =>
    ` ${what}: ${names.length === 0 ? 'none' : names.join(', ')}.`;
  return told('Applied', applied) + told('Not applied', notApplied) + told('Unknown', unknown);
}

export function withDetail(sentence: string, detail: string | undefined): string {
  return detail === undefined || detail === '' ? `${sentence}.` : `${sentence}: ${detail}`;
}
