import type { Selector } from '../config/declaration.ts';
import { compareText } from '../findings/diagnostic.ts';
import { globMatcher, literalStart } from '../model/glob.ts';
import type { LiveIntegration } from '../model/live.ts';

/**
 * Finds integrations by globs, without a look at each if a glob says how an id
 * begins.
 */
export class LiveIndex {
  /** All integrations, ordered by id, like every answer. */
  readonly all: readonly LiveIntegration[];

  constructor(live: readonly LiveIntegration[]) {
    this.all = live.toSorted((a, b) => compareText(a.id, b.id));
  }

  /** The integrations that a selector matches. */
  found(selector: Selector): readonly LiveIntegration[] {
    const isId = matcherOf(selector.id);
    const isName = matcherOf(selector.name);
    const isAcronym = matcherOf(selector.acronym);
    return this.#near(selector).filter(
      ({ id, name, acronym }) => isId(id) && isName(name) && isAcronym(acronym),
    );
  }

  /** The integrations whose ids begin as a glob does. */
  #near({ id = '*' }: Selector): readonly LiveIntegration[] {
    const start = literalStart(id);
    if (start === '') return this.all;
    // U+FFFF follows every character that an id can continue with.
    const end = this.#firstFrom(`${start}\uffff`);
    return this.all.slice(this.#firstFrom(start), end);
  }

  /** The first position whose id is not before a text, by bisection. */
  #firstFrom(text: string): number {
    let low = 0;
    let high = this.all.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.all[middle]?.id ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Whether a text matches a glob; without a glob everything does. */
function matcherOf(
  glob: string | undefined,
): (text: string | undefined) => boolean {
  if (glob === undefined) return () => true;
  const matches = globMatcher(glob);
  return (text) => text !== undefined && matches(text);
}
