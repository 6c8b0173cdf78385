import { nearNames } from '../model/near-names.ts';
import type { Place } from '../model/place.ts';
import type { BooleanWord } from '../model/value.ts';

/** How far an apply came, by the names of the integrations that it was to change. */
export interface Reached {
  readonly applied: readonly string[];
  readonly notApplied: readonly string[];
  readonly unknown: readonly string[];
}

/** How far an apply came, with every integration by name: its reader has nothing else to go by. */
export function reachedText(reached: Reached | undefined): string {
  if (reached === undefined) return '';
  const listed = (outcome: string, names: readonly string[]) =>
    ` ${outcome}: ${names.length === 0 ? 'none' : names.join(', ')}.`;
  return (
    listed('Applied', reached.applied) +
    listed('Not applied', reached.notApplied) +
    listed('Unknown', reached.unknown)
  );
}

/** The question after the known word that is spelled most nearly alike, if one is near. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const [best] = nearNames(word, known);
  return best === undefined ? undefined : `Did you mean ${best}?`;
}

/** A list of words; of a long one the beginning and a count. */
export function listed(words: readonly string[]): string {
  const shown = words.slice(0, 20);
  const more = words.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A choice in words: `a, b or c`. */
export function anyOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** How to write a word that was meant as a boolean. */
export function writeBoolean({ word, means }: BooleanWord): string {
  return `YAML 1.2 reads ${word} as text; write ${means}.`;
}

/** The beginning of a long word; beside another word, the part where the two begin to differ. */
export function cut(word: string, other = ''): string {
  const [all, others] = [[...word], [...other]];
  if (all.length <= 64) return word;
  const differs = all.findIndex((character, index) => character !== others[index]);
  const start = Math.max(0, (differs < 0 ? all.length : differs) - 32);
  const shown = all.slice(start, start + 64).join('');
  return `${start > 0 ? '…' : ''}${shown}${start + 64 < all.length ? '…' : ''}`;
}

/** A place as `file:line:column`. */
export function at(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`;
}

/** The end of a sentence: what a server said, if it said anything. */
export function ending(detail: string | undefined): string {
  return detail === undefined || detail === '' ? '.' : `: ${detail}`;
}
