import type { Selector } from '../config/entry.ts';
import { compareText } from '../findings/diagnostic.ts';
import { firstPast } from '../model/bisect.ts';
import { globMatcher, literalStart } from '../model/glob.ts';
import type { LiveIntegration } from '../model/live.ts';

/** Finds integrations by globs; with a glob on the id only among those whose ids begin like it. */
export class LiveIndex {
  /** All integrations, ordered by id, like every answer. */
  readonly all: readonly LiveIntegration[];

  constructor(live: readonly LiveIntegration[]) {
    this.all = [...live].sort((a, b) => compareText(a.id, b.id));
  }

  /** The integrations that a selector matches. */
  found({ id = '*', name, acronym }: Selector): readonly LiveIntegration[] {
    const firstFrom = (text: string) =>
      firstPast(this.all.length, (position) => (this.all[position]?.id ?? '') >= text);
    const start = literalStart(id);
    // U+FFFF follows every character that an id can continue with.
    const near = start === '' ? this.all : this.all.slice(firstFrom(start), firstFrom(`${start}\uffff`));
    const [byId, byName, byAcronym] = [id, name, acronym].map(matcherOf);
    return near.filter((each) => byId?.(each.id) && byName?.(each.name) && byAcronym?.(each.acronym));
  }
}

/** Whether a text matches a glob; without a glob everything does. */
function matcherOf(glob: string | undefined): (text: string | undefined) => boolean {
  if (glob === undefined) return () => true;
  const matches = globMatcher(glob);
  return (text) => text !== undefined && matches(text);
}
