import { literalStart } from '../model/glob.ts';
import { baseOfId } from '../model/integration-id.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { LiveIndex } from './live-index.ts';

/** Finds for an integration the glob that means it and no other of those installed. */
export class NarrowMatches {
  readonly #index: LiveIndex;

  constructor(index: LiveIndex) {
    this.#index = index;
  }

  /** A glob on its id that outlasts an upgrade, else its id; undefined if neither means it alone. */
  globOf(meant: LiveIntegration): string | undefined {
    return idGlobs(meant.id).find((id) => {
      const found = this.#index.found({ id });
      return found.length === 1 && found[0]?.id === meant.id;
    });
  }
}

/** Globs on an id, best first. */
function idGlobs(id: string): string[] {
  const base = baseOfId(id);
  const exact = literalStart(id) === id ? [id] : [];
  return [...(base === id ? [] : [`${base}_*`, `${base}_node_*`]), ...exact];
}
