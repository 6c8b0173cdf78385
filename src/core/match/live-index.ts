import type { Selector } from '../config/declaration.ts';
import { compareText } from '../findings/diagnostic.ts';
import { globMatcher, literalStart } from '../model/glob.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';

/** Integrations by a text that they have. */
type ByText = ReadonlyMap<string | undefined, readonly LiveIntegration[]>;

const NONE: readonly LiveIntegration[] = [];

/** Finds integrations by globs, without a look at each if a glob says how an id begins, or all of a name or an acronym. */
export class LiveIndex {
  /** All integrations, ordered by id, like every answer. */
  readonly all: readonly LiveIntegration[];
  #byName: ByText | undefined;
  #byAcronym: ByText | undefined;

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

  /** The integrations that a selector may match. */
  #near({ id = '*', name, acronym }: Selector): readonly LiveIntegration[] {
    const start = literalStart(id);
    if (start !== '') {
      // U+FFFF follows every character that an id can continue with.
      const end = this.#firstFrom(`${start}\uffff`);
      return this.all.slice(this.#firstFrom(start), end);
    }
    if (isWhole(name)) {
      this.#byName ??= grouped(this.all, (live) => live.name);
      return this.#byName.get(name) ?? NONE;
    }
    if (isWhole(acronym)) {
      this.#byAcronym ??= grouped(this.all, (live) => live.acronym);
      return this.#byAcronym.get(acronym) ?? NONE;
    }
    return this.all;
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

/** Whether a glob is a whole text, without wildcards. */
function isWhole(glob: string | undefined): glob is string {
  return glob !== undefined && literalStart(glob) === glob;
}

/** Whether a text matches a glob; without a glob everything does. */
function matcherOf(
  glob: string | undefined,
): (text: string | undefined) => boolean {
  if (glob === undefined) return () => true;
  const matches = globMatcher(glob);
  return (text) => text !== undefined && matches(text);
}
