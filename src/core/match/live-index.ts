import type { Selector } from '../config/entry.ts';
import { compareText } from '../findings/diagnostic.ts';
import { globMatcher, literalStart } from '../model/glob.ts';
import type { LiveIntegration } from '../model/live.ts';

/** Finds integrations by globs; by a glob on the id it looks only at those whose ids begin like it. */
export class LiveIndex {
  /** All integrations, ordered by id, as every answer is. */
  readonly all: readonly LiveIntegration[];

  constructor(live: readonly LiveIntegration[]) {
    this.all = [...live].sort((a, b) => compareText(a.id, b.id));
  }

  /** The integrations that a selector means. */
  found({ id, name, acronym }: Selector): readonly LiveIntegration[] {
    const [byId, byName, byAcronym] = [id, name, acronym].map(matcherOf);
    return this.#beginningWith(literalStart(id ?? '')).filter(
      (each) => byId?.(each.id) && byName?.(each.name) && byAcronym?.(each.acronym),
    );
  }

  #beginningWith(start: string): readonly LiveIntegration[] {
    if (start === '') return this.all;
    // U+FFFF comes after every character that an id can go on with.
    return this.all.slice(this.#firstFrom(start), this.#firstFrom(`${start}\uffff`));
  }

  /** The position of the first integration whose id does not come before a text. */
  #firstFrom(text: string): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.all[middle]?.id ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Whether a text matches a glob; where there is no glob, every integration does. */
function matcherOf(glob: string | undefined): (text: string | undefined) => boolean {
  if (glob === undefined) return () => true;
  const matches = globMatcher(glob);
  return (text) => text !== undefined && matches(text);
}
